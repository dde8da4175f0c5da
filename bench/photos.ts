import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashApiKey } from '../src/accounts/keys/api-key.ts';
import { systemClock } from '../src/core/clock.ts';
import { connect, type Pool } from '../src/core/postgres/db.ts';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { createNewId } from '../src/core/ids.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { creditTopUp, openTopUp } from '../src/wallet/top-up.ts';
import { buyBare, type BareLicence } from './bare/bare-licence.ts';
import { httpRequest, sendEach } from './load.ts';
import { median, startServer, stopServer } from './measure.ts';
import { writeResults } from './results.ts';

// Licences over HTTP against a bare client that runs the same transaction on the same PostgreSQL, in turns: on one photo
// at a time, where every buyer waits for the one before, and on as many photos as there are licences.
const USER_AGENT = 'WaypostBench/1.0 (+https://waypost.example/bench)';
const ROUNDS = 5;
const LICENCES = Number(process.env['BENCH_LICENCES'] ?? '400');
const CONNECTIONS = 32;
const POOL = 10;
const DROP = 40;
const PHOTOGRAPHERS = 200;
const MODES = ['one photo', 'many photos'] as const;
// Every run begins with another agent: one that always came last in a drop would soon have spent its day's money.
const AGENTS_ON = 7;
let firstAgent = 0;

