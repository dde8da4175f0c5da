import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { issueKey } from '../../src/accounts/keys/key-owner.ts';
import { addPartner } from '../../src/accounts/partners/partner.ts';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { setStatementTimeout, connect } from '../../src/core/postgres/db.ts';
import { createNewId } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import { openDatabase, type Database } from '../../src/node/database.ts';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { searchPlacesForAgents } from '../../src/surfaces/agent/search-places.ts';
import { tuningOf } from '../../test/harness/service/tuning.ts';
import { serveSearchBySdk } from './sdk-search.ts';
import { makePostgresRival } from './postgres-rival.ts';
import { addPostgresSearch } from './postgres-search.ts';

// The whole service as it ships, with its guards, metrics and request log, on a free port. BENCH_KEYS names a file for
// the keys of so many agents (BENCH_KEY_COUNT) that no quota ends the run, BENCH_PARTNER_KEYS one for those of partners.
// BENCH_POSTGRES adds PostgreSQL as a rival, BENCH_SDK serves the search once more through the official SDK.
const RIVAL_CONNECTIONS = 8;
const KEYS = Number(process.env['BENCH_KEY_COUNT'] ?? '1000');
const settings = { ...process.env, PROBE_WEBSITES: 'off', PORT: '0', BASE_URL: 'http://localhost:3000' };
const config = parseConfig(settings, tuningOf(settings));
const database = await openDatabase(config, 'service', () => undefined);
const places = Number(process.env['BENCH_PLACES'] ?? '24000');
if ((await countPlaces(database)) !== places) {
  const before = performance.now();
  await loadDemo(database.pool, { places, seed: 1, now: systemClock.now(), progress: () => undefined });
  const seconds = (performance.now() - before) / 1000;
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`loaded in ${seconds.toFixed(1)} s with ${Math.round(peakMb)} MB\n`);
}
if (process.env['BENCH_KEYS'])
  writeFileSync(process.env['BENCH_KEYS'], (await makeAgents(database, KEYS)).join('\n'));
if (process.env['BENCH_PARTNER_KEYS'])
  writeFileSync(process.env['BENCH_PARTNER_KEYS'], (await makePartners(database, KEYS)).join('\n'));

if (process.env['BENCH_POSTGRES']) await makePostgresRival(database.pool);
const rival = connect(database.url, { max: RIVAL_CONNECTIONS, statementTimeoutMs: 60_000 });

const log = createLog('info', pino.destination({ dest: '/dev/null', sync: false, minLength: 12_288 }));
const startedAt = performance.now();
const app = await createApp({
  config,
  pool: database.pool,
  databaseUrl: database.url,
  clock: systemClock,
  log,
  mount: (http, deps) => {
    http.get('/bench/rebuild', async () => {
      const before = performance.now();
      await deps.places.rebuild();
      return { seconds: (performance.now() - before) / 1000 };
    });
    // PostgreSQL reports the counters of a connection at its next transaction, so each connection begins one here.
    http.get('/bench/statistics', async () => {
      await Promise.all(
        Array.from({ length: config.pools.write - 1 }, () =>
          deps.pool.begin((tx) => tx`select pg_stat_force_next_flush()`),
        ),
      );
      return {};
    });
    http.get('/bench/index', () => {
      const { places: held, fileBytes, cardBytes } = deps.places.size;
      return { places: held, file_bytes: fileBytes, card_bytes: cardBytes };
    });
    http.post<{ Body: { searches: Record<string, string>[] } }>('/bench/in-process', async ({ body }) => {
      const ms: number[] = [];
      for (const search of body.searches) {
        const before = performance.now();
        await searchPlacesForAgents.run({ deps } as never, search);
        ms.push(performance.now() - before);
      }
      return { ms };
    });
    if (process.env['BENCH_POSTGRES']) addPostgresSearch(http, deps, rival);
  },
});
await app.listen();
await app.deps.places.whenReady();
process.stdout.write(`ready after ${Math.round(performance.now() - startedAt)} ms\n`);
if (process.env['BENCH_SDK']) process.stdout.write(`sdk at ${await serveSearchBySdk(app.deps)}\n`);
process.stdout.write(`listening on ${(app.http.server.address() as AddressInfo).port}\n`);
process.on('SIGTERM', () => {
  void app
    .close()
    .then(() => rival.end())
    .then(() => database.close());
});

/** Millions of rows may take longer to count than a request may take. */
function countPlaces({ pool }: Database): Promise<number> {
  return pool.begin(async (tx) => {
    await setStatementTimeout(tx, 0);
    const [row] = await tx<{ count: number }[]>`select count(*)::int as count from place`;
    return row?.count ?? 0;
  });
}

async function makeAgents({ pool }: Database, count: number): Promise<string[]> {
  const newId = createNewId(systemClock);
  const now = systemClock.now();
  const keys: string[] = [];
  await pool.begin(async (sql) => {
    await sql`delete from agent where operator_email like '%@bench.example'`;
    for (let i = 0; i < count; i++) {
      const agentId = newId('agt');
      await sql`
        insert into agent (id, agent_name, operator_name, operator_email, purpose, plan, created_at)
        values (${agentId}, 'Bench', 'Bench', ${`agent-${i}@bench.example`}, 'Measures the service.', 'scale', ${now})`;
      keys.push(await issueKey(sql, config.prefix, { agentId }, now));
    }
  });
  return keys;
}

/** Partners of the largest plan: a minute of one has 600 calls. */
async function makePartners({ pool }: Database, count: number): Promise<string[]> {
  const newId = createNewId(systemClock);
  const now = systemClock.now();
  await pool`
    delete from rate_window where kind = 'calls' and name in (select id from partner where email like '%@bench.example')`;
  await pool`delete from partner where email like '%@bench.example'`;
  const keys: string[] = [];
  for (let i = 0; i < count; i++) {
    const partner = { email: `partner-${i}@bench.example`, name: 'Bench' };
    keys.push((await addPartner(pool, newId, now, config.prefix, partner)).apiKey);
  }
  await pool`update partner set plan = 'platform' where email like '%@bench.example'`;
  return keys;
}
