import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { connect, type Pool } from '../src/core/postgres/db.ts';
import { wordsOf } from '../src/core/text/fold.ts';
import { docOf, hasRealData, importReal, readRows, type Row } from './engines/collection.ts';
import { FIRST, type Query, type Run } from './engines/engine.ts';
import { makePostgresDocs, runPostgres } from './engines/postgres.ts';
import { isRight, type JudgedSearch, madeSearches, realSearches } from './engines/searches.ts';
import { median, privateMb } from './measure.ts';
import { writeResults } from './results.ts';
import { number } from './search/bars.ts';
import { Bench, read, say, searchPath, type Service, turns } from './search/bench.ts';
import { rebuild } from './search/rebuild.ts';
import { type Search, Supply } from './search/supply.ts';

// Compares engines that a user would choose instead: the same judged searches and places, relevance and speed.
const DRAWN = 2_000;
const DEMO_PLACES = 27_000;
const OUTPUT_MAX = 2 ** 28;

interface Told extends Run {
  name: string;
  includes: string;
}

await Bench.with(async (bench) => {
  const dataDir = join(bench.folder, 'data');
  const real = hasRealData();
  say(
    real ? 'Importing real extracts …' : 'There is no real data in ../shared/data: the demonstration only.',
  );
  const service = await bench.startService(dataDir, real ? await importReal(dataDir) : DEMO_PLACES);
  const supply = await Supply.of(dataDir);
  const database = await openEmbeddedPostgres({ dataDir, role: 'tool', note: () => undefined });
  const pool = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  try {
    const rows = await readRows(pool);
    const judged = real ? realSearches() : madeSearches(rows);
    const drawn = await supply.take(DRAWN);
    say(`${rows.length.toLocaleString('en')} places, ${judged.length} judged searches. Waypost …`);
    const { told, destinations } = await runWaypost(service, rows, judged, drawn);
    const given = {
      docs: rows.map(docOf),
      judged: judged.map(({ search }, i) => queryOf(search, destinations[i])),
      drawn: drawn.map((search) => queryOf(search, search.city)),
    };
    const others = [...(await withPostgres(pool, given)), ...(await inProcesses(bench, given))];
    report([...told, ...others], rows, judged, real);
  } finally {
    await pool.end();
    await database.release();
    await supply.close();
  }
});

/** All other engines receive the destination that our service understood. */
function queryOf({ q, category, area }: Search, destination: string | undefined): Query {
  return { words: wordsOf([q, category, area].filter((text) => text !== undefined).join(' ')), destination };
}

async function runWaypost(
  service: Service,
  rows: readonly Row[],
  judged: readonly JudgedSearch[],
  drawn: readonly Search[],
): Promise<{ told: Told[]; destinations: (string | undefined)[] }> {
  const key = turns(service.keys);
  const places = new Map(rows.map(({ id }, at) => [id, at]));
  const destinations: (string | undefined)[] = [];
  const found: number[][] = [];
  for (const { search } of judged) {
    const answer = JSON.parse((await read(service.port, searchPath(search), key())) ?? '') as {
      places: { place_id: string }[];
      query: { destination?: string };
    };
    destinations.push(answer.query.destination);
    found.push(answer.places.slice(0, FIRST).map(({ place_id }) => places.get(place_id) ?? -1));
  }
  const half = drawn.length / 2;
  const inside = await read(service.port, '/bench/in-process', '', { searches: drawn.slice(0, half) });
  const over: number[] = [];
  for (const search of drawn.slice(half)) {
    const startedAt = performance.now();
    await read(service.port, searchPath(search), key());
    over.push(performance.now() - startedAt);
  }
  const size = { size_mb: privateMb(service.pid), size_of: 'memory of the whole service' };
  const build_seconds = await rebuild(service.port);
  const { ms } = JSON.parse(inside ?? '') as { ms: number[] };
  const same = { found, build_seconds, ...size };
  return {
    told: [
      { ...same, name: 'Waypost', ms, includes: 'in process, with the answer as JSON' },
      { ...same, name: 'Waypost over HTTP', ms: over, includes: 'with HTTP, key, quota and client' },
    ],
    destinations,
  };
}

