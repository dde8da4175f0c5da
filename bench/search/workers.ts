import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SETTING_NAMES } from '../../src/node/settings.ts';
import { drive } from '../load.ts';
import { median, stopServer } from '../measure.ts';
import { getRequest, read, say, searchPath, type Service, turns } from './bench.ts';
import type { Supply } from './supply.ts';
import { type Found, RATE_MAX } from './throughput.ts';

const CONNECTIONS = 64;
// Each goes first as often as second: what comes later finds warmer files, and other work on the machine comes and goes.
const ORDER = [1, 2, 2, 1, 1, 2];
const [WARM_UP_SECONDS, SECONDS] = [5, 8];
const START_MS = 300_000;
const WHAT = 'new searches, two processes : one, on two cores';

/** New searches answered by one process and by two, started as an operator starts them, in turns. */
export async function measureWorkers(
  { dataDir, keys }: Pick<Service, 'dataDir' | 'keys'>,
  openSupply: () => Promise<Supply>,
): Promise<Found> {
  if (!(SETTING_NAMES as readonly string[]).includes('WORKERS'))
    return { lines: [], bars: [{ what: WHAT, value: undefined, bar: 1.4, side: 'at least' }], figures: {} };
  const key = turns(keys);
  const rates: Record<number, number[]> = { 1: [], 2: [] };
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
        const load = await drive(port, next, CONNECTIONS, SECONDS);
        if (load.failures > 0) throw new Error(`${load.failures} answers were not 200.`);
        rates[workers]?.push(load.requests / load.seconds);
        drivers.push(load.driverCpu);
      } finally {
        await stopServer(child);
      }
    }
  } finally {
    await supply?.close();
  }
  const [one, two] = [median(rates[1] ?? []), median(rates[2] ?? [])];
  const spread = (workers: number) =>
    (rates[workers] ?? []).map((rate) => Math.round(rate).toLocaleString('en')).join(', ');
  return {
    lines: [
      `New searches a second with \`WORKERS=1\`: ${spread(1)}; with \`WORKERS=2\`: ${spread(2)}; the medians are compared. A ratio within the spread of either is noise. Driver and PostgreSQL run on the same processors: the driver used up to ${Math.round(Math.max(...drivers) * 100)} % of one.`,
    ],
    bars: [{ what: WHAT, value: two / one, bar: 1.4, side: 'at least' }],
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