const newId = createNewId(systemClock);
const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
const server = new URL('servers/waypost.ts', import.meta.url).pathname;
const keysFile = join(folder, 'keys');
const env = { DATA_DIR: folder, BENCH_PLACES: '500', BENCH_KEYS: keysFile, DATABASE_POOL: String(POOL) };
const service = await startServer(server, env);
const database = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const pool = connect(database.url, { max: POOL, statementTimeoutMs: 15_000 });
try {
  const keys = (await readFile(keysFile, 'utf8')).split('\n');
  const agents = await fillWallets(pool, keys);
  const members = await makeMembers(pool);
  const ratios = new Map<string, { ours: number; bare: number }[]>(MODES.map((mode) => [mode, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const mode of MODES) {
      const bare = LICENCES / (await runBare(await makeLicences(pool, agents, members, mode)));
      const ours =
        LICENCES / (await runService(await makeLicences(pool, agents, members, mode), keys, agents));
      // The first round warms both.
      if (round >= 0) ratios.get(mode)?.push({ ours, bare });
      process.stdout.write(`${mode}: ${Math.round(ours)} : ${Math.round(bare)} licences/s\n`);
    }
  }
  const { faults, licences } = await verifyLedger(pool);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  report(ratios, licences);
} finally {
  await pool.end();
  await stopServer(service.child);
  await database.release();
  await rm(folder, { recursive: true, force: true });
}

/** Gives each agent more than it may spend in a day. */
async function fillWallets(db: Pool, keys: readonly string[]): Promise<string[]> {
  const agents: string[] = [];
  for (const key of keys) {
    const [row] = await db<
      { id: string }[]
    >`select agent_id as id from api_key where hash = ${hashApiKey(key)}`;
    const agentId = row?.id ?? '';
    const ctx = { newId, now: systemClock.now() };
    await db.begin(async (sql) => {
      const { id } = await openTopUp(sql, ctx, agentId, 50_000);
      await creditTopUp(sql, ctx, id, { reference: id, book: 'money', amountCents: 50_000 });
    });
    agents.push(agentId);
  }
  return agents;
}

async function makeMembers(db: Pool): Promise<string[]> {
  const members = Array.from({ length: PHOTOGRAPHERS }, () => newId('mem'));
  await db`
    insert into member (id, email, display_name, created_at)
    select id, id || '@bench.example', 'Bench', now() from unnest(${members}::text[]) as m (id)`;
  // Their accounts are opened before anything is measured, as they are in a service that has run for a while.
  await db`
    insert into ledger_account (id, balance_cents)
    select 'photographer_payable:' || id, 0 from unnest(${members}::text[]) as m (id)`;
  return members;
}

/** What is to be bought, on photos of its own: drops of 40 one after the other, or one photo for each. */
async function makeLicences(
  db: Pool,
  agents: readonly string[],
  members: readonly string[],
  mode: (typeof MODES)[number],
): Promise<BareLicence[]> {
  const photos = Array.from({ length: mode === 'one photo' ? LICENCES / DROP : LICENCES }, () =>
    newId('pho'),
  );
  await db.begin(async (sql) => {
    await sql`
      insert into photo (id, member_id, place_id, state, month, width, height, sha256, bytes, phash, upload_sha256, generated,
        price_social, drop_cap, created_at, updated_at)
      select id, (${members}::text[])[1 + at % ${members.length}], null, 'to_check', '2026-09', 4000, 3000,
        sha256(id::bytea), 1000, ${'0'.repeat(64)}::bit(64), sha256(id::bytea), true, 1, ${DROP}, now(), now()
      from unnest(${photos}::text[]) with ordinality as p (id, at)`;
    await sql`
      insert into photo_check (photo_id, decision, generated, decided_at)
      select id, 'approved', true, now() from unnest(${photos}::text[]) as p (id)`;
    await sql`
      update photo set state = 'live', live_at = now(), ends_at = now() + interval '3 days', drop_number = 1,
        place_id = (select min(id) from place)
      where id = any(${photos})`;
  });
  await db`vacuum analyze photo`;
  const first = (firstAgent += AGENTS_ON);
  return Array.from({ length: LICENCES }, (_, n) => {
    const at = mode === 'one photo' ? Math.floor(n / DROP) : n;
    const ulid = newId('lic').slice(4);
    return {
      agentId: agents[(first + n) % agents.length] ?? '',
      photoId: photos[at] ?? '',
      memberId: members[(at + 1) % members.length] ?? '',
      key: ulid,
      ulid,
    };
  });
}

async function runBare(licences: readonly BareLicence[]): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  const work = async () => {
    for (let one = licences[next++]; one !== undefined; one = licences[next++]) await buyBare(pool, one);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return (performance.now() - startedAt) / 1000;
}

function runService(
  licences: readonly BareLicence[],
  keys: readonly string[],
  agents: readonly string[],
): Promise<number> {
  const keyOf = new Map(agents.map((agentId, n) => [agentId, keys[n] ?? '']));
  const requests = licences.map(({ agentId, photoId, key }) =>
    httpRequest(
      'POST',
      '/api/agent/photos/license',
      service.port,
      {
        'user-agent': USER_AGENT,
        'content-type': 'application/json',
        authorization: `Bearer ${keyOf.get(agentId) ?? ''}`,
      },
      JSON.stringify({ photo_id: photoId, use: 'social', max_price_cents: 5_000, idempotency_key: key }),
    ),
  );
  return sendEach(service.port, requests, CONNECTIONS, 201);
}

function report(
  ratios: ReadonlyMap<string, readonly { ours: number; bare: number }[]>,
  licences: number,
): void {
  const rows = [...ratios].map(([mode, rounds]) => {
    const [ours, bare] = [median(rounds.map((one) => one.ours)), median(rounds.map((one) => one.bare))];
    return { mode, ours, bare, ratio: median(rounds.map((one) => one.ours / one.bare)) };
  });
  const lines = [
    `\`POST /api/agent/photos/license\` over ${CONNECTIONS} connections against a bare client with the same statements on the same PostgreSQL, ${POOL} database connections each; median of ${ROUNDS} rounds of ${LICENCES.toLocaleString('en')} licences in turns. Every answer was a 201, and the ledger with its ${licences.toLocaleString('en')} licences fits.`,
    '',
    '| licences/s | Waypost, over HTTP | bare client | ratio (bar: 0.4) |',
    '|---|--:|--:|--:|',
    ...rows.map(
      ({ mode, ours, bare, ratio }) =>
        `| ${mode} | ${Math.round(ours).toLocaleString('en')} | ${Math.round(bare).toLocaleString('en')} | **${ratio.toFixed(2)}** |`,
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  writeResults('Photos: licences from a wallet', lines);
}