async function withPostgres(
  pool: Pool,
  given: { docs: ReturnType<typeof docOf>[]; judged: Query[]; drawn: Query[] },
) {
  say('PostgreSQL …');
  const seconds = await makePostgresDocs(pool, given.docs);
  const includes = 'with its client over a socket, ids only';
  const told: Told[] = [];
  for (const way of ['full text', 'trigrams'] as const)
    told.push({ ...(await runPostgres(pool, way, given, seconds)), name: `PostgreSQL ${way}`, includes });
  return told;
}

async function inProcesses(bench: Bench, given: object): Promise<Told[]> {
  const file = join(bench.folder, 'given.json');
  await writeFile(file, JSON.stringify(given));
  const program = new URL('engines/in-process.ts', import.meta.url).pathname;
  const told: Told[] = [];
  for (const [engine, name] of [
    ['sqlite', 'SQLite FTS5'],
    ['minisearch', 'MiniSearch'],
    ['orama', 'Orama'],
  ] as const) {
    say(`${name} …`);
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [program, engine, file, bench.folder], {
      maxBuffer: OUTPUT_MAX,
    });
    told.push({ ...(JSON.parse(stdout) as Run), name, includes: 'in process, ids only' });
  }
  return told;
}

function report(
  told: readonly Told[],
  rows: readonly Row[],
  judged: readonly JudgedSearch[],
  real: boolean,
): void {
  const sets = [...new Set(judged.map(({ set }) => set))];
  const share = ({ found }: Run, fits: (search: JudgedSearch) => boolean, first: number) => {
    const asked = judged
      .map((search, i) => ({ search, hits: found[i] ?? [] }))
      .filter(({ search }) => fits(search));
    const right = asked.filter(({ search, hits }) =>
      hits.slice(0, first).some((at) => isRight(rows[at], search.right)),
    );
    return right.length / asked.length;
  };
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  const summary = told.map((run) => {
    const ms = [...run.ms].sort((a, b) => a - b);
    return {
      ...{ name: run.name, p50: median(ms), p99: ms[Math.floor(ms.length * 0.99)] ?? 0 },
      ...{ build_seconds: run.build_seconds, size_mb: run.size_mb },
      sets: sets.map((set) => ({
        first: share(run, (one) => one.set === set, 1),
        three: share(run, (one) => one.set === set, FIRST),
      })),
    };
  });
  const kinds = [...new Set(judged.filter(({ set }) => set === sets[0]).map(({ kind }) => kind))];
  const engines = told.filter(({ name }) => name !== 'Waypost over HTTP');
  const lines = [
    `${rows.length.toLocaleString('en')} places of ${real ? 'real extracts of OpenStreetMap and other open data' : 'the demonstration; there is no real data on this machine'}. Every engine gets the same folded words (scripts without spaces cut into pairs, names in Latin letters too) and the destination as a filter. Relevance: ${sets.map((set) => `${judged.filter((one) => one.set === set).length} searches ${set}`).join(', ')}; "first" means that the first answer is right, "three" that one of the first three is. Time: ${DRAWN.toLocaleString('en')} drawn searches, each once, one after the other.`,
    '',
    `| engine | ${sets.map((set) => `first, ${set} | three`).join(' | ')} | p50 ms | p99 ms | time includes | built in s | MB |`,
    `|---|${sets.map(() => '--:|--:').join('|')}|--:|--:|---|--:|--:|`,
    ...summary.map((one, i) => {
      const run = told[i] as Told;
      const shares = one.sets.map(({ first, three }) => `${percent(first)} | ${percent(three)}`).join(' | ');
      return `| ${one.name} | ${shares} | ${one.p50.toFixed(2)} | ${one.p99.toFixed(2)} | ${run.includes} | ${number(one.build_seconds)} | ${number(Math.round(one.size_mb))} (${run.size_of}) |`;
    }),
    '',
    `First answer right by kind, searches ${sets[0] ?? ''}:`,
    '',
    `| kind | ${engines.map(({ name }) => name).join(' | ')} |`,
    `|---|${engines.map(() => '--:').join('|')}|`,
    ...kinds.map((kind) => {
      const fits = (one: JudgedSearch) => one.set === sets[0] && one.kind === kind;
      return `| ${kind} (${judged.filter(fits).length}) | ${engines.map((run) => percent(share(run, fits, 1))).join(' | ')} |`;
    }),
    '',
    'The service of Waypost answers with whole cards and holds the rest of the product too; the others give ids. Its build reads PostgreSQL; the others get their documents ready.',
  ];
  say(lines.join('\n'));
  writeResults('Engines: relevance and speed', lines, { places: rows.length, real, engines: summary });
}
