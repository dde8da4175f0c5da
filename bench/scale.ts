import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { again, drive } from './load.ts';
import { privateMb, quantile } from './measure.ts';
import { writeResults } from './results.ts';
import { barTable, number, type Bar } from './search/bars.ts';
import { Bench, getRequest, read, say, searchPath, type Service, turns } from './search/bench.ts';
import { measurePartnerRows } from './search/partner-rows.ts';
import { rebuild } from './search/rebuild.ts';
import { Supply } from './search/supply.ts';

// How cost grows: one directory after the other, each asked about its own places. With BENCH_DATA_DIR each keeps its
// folder there, so that a later run does not load it again.
const SIZES = (process.env['BENCH_SIZES'] ?? '27000,270000,2700000,10000000').split(',').map(Number);
const CONNECTIONS = 32;
const [WARM_UP_SECONDS, SECONDS] = [5, 8];
const KNOWN = 1_200;
const RATE_MAX = 15_000;
const [MEMORY_BAR_MB, LARGE_MEMORY_BAR_MB] = [250, 350];
const USUAL_SIZE = 2_700_000;

interface Loaded {
  load_seconds: number;
  load_peak_mb: number;
}

interface Cost extends Loaded {
  places: number;
  build_seconds: number;
  index_mb: number;
  start_ms: number;
  new_rps: number;
  new_p50: number;
  new_p99: number;
  known_rps: number;
  known_p99: number;
  open_p50: number;
  open_p99: number;
  feed_first: number;
  memory_mb: number;
}

const ROWS: readonly (readonly [keyof Cost, string])[] = [
  ['load_seconds', 'demonstration loaded, s'],
  ['load_peak_mb', 'memory of the loading process, MB'],
  ['build_seconds', 'index built, s'],
  ['index_mb', 'index file, MB'],
  ['start_ms', 'later start until searches are answered, ms'],
  ['new_rps', 'new searches a second'],
  ['new_p50', 'new searches, p50 ms'],
  ['new_p99', 'new searches, p99 ms'],
  ['known_rps', 'known searches a second'],
  ['known_p99', 'known searches, p99 ms'],
  ['open_p50', '`open_places`, p50 ms'],
  ['open_p99', '`open_places`, p99 ms'],
  ['feed_first', '`directory_feed`, places/s the first time'],
  ['memory_mb', 'private memory of the node after all, MB'],
];

await Bench.with(async (bench) => {
  const costs: Cost[] = [];
  for (const places of SIZES) {
    const dataDir = join(process.env['BENCH_DATA_DIR'] ?? bench.folder, String(places));
    costs.push(await costOf(bench, dataDir, places));
  }
  report(costs);
});

async function costOf(bench: Bench, dataDir: string, places: number): Promise<Cost> {
  say(`${places.toLocaleString('en')} places: loading and building …`);
  const first = await bench.startService(dataDir, places);
  const loaded = rememberLoad(dataDir, first.said);
  await bench.stop(first);
  const service = await bench.startService(dataDir, places);
  const supply = await Supply.of(dataDir);
  try {
    say('Searches …');
    const asked = await searches(service, supply);
    const { figures } = await measurePartnerRows(service, supply);
    const memory_mb = privateMb(service.pid);
    return {
      ...{ places, ...loaded, ...asked, memory_mb },
      start_ms: Number(/ready after (\d+) ms/.exec(service.said)?.[1]),
      open_p50: figures['open_p50'] ?? NaN,
      open_p99: figures['open_p99'] ?? NaN,
      feed_first: figures['feed_first'] ?? NaN,
      build_seconds: await rebuild(service.port),
      index_mb: await indexMb(service),
    };
  } finally {
    await supply.close();
    await bench.stop(service);
  }
}

/** A kept folder is loaded once only; what that cost stands beside it. */
function rememberLoad(dataDir: string, said: string): Loaded {
  const file = join(dataDir, 'bench-load.json');
  const found = /loaded in ([\d.]+) s with (\d+) MB/.exec(said);
  if (found !== null) {
    const loaded: Loaded = { load_seconds: Number(found[1]), load_peak_mb: Number(found[2]) };
    writeFileSync(file, JSON.stringify(loaded));
    return loaded;
  }
  if (!existsSync(file)) return { load_seconds: NaN, load_peak_mb: NaN };
  return JSON.parse(readFileSync(file, 'utf8')) as Loaded;
}

