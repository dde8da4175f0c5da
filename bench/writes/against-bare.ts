import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { connect, type Pool } from '../../src/core/postgres/db.ts';
import { sendEach } from '../load.ts';
import { USER_AGENT } from './agent-request.ts';
import { cpuSeconds, held, median, startServer, stopServer } from '../measure.ts';
import { writeResults } from '../results.ts';

const ROUNDS = 5;
const CONNECTIONS = 32;
const POOL = 10;
/** As many as give its pool for writing that size. */
const CONNECTIONS_OF_NODE = '31';
const BAR = 0.7;

/** One kind of write: what a bare client does in one transaction, and the request for which the service does the same. */
export interface Contest<One> {
  name: string;
  /** Work for one run, of which nothing was done before. */
  make: () => Promise<readonly One[]>;
  bare: (pool: Pool, one: One) => Promise<void>;
  request: (one: One) => Buffer;
  status: number;
}

export interface WriteBench {
  pool: Pool;
  port: number;
  /** The keys that the service has made, one a line. */
  keys: readonly string[];
  /** Runs the contests in turns and writes what came of them. */
  compare: <One>(title: string, words: string, contests: readonly Contest<One>[]) => Promise<void>;
}

interface Run {
  perSecond: number;
  /** Of the program that asks, and of PostgreSQL. */
  askerMs: number;
  serverMs: number;
  commits: number;
  syncs: number;
}

/** The service on a database of its own, and a bare client with as many connections to the same database. */
export async function withWriteBench(
  env: Record<string, string>,
  work: (bench: WriteBench) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
  const keysFile = join(folder, 'keys');
  const service = await startServer(new URL('../servers/waypost.ts', import.meta.url).pathname, {
    DATA_DIR: folder,
    BENCH_PLACES: '500',
    [env['BENCH_KEYS_OF'] === 'partners' ? 'BENCH_PARTNER_KEYS' : 'BENCH_KEYS']: keysFile,
    DATABASE_CONNECTIONS: CONNECTIONS_OF_NODE,
    ...env,
  });
  const database = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
  const pool = connect(database.url, { max: POOL, statementTimeoutMs: 15_000 });
  try {
    const keys = (await readFile(keysFile, 'utf8')).split('\n');
    const server = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
    const { port } = service;
    const compare: WriteBench['compare'] = (title, words, contests) =>
      runContests({ pool, port, service: service.pid, server }, title, words, contests);
    await work({ pool, port, keys, compare });
  } finally {
    await pool.end();
    await stopServer(service.child);
    await database.release();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Field {
  pool: Pool;
  port: number;
  service: number;
  server: number;
}

async function runContests<One>(
  field: Field,
  title: string,
  words: string,
  contests: readonly Contest<One>[],
): Promise<void> {
  const rounds = new Map(contests.map(({ name }) => [name, { ours: [] as Run[], bare: [] as Run[] }]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const { name, make, bare, request, status } of contests) {
      const own = (await make()).map(request);
      const given = await make();
      const bareRun = await measured(field, process.pid, given.length, () =>
        runBare(field.pool, given, bare),
      );
      const oursRun = await measured(field, field.service, own.length, () =>
        sendEach(field.port, own, CONNECTIONS, status),
      );
      process.stdout.write(
        `${name}: ${Math.round(oursRun.perSecond)} : ${Math.round(bareRun.perSecond)} a second, ${cpuOf(oursRun).toFixed(2)} : ${cpuOf(bareRun).toFixed(2)} ms\n`,
      );
      // The first round warms both.
      if (round < 0) continue;
      rounds.get(name)?.ours.push(oursRun);
      rounds.get(name)?.bare.push(bareRun);
    }
  }
  const rows = [...rounds].flatMap(([name, { ours, bare }]) => rowsOf(name, ours, bare));
  const lines = [
    `${words} Over ${CONNECTIONS} connections against a bare client that reads and writes the same rows on the same PostgreSQL, as closely packed, ${POOL} database connections each; median of ${ROUNDS} rounds in turns. CPU time is that of PostgreSQL and of the program that asks it. A sync is a time that PostgreSQL waited for the disk: commits that meet there share one.`,
    '',
    '| | a second | CPU ms: program | PostgreSQL | commits each | syncs each | syncs : commits |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rows.map(({ row }) => row),
    '',
    ...rows.flatMap(({ verdict }) => verdict ?? []),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  writeResults(title, lines);
}

function rowsOf(
  name: string,
  ours: readonly Run[],
  bare: readonly Run[],
): { row: string; verdict?: string }[] {
  const of = (runs: readonly Run[], value: (run: Run) => number) => median(runs.map(value));
  const row = (who: string, runs: readonly Run[]) =>
    `| ${name}, ${who} | ${Math.round(of(runs, (run) => run.perSecond)).toLocaleString('en')} | ${of(runs, (run) => run.askerMs).toFixed(2)} | ${of(runs, (run) => run.serverMs).toFixed(2)} | ${of(runs, (run) => run.commits).toFixed(2)} | ${of(runs, (run) => run.syncs).toFixed(2)} | ${of(runs, (run) => run.syncs / run.commits).toFixed(2)} |`;
  const ratio = median(ours.map((run, i) => run.perSecond / (bare[i]?.perSecond ?? 1)));
  const byCpu = median(ours.map((run, i) => cpuOf(bare[i]) / cpuOf(run)));
  return [
    {
      row: row('Waypost', ours),
      verdict: `- ${name}, Waypost : bare client: **${ratio.toFixed(2)}** (${held(ratio, BAR, 'at least')}); by CPU time ${byCpu.toFixed(2)}`,
    },
    { row: row('bare client', bare) },
  ];
}

function cpuOf(run: Run | undefined): number {
  return (run?.askerMs ?? 0) + (run?.serverMs ?? 0);
}

async function runBare<One>(
  pool: Pool,
  given: readonly One[],
  bare: (pool: Pool, one: One) => Promise<void>,
): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  const work = async () => {
    for (let one = given[next++]; one !== undefined; one = given[next++]) await bare(pool, one);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return (performance.now() - startedAt) / 1000;
}

/** Runs it and measures the CPU time of PostgreSQL and of the caller. */
async function measured(
  field: Field,
  asker: number,
  count: number,
  run: () => Promise<number>,
): Promise<Run> {
  const before = await standing(field, asker);
  const seconds = await run();
  const after = await standing(field, asker);
  return {
    perSecond: count / seconds,
    askerMs: ((after.asker - before.asker) * 1000) / count,
    serverMs: ((after.server - before.server) * 1000) / count,
    // Subtracts the transactions that only read the counters.
    commits: (after.commits - before.commits - 2 * POOL - 1) / count,
    syncs: (after.syncs - before.syncs) / count,
  };
}

async function standing({ pool, port, server }: Field, asker: number) {
  const flushes = Array.from({ length: POOL }, () =>
    pool.begin((tx) => tx`select pg_stat_force_next_flush()`),
  );
  const told = await fetch(`http://127.0.0.1:${port}/bench/statistics`, {
    headers: { 'user-agent': USER_AGENT },
  });
  if (!told.ok) throw new Error(`The service was asked for its figures and answered ${told.status}.`);
  await Promise.all(flushes);
  const [row] = await pool<{ commits: number; syncs: number }[]>`
    select (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits,
           (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as syncs`;
  const spent = (await childrenOf(server)).reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  return { commits: row?.commits ?? 0, syncs: row?.syncs ?? 0, asker: cpuSeconds(asker), server: spent };
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(stat.split(') ')[1]?.split(' ')[1]) === parent) children.push(pid);
  }
  return children;
}
