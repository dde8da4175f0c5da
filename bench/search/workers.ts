import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SETTING_NAMES } from '../../src/node/settings.ts';
import { drive } from '../load.ts';
import { cpuSeconds, median, stopServer } from '../measure.ts';
import { getRequest, read, say, searchPath, type Service, turns } from './bench.ts';
import type { Supply } from './supply.ts';
import { type Found, RATE_MAX } from './throughput.ts';

const CONNECTIONS = 64;
// Each goes first as often as second: what comes later finds warmer files, and other work on the machine comes and goes.
const ORDER = [1, 2, 2, 1, 1, 2];
const [WARM_UP_SECONDS, SECONDS] = [5, 8];
const START_MS = 300_000;
const WHAT = 'new searches that two processes answer : one, each with a core of its own';
const BAR = 1.7;

/**
 * New searches answered by one process and by two, started as an operator starts them, in turns. Driver and PostgreSQL
 * need processors too, so the figure is what the busiest process answers in a second of its CPU time: a core that it
 * shares with nobody.
 */
export async function measureWorkers(
  { dataDir, keys }: Pick<Service, 'dataDir' | 'keys'>,
  openSupply: () => Promise<Supply>,
): Promise<Found> {
  if (!(SETTING_NAMES as readonly string[]).includes('WORKERS'))
    return { lines: [], bars: [{ what: WHAT, value: undefined, bar: BAR, side: 'at least' }], figures: {} };
  const key = turns(keys);
  const rates: Record<number, number[]> = { 1: [], 2: [] };
  const alone: Record<number, number[]> = { 1: [], 2: [] };
  const drivers: number[] = [];
  let supply: Supply | undefined;
  try {
    for (const workers of ORDER) {
      say(`WORKERS=${workers} …`);
      const { child, port } = await startCli(dataDir, workers);
      try {
        const searches = (supply ??= await openSupply());
        const next = () => {
          const search = searches.next();
          return search && getRequest(port, searchPath(search), key());
        };
        await searches.ahead(RATE_MAX * (WARM_UP_SECONDS + SECONDS));
        await drive(port, next, CONNECTIONS, WARM_UP_SECONDS);
        const processes = processesOf(child.pid ?? 0);
        const before = processes.map(cpuSeconds);
        const load = await drive(port, next, CONNECTIONS, SECONDS);
        const busiest = Math.max(...processes.map((pid, at) => cpuSeconds(pid) - (before[at] ?? 0)));
        if (load.failures > 0) throw new Error(`${load.failures} answers were not 200.`);
        rates[workers]?.push(load.requests / load.seconds);
        alone[workers]?.push(load.requests / busiest);
        drivers.push(load.driverCpu);
      } finally {
        await stopServer(child);
      }
    }
  } finally {
    await supply?.close();
  }
  const [one, two] = [median(alone[1] ?? []), median(alone[2] ?? [])];
  const spread = (all: Record<number, number[]>, workers: number) =>
    (all[workers] ?? []).map((rate) => Math.round(rate).toLocaleString('en')).join(', ');
  return {
    lines: [
      `New searches for each second of CPU time of the busiest process, with \`WORKERS=1\`: ${spread(alone, 1)}; with \`WORKERS=2\`: ${spread(alone, 2)}; the medians are compared. By the clock, with driver and PostgreSQL on the same processors: ${spread(rates, 1)}, and ${spread(rates, 2)}; the driver used up to ${Math.round(Math.max(...drivers) * 100)} % of one.`,
    ],
    bars: [{ what: WHAT, value: two / one, bar: BAR, side: 'at least' }],
    figures: { workers_1: one, workers_2: two },
  };
}

async function startCli(dataDir: string, workers: number): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const child = spawn(process.execPath, [new URL('../../src/cli.ts', import.meta.url).pathname, 'start'], {
    env: {
      ...process.env,
      ...{ DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1', WORKERS: String(workers) },
      ...{ PROBE_WEBSITES: 'off', DEMO: 'off' },
    },
    stdio: 'ignore',
  });
  const until = performance.now() + START_MS;
  while (performance.now() < until && child.exitCode === null) {
    await wait(200);
    if ((await read(port, '/readyz').catch(() => undefined)) !== undefined) return { child, port };
  }
  await stopServer(child);
  throw new Error('The service did not become ready.');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The processes of a service, without those of PostgreSQL. */
function processesOf(pid: number): number[] {
  if (readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number).flatMap(processesOf)];
}
