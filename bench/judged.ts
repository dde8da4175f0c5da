import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { connect } from '../src/core/postgres/db.ts';
import { checkClaims } from './judged/claims.ts';
import { importExtracts, readPlaces, whenFollowed } from './judged/directory.ts';
import { type Ask, idsFound, idsOfAll, Judge } from './judged/judge.ts';
import { EXTRACTS, extractFile, readObjects } from './judged/map-objects.ts';
import { report } from './judged/report.ts';
import { askRival, makeRival } from './judged/rival.ts';
import { type Outcome, shareOf, shareText } from './judged/score.ts';
import { findStrays, numberedTexts } from './judged/foreign-places.ts';
import { Bench, say, turns } from './search/bench.ts';

// Judged searches over real extracts, in the states that an installation goes through, beside PostgreSQL's own search;
// then places of other destinations in answers, and what the concierge's answers claim.
const KEYS = 40;
const STATES = ['right after the import', 'after a restart', 'after a new build'] as const;

const missing = EXTRACTS.filter((extract) => !existsSync(extractFile(extract)));
if (missing.length > 0) {
  say(`Skipped: there is no real data in ../shared/data (${missing.join(', ')}).`);
} else if (spawnSync('osmium', ['--version']).status !== 0) {
  say('Skipped: osmium is needed to tell what is right: apt-get install osmium-tool.');
} else {
  await Bench.with(run);
}

async function run(bench: Bench): Promise<void> {
  const dataDir = join(bench.folder, 'data');
  const [keys, partnerKeys] = [join(bench.folder, 'keys'), join(bench.folder, 'partner-keys')];
  const start = (env: Record<string, string>) =>
    bench.start('waypost', { DATA_DIR: dataDir, DEMO: 'off', ...env });
  let server = await start({
    ...{ BENCH_PLACES: '0', BENCH_KEY_COUNT: String(KEYS) },
    ...{ BENCH_KEYS: keys, BENCH_PARTNER_KEYS: partnerKeys },
  });
  const key = turns((await readFile(keys, 'utf8')).split('\n'));
  const partnerKey = (await readFile(partnerKeys, 'utf8')).split('\n')[0] ?? '';
  say('Importing the extracts into the running service …');
  const reading = Promise.all(
    EXTRACTS.map(async (extract) => [extract, await readObjects(extract, bench.folder)] as const),
  );
  await importExtracts(dataDir);
  const database = await openEmbeddedPostgres({ dataDir, role: 'tool', note: () => undefined });
  const pool = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  const search: Ask = (text, city) => idsFound(server.port, key(), text, city);
  try {
    const places = await readPlaces(pool);
    await whenFollowed(server.port, places.filter(({ open }) => open).length);
    const maps = new Map(await reading);
    const judge = new Judge(places, maps);
    const states: { state: string; outcomes: Outcome[] }[] = [];
    for (const state of STATES) {
      if (state !== STATES[0]) await bench.stop(server);
      if (state === STATES[2]) await rm(join(dataDir, 'index'), { recursive: true });
      if (state !== STATES[0]) server = await start({ BENCH_PLACES: String(places.length) });
      const outcomes = await judge.askAll(search);
      states.push({ state, outcomes });
      say(`${state}: ${shareText(shareOf(outcomes))} (${Math.round(performance.now() / 1000)} s)`);
    }
    await makeRival(pool);
    const rival = await judge.askAll((text, destination) => askRival(pool, text, destination));
    const texts = numberedTexts(places);
    const strays = await findStrays(places, texts, search, (city) => idsOfAll(server.port, key, city));
    const claims = await checkClaims({ port: server.port, key: partnerKey }, judge, places, maps);
    report({ states, rival, strays, texts: texts.length, claims });
  } finally {
    await pool.end();
    await database.release();
  }
}
