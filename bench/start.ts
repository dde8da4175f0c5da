import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { median } from './measure.ts';
import { writeResults } from './results.ts';

// How long a person waits after `npm start`: for the very first start, with nothing compiled before, and for the next ones.
// BENCH_DATA_DIR names a directory that exists, of any size; it is started and stopped, and nothing else happens to it.
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const FIRST_BAR_SECONDS = 8;
const NEXT_BAR_SECONDS = 2;
const TICKS_PER_SECOND = 100;
const CHECKOUT = new URL('..', import.meta.url).pathname;

interface Start {
  seconds: number;
  /** Of all processes that the start has begun, until it was ready. */
  cpuSeconds: number;
  /** The line of the welcome that says how much the directory holds. */
  said: string;
}

const first: Start[] = [];
const next: Start[] = [];
const existing: Start[] = [];
const existingDir = process.env['BENCH_DATA_DIR'];
for (let round = 0; round < ROUNDS; round++) {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
  const compiled = join(folder, 'compiled');
  try {
    first.push(await startOnce(join(folder, 'data'), compiled));
    next.push(await startOnce(join(folder, 'data'), compiled));
    if (existingDir !== undefined) existing.push(await startOnce(existingDir, compiled));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
report();

/** Starts the service as a person does, waits for its welcome, and stops it. */
async function startOnce(dataDir: string, compiled: string): Promise<Start> {
  const port = await freePort();
  const settings = { DATA_DIR: dataDir, NODE_COMPILE_CACHE: compiled, HOST: '127.0.0.1', PORT: String(port) };
  const begun = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: CHECKOUT,
    env: { ...ownEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  try {
    const said = await welcomeOf(child.stdout, ended);
    const start = {
      seconds: (performance.now() - begun) / 1000,
      cpuSeconds: cpuSecondsOf(child.pid ?? 0),
      said,
    };
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (!answer.ok) throw new Error(`It said that it is ready, and /readyz answered: ${await answer.text()}`);
    return start;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function welcomeOf(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  output.on('data', (data: Buffer) => {
    text += data.toString();
    const line = /^.* is ready: .*\n/m.exec(text)?.[0];
    if (line !== undefined) resolve(line.trim());
  });
  void ended.then(() => {
    reject(new Error(`The service ended before it was ready:\n${text}`));
  });
  return promise;
}

/** As in a fresh terminal: without what `npm run` has added, so that npm runs on the Node of the system. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|BENCH_|INIT_CWD$)/.test(name));
  const path = (process.env['PATH'] ?? '').split(delimiter);
  return {
    ...Object.fromEntries(kept),
    PATH: path.filter((folder) => !/node_modules\/|node-gyp-bin/.test(folder)).join(delimiter),
  };
}

/** User and system time of a process, of those that it has begun, and of those that have ended since. */
function cpuSecondsOf(root: number): number {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statOf(name) : []));
  const family = new Set([root]);
  // A child may have a lower number than its parent, so the list is gone through until nobody is new.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes.reduce((sum, { pid, ticks }) => sum + (family.has(pid) ? ticks / TICKS_PER_SECOND : 0), 0);
}

function statOf(pid: string): { pid: number; parent: number; ticks: number }[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks }];
  } catch {
    // It ended meanwhile.
    return [];
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function report(): void {
  const row = (name: string, starts: Start[], bar: number) => {
    const seconds = starts.map((start) => start.seconds);
    const held = median(seconds) <= bar;
    if (!held) process.exitCode = 1;
    const cells = [median(seconds), Math.min(...seconds), Math.max(...seconds), cpuOf(starts)];
    return `| ${name} | ${cells.map((value) => value.toFixed(2)).join(' | ')} | ${bar} s: ${held ? 'held' : '**missed**'} |`;
  };
  const places = existing[0]?.said.replace(/^.* is ready: (.*?), PostgreSQL.*$/, '$1') ?? '';
  const lines = [
    `From \`npm start\` to the welcome, ${ROUNDS} rounds; right after the welcome \`/readyz\` was 200. The first start makes the database, the demonstration and the index, with nothing compiled before. CPU is of all processes, npm and PostgreSQL included.`,
    '',
    '| seconds | median | fastest | slowest | CPU | bar |',
    '|---|--:|--:|--:|--:|---|',
    row('first start, with the demonstration', first, FIRST_BAR_SECONDS),
    row('second start on the same directory', next, NEXT_BAR_SECONDS),
    ...(existing.length === 0 ? [] : [row(`start on ${places}`, existing, NEXT_BAR_SECONDS)]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  writeResults('Start', lines);
}

function cpuOf(starts: Start[]): number {
  return median(starts.map(({ cpuSeconds }) => cpuSeconds));
}
