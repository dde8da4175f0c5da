import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { writeResults } from '../results.ts';
import { Bench, say, turns } from '../search/bench.ts';
import { readPlaces } from './directory.ts';
import { findStrays, numberedTexts } from './foreign-places.ts';
import { type Ask, idsFound, idsOfAll } from './judge.ts';

// Every destination of the demonstration is asked for texts with numbers: no answer holds a place of another one.
const KEYS = 300;
const PLACES = 24_000;
const LISTED_MAX = 40;

await Bench.with(async (bench) => {
  const dataDir = join(bench.folder, 'data');
  const keys = join(bench.folder, 'keys');
  const { port } = await bench.start('waypost', {
    ...{ DATA_DIR: dataDir, BENCH_PLACES: String(PLACES) },
    ...{ BENCH_KEYS: keys, BENCH_KEY_COUNT: String(KEYS) },
  });
  const key = turns((await readFile(keys, 'utf8')).split('\n'));
  const database = await openEmbeddedPostgres({ dataDir, role: 'tool', note: () => undefined });
  const pool = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  const places = await readPlaces(pool).finally(() => pool.end());
  await database.release();
  const texts = numberedTexts(places);
  const ask: Ask = (text, city) => idsFound(port, key(), text, city);
  const found = await findStrays(places, texts, ask, (city) => idsOfAll(port, key, city));
  const lines = [
    `All ${new Set(places.map(({ destination }) => destination)).size} destinations of the demonstration and ${texts.length} texts with numbers in them: ${found.asked.toLocaleString('en')} searches, one of each destination without a text; their answers held ${found.seen.toLocaleString('en')} places.`,
    '',
    `- places of another destination in an answer: **${found.strays.length}** (bar: 0)`,
    ...found.strays.slice(0, LISTED_MAX).map((stray) => `  - ${stray}`),
  ];
  say(lines.join('\n'));
  writeResults('Places of another destination', lines, { strays: found.strays.length });
  if (found.strays.length > 0) process.exitCode = 1;
});
