import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { connect } from '../src/core/postgres/db.ts';
import { importExtracts, readPlaces, whenFollowed } from './judged/directory.ts';
import { type Ask, idsFound } from './judged/judge.ts';
import { EXTRACTS, extractFile, readObjects } from './judged/map-objects.ts';
import { askReal, REAL_SETS, tableOf, type RealOutcome } from './judged/real/score-real.ts';
import { askRival, makeRival } from './judged/rival.ts';
import { writeResults } from './results.ts';
import { Bench, say, turns } from './search/bench.ts';

// 500 searches of travellers over real extracts: near a landmark, addresses, areas, things without a name, dishes.
// Somebody who had not seen the program wrote them with osmium before the service was asked; then 196 more.
//   npm run bench:real-searches [-- FILE]   FILE receives every search whose first answer is wrong
const KEYS = 40;
const RIVAL_COUNT = 10;
const BARS = { first: 0.9, three: 0.95, kind: 0.8 };

const missing = EXTRACTS.filter((extract) => !existsSync(extractFile(extract)));
if (missing.length > 0) say(`Skipped: there is no real data in ../shared/data (${missing.join(', ')}).`);
else await Bench.with(run);

async function run(bench: Bench): Promise<void> {
  const dataDir = join(bench.folder, 'data');
  const keys = join(bench.folder, 'keys');
  const server = await bench.start('waypost', {
    ...{ DATA_DIR: dataDir, DEMO: 'off', BENCH_PLACES: '0' },
    ...{ BENCH_KEY_COUNT: String(KEYS), BENCH_KEYS: keys },
  });
  const key = turns((await readFile(keys, 'utf8')).split('\n'));
  say('Importing the extracts into the running service …');
  const reading = Promise.all(
    EXTRACTS.map(async (extract) => [extract, await readObjects(extract, bench.folder)] as const),
  );
  await importExtracts(dataDir);
  const database = await openEmbeddedPostgres({ dataDir, role: 'tool', note: () => undefined });
  const pool = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  try {
    const places = await readPlaces(pool);
    await whenFollowed(server.port, places.filter(({ open }) => open).length);
    const maps = new Map(await reading);
    const search: Ask = (text, city) => idsFound(server.port, key(), text, city);
    const askSets = async (ask: Ask) => {
      const sets: RealOutcome[][] = [];
      for (const set of REAL_SETS) sets.push(await askReal(ask, set, places, maps));
      return sets;
    };
    const ours = await askSets(search);
    await makeRival(pool);
    report(ours, await askSets((text, city) => askRival(pool, text, city, RIVAL_COUNT)));
    if (process.argv[2] !== undefined) await writeFile(process.argv[2], missesOf(ours.flat()));
  } finally {
    await pool.end();
    await database.release();
  }
}

function report(ours: readonly RealOutcome[][], rival: readonly RealOutcome[][]): void {
  const lines = ours.flatMap((set, at) => [...tableOf(set, rival[at] ?? []), '']);
  for (const line of lines) say(line);
  say(`Bars: first ${BARS.first}, three ${BARS.three}, first of each kind ${BARS.kind}.`);
  writeResults('Searches of travellers', lines);
}

function missesOf(outcomes: readonly RealOutcome[]): string {
  return outcomes
    .filter(({ first }) => !first)
    .map(({ search, destination, three, answers }) =>
      JSON.stringify({
        id: search.id,
        q: search.q,
        destination,
        three,
        answers,
        expected: search.expected.slice(0, 4),
        nearest: search.ok_first?.slice(0, 4),
      }),
    )
    .join('\n');
}
