import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { connect, type Pool } from '../../src/core/postgres/db.ts';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { openDatabase } from '../../src/node/database.ts';
import { osmiumFilter } from '../../test/import/osmium-filter.ts';
import { differences, type CountedPlace } from './import-counts.ts';
import { median } from '../measure.ts';
import { writeResults } from '../results.ts';

// `waypost import osm` of an extract into a fresh database of a real PostgreSQL, from the start of the process to its
// end, against osmium filtering and exporting the same objects of the same file, in turns, in one run.
const FILE =
  process.env['BENCH_EXTRACT'] ?? join(import.meta.dirname, '../../../shared/data/osm/andorra.osm.pbf');
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? '7');
const CLI = join(import.meta.dirname, '../../src/cli.ts');
const TEMPLATE = 'bench_template';
const BAR = 3;

if (spawnSync('osmium', ['--version']).status !== 0) {
  process.stderr.write('osmium is needed to compare with: apt-get install osmium-tool\n');
  process.exit(1);
}
if (!existsSync(FILE)) {
  process.stderr.write(`There is no extract at ${FILE}. BENCH_EXTRACT names another .osm.pbf file.\n`);
  process.exit(1);
}

const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
const server = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const admin = connect(server.url, { max: 1, statementTimeoutMs: 0 });
try {
  await makeTemplate();
  const ours: number[] = [];
  const theirs: number[] = [];
  let places: CountedPlace[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [osmiumMs, imported] = [filterAndExport(), await importOnce(round)];
    // The first round warms the caches of the machine for both.
    if (round === 0) continue;
    theirs.push(osmiumMs);
    ours.push(imported.ms);
    places = imported.places;
    process.stdout.write(
      `round ${round}: osmium ${osmiumMs.toFixed(0)} ms, Waypost ${imported.ms.toFixed(0)} ms\n`,
    );
  }
  report(ours, theirs, places);
} finally {
  await admin.end();
  await server.release();
  await rm(folder, { recursive: true, force: true });
}

function databaseUrl(name: string): string {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function makeTemplate(): Promise<void> {
  await admin.unsafe(`create database ${TEMPLATE}`);
  const config = parseConfig({ DATA_DIR: folder, DATABASE_URL: databaseUrl(TEMPLATE) });
  await (await openDatabase(config, 'tool', () => undefined)).close();
}

async function importOnce(round: number): Promise<{ ms: number; places: CountedPlace[] }> {
  const name = `bench_${round}`;
  await admin.unsafe(`create database ${name} template ${TEMPLATE}`);
  const ms = timed(process.execPath, [CLI, 'import', 'osm', FILE, '--auto-destinations'], {
    DATABASE_URL: databaseUrl(name),
  });
  const pool = connect(databaseUrl(name), { max: 1, statementTimeoutMs: 0 });
  const places = await openPlaces(pool);
  await pool.end();
  await admin.unsafe(`drop database ${name} with (force)`);
  return { ms, places };
}

function openPlaces(pool: Pool): Promise<CountedPlace[]> {
  return pool<CountedPlace[]>`select source_ref, categories from place where closed_at is null`;
}

function filterAndExport(): number {
  const [filtered, exported] = [join(folder, 'filtered.osm.pbf'), join(folder, 'exported.geojson')];
  for (const file of [filtered, exported]) rmSync(file, { force: true });
  return (
    timed('osmium', ['tags-filter', '-o', filtered, FILE, ...osmiumFilter()]) +
    timed('osmium', ['export', '-o', exported, filtered])
  );
}

/** Runs a program to its end and tells how long that took. The database outlives it and is not waited for. */
function timed(command: string, args: string[], env: Record<string, string> = {}): number {
  const startedAt = performance.now();
  execFileSync(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return performance.now() - startedAt;
}

function report(ours: number[], theirs: number[], places: readonly CountedPlace[]): void {
  const ratio = median(ours) / median(theirs);
  const { equal, categories, explained } = differences(FILE, places, folder);
  const row = (name: string, times: number[]) =>
    `| ${name} | ${Math.round(median(times))} | ${Math.round(Math.min(...times))} | ${Math.round(Math.max(...times))} |`;
  const lines = [
    `The extract of Andorra, from the start of the program to its end, ${ROUNDS} rounds in turns. Ours ends with ${places.length.toLocaleString('en')} places committed in PostgreSQL, osmium's with a GeoJSON file.`,
    '',
    '| program | median ms | fastest | slowest |',
    '|---|--:|--:|--:|',
    row('`waypost import osm`, fresh database', ours),
    row('`osmium tags-filter` and `osmium export`', theirs),
    '',
    `- Waypost : osmium, medians: **${ratio.toFixed(2)}** (bar: at most ${BAR})`,
    `- counts by category, named objects, against osmium's for the same rules: **${equal} of ${categories} equal**${explained.length === 0 ? '' : '; the others:'}`,
    ...explained.map((line) => `  - ${line}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  writeResults('Import', lines);
}
