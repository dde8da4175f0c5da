import { hashToken } from '../../src/core/secret/token.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createNewId } from '../../src/core/ids.ts';
import type { Pool } from '../../src/core/postgres/db.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { creditTopUp, openTopUp } from '../../src/wallet/top-up.ts';
import { withWriteBench } from './against-bare.ts';
import { agentRequest } from './agent-request.ts';
import { buyBare, type BareLicence } from './bare-licence.ts';

// Licences: on one photo at a time, where every buyer waits for the one before, and on as many photos as there are licences.
const LICENCES = Number(process.env['BENCH_LICENCES'] ?? '400');
const DROP = 40;
const PHOTOGRAPHERS = 200;
const MODES = ['one photo', 'many photos'] as const;
// Every run begins with another agent: one that always came last in a drop would soon have spent its day's money.
const AGENTS_ON = 7;
let firstAgent = 0;

const newId = createNewId(systemClock);
await withWriteBench({}, async ({ pool, port, keys, compare }) => {
  const agents = await fillWallets(pool, keys);
  const members = await makeMembers(pool);
  const keyOf = new Map(agents.map((agentId, n) => [agentId, keys[n] ?? '']));
  const words = '`POST /api/agent/photos/license`; every answer was a 201, and the ledger fits.';
  await compare(
    'Photos: licences from a wallet',
    words,
    MODES.map((mode) => ({
      name: mode,
      make: () => makeLicences(pool, agents, members, mode),
      bare: buyBare,
      request: ({ agentId, photoId, key }: BareLicence) =>
        agentRequest(port, '/api/agent/photos/license', keyOf.get(agentId), {
          photo_id: photoId,
          use: 'social',
          max_price_cents: 5_000,
          idempotency_key: key,
        }),
      status: 201,
    })),
  );
  const { faults } = await verifyLedger(pool);
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

/** Gives each agent more than it may spend in a day. */
async function fillWallets(db: Pool, keys: readonly string[]): Promise<string[]> {
  const agents: string[] = [];
  for (const key of keys) {
    const [row] = await db<
      { id: string }[]
    >`select agent_id as id from api_key where hash = ${hashToken(key)}`;
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

/** Makes photos to be licensed: drops of 40 one after the other, or one photo for each licence. */
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