async function searches({ port, keys }: Service, supply: Supply) {
  const key = turns(keys);
  const known = (await supply.take(KNOWN)).map((search) => getRequest(port, searchPath(search), key()));
  const fresh = () => {
    const search = supply.next();
    return search && getRequest(port, searchPath(search), key());
  };
  await supply.ahead(RATE_MAX * (WARM_UP_SECONDS + SECONDS));
  await drive(port, fresh, CONNECTIONS, WARM_UP_SECONDS);
  const newOnes = await drive(port, fresh, CONNECTIONS, SECONDS);
  await drive(port, again(known), CONNECTIONS, WARM_UP_SECONDS);
  const knownOnes = await drive(port, again(known), CONNECTIONS, SECONDS);
  const failures = newOnes.failures + knownOnes.failures;
  if (failures > 0) throw new Error(`${failures} searches failed.`);
  return {
    new_rps: newOnes.requests / newOnes.seconds,
    new_p50: quantile(newOnes, 0.5),
    new_p99: quantile(newOnes, 0.99),
    known_rps: knownOnes.requests / knownOnes.seconds,
    known_p99: quantile(knownOnes, 0.99),
  };
}

/** As the service tells it, or else what the files of its folder take. */
async function indexMb({ port, dataDir }: Service): Promise<number> {
  const told = await read(port, '/bench/index');
  if (told !== undefined) return (JSON.parse(told) as { file_bytes: number }).file_bytes / 2 ** 20;
  const folder = join(dataDir, 'index');
  // A file with holes takes less than its length.
  const bytes = (await readdir(folder)).map((name) => statSync(join(folder, name)).blocks * 512);
  return bytes.reduce((sum, one) => sum + one, 0) / 2 ** 20;
}

function report(costs: readonly Cost[]): void {
  const [small, large] = [costs[0], costs.at(-1)];
  if (small === undefined || large === undefined) throw new Error('BENCH_SIZES names no size.');
  const shown = (value: number) => (Number.isNaN(value) ? 'not measured' : number(value));
  const bars: Bar[] = [
    {
      ...{ value: large.new_p99 / small.new_p99, bar: 2, side: 'at most' },
      what: `p99 of new searches at ${large.places.toLocaleString('en')} : at ${small.places.toLocaleString('en')}, each with its own, flat out`,
    },
    ...costs
      .filter(({ places }) => places >= USUAL_SIZE)
      .map((cost): Bar => {
        const bar = cost.places > USUAL_SIZE ? LARGE_MEMORY_BAR_MB : MEMORY_BAR_MB;
        const what = `private memory at ${cost.places.toLocaleString('en')} places`;
        return { what, value: cost.memory_mb, unit: ' MB', bar, side: 'at most' };
      }),
  ];
  const lines = [
    `One after the other in one run, each with its own searches; new and known searches over ${CONNECTIONS} connections as fast as they are answered. The last column is the growth from the smallest to the largest, which has ${number(large.places / small.places)} times the places.`,
    '',
    `| places | ${costs.map(({ places }) => places.toLocaleString('en')).join(' | ')} | growth |`,
    `|---|${costs.map(() => '--:').join('|')}|--:|`,
    ...ROWS.map(
      ([key, label]) =>
        `| ${label} | ${costs.map((cost) => shown(cost[key])).join(' | ')} | × ${shown(large[key] / small[key])} |`,
    ),
    '',
    ...barTable(bars),
    '',
    ...bends(costs),
  ];
  say(lines.join('\n'));
  writeResults('How cost grows', lines, { sizes: costs });
}

/** Where a figure of one place grows by more than a quarter from one size to the next: there somebody should look. */
function bends(costs: readonly Cost[]): string[] {
  const perPlace: readonly (keyof Cost)[] = ['load_seconds', 'build_seconds', 'index_mb'];
  const flat: readonly (keyof Cost)[] = ['new_p99', 'known_p99', 'open_p99', 'load_peak_mb', 'memory_mb'];
  const found = costs.slice(1).flatMap((cost, i) => {
    const before = costs[i] as Cost;
    const times = cost.places / before.places;
    const told = (keys: readonly (keyof Cost)[], expected: number) =>
      keys
        .filter((key) => cost[key] / before[key] > 1.25 * expected)
        .map((key) => `${key} × ${number(cost[key] / before[key])}`);
    const bent = [...told(perPlace, times), ...told(flat, 1)];
    const step = `${before.places.toLocaleString('en')} to ${cost.places.toLocaleString('en')}`;
    return bent.length === 0 ? [] : [`- from ${step}: ${bent.join(', ')}`];
  });
  return found.length === 0
    ? [
        'No curve bends: what grows with the places grows no faster than they do, and the rest stays within a quarter.',
      ]
    : [
        'Where a curve bends (more than a quarter above places for what grows with them, above flat for the rest):',
        ...found,
      ];
}
