import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { drive, type Load, type Next } from './load.ts';

export interface Contender {
  name: string;
  pid: number;
  port: number;
  /** The requests of one run, made before its clock starts: the same again, or new ones for every run. */
  requests: (seconds: number) => Next | Promise<Next>;
}

export interface Measured {
  name: string;
  /** Medians over the rounds. */
  requestsPerSecond: number;
  cpuMicroseconds: number;
  p50Ms: number;
  p99Ms: number;
  /** Of one processor, how much the driver used while it measured this one. */
  driverCpu: number;
}

const TICKS_PER_SECOND = 100;
// A service that runs all day is measured as it then is: its code compiled, which takes a longer one longer.
const WARM_UP_SECONDS = 5;

/** Lets the contenders run in turns, several rounds, so that whatever else the machine does falls on all of them. */
export async function compare(
  contenders: readonly Contender[],
  options: { rounds: number; seconds: number; connections: number },
): Promise<Measured[]> {
  const rounds = new Map<string, { load: Load; cpuSeconds: number }[]>(
    contenders.map(({ name }) => [name, []]),
  );
  for (const { port, requests } of contenders)
    await drive(port, await requests(WARM_UP_SECONDS), options.connections, WARM_UP_SECONDS);
  for (let round = 0; round < options.rounds; round++) {
    for (const { name, pid, port, requests } of contenders) {
      const next = await requests(options.seconds);
      const before = cpuSeconds(pid);
      const load = await drive(port, next, options.connections, options.seconds);
      if (load.failures > 0) throw new Error(`${name}: ${load.failures} answers were not 200.`);
      rounds.get(name)?.push({ load, cpuSeconds: cpuSeconds(pid) - before });
    }
  }
  return contenders.map(({ name }) => summarize(name, rounds.get(name) ?? []));
}

function summarize(name: string, rounds: { load: Load; cpuSeconds: number }[]): Measured {
  return {
    name,
    requestsPerSecond: median(rounds.map(({ load }) => load.requests / load.seconds)),
    cpuMicroseconds: median(rounds.map(({ load, cpuSeconds: seconds }) => (seconds * 1e6) / load.requests)),
    p50Ms: median(rounds.map(({ load }) => quantile(load, 0.5))),
    p99Ms: median(rounds.map(({ load }) => quantile(load, 0.99))),
    driverCpu: median(rounds.map(({ load }) => load.driverCpu)),
  };
}

/** Milliseconds within which this share of the requests was answered. */
export function quantile({ latencies }: Load, share: number): number {
  return latencies[Math.floor(latencies.length * share)] ?? 0;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** User and system time of a process so far. Less noisy than the clock on a machine that others use too. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Starts a server of the benchmark and waits for the line that says its port. */
export async function startServer(
  file: string,
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ child: ChildProcess; pid: number; port: number; said: string }> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      const found = /listening on (\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => {
      reject(new Error(`${file} ended before it listened.`));
    });
  });
  if (child.pid === undefined) throw new Error(`${file} did not start.`);
  return { child, pid: child.pid, port, said: text };
}

export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Private memory of a process in megabytes: files that it maps belong to the machine. */
export function privateMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/RssAnon:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
}

/** Whether a figure reaches its bar, as results.md says it: a bar that was missed stands out. */
export function held(value: number, bar: number, side: 'at least' | 'at most'): string {
  const reached = side === 'at least' ? value >= bar : value <= bar;
  return `bar: ${side} ${bar.toLocaleString('en')}, ${reached ? 'held' : '**missed**'}`;
}
