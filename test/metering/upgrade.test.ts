import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { READS_A_MINUTE, WRITES_A_DAY, WRITES_A_MINUTE } from '../../src/bookings/request/limits.ts';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/core/context.ts';
import { createNewId } from '../../src/core/ids.ts';
import { addressGroup } from '../../src/core/text/address-group.ts';
import type { RateLimit } from '../../src/core/operation.ts';
import { ceilingsOf, takeCeilings } from '../../src/metering/rate-limits.ts';
import { windowStart } from '../../src/metering/periods.ts';
import { rotateKey } from '../../src/surfaces/agent/account/rotate-key.ts';
import { signUp } from '../../src/surfaces/agent/account/sign-up.ts';
import { setWebhook } from '../../src/surfaces/concierge/set-webhook.ts';
import { signUpPartner } from '../../src/surfaces/partner/sign-up-partner.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { createTestDatabase } from '../harness/service/database.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const MIGRATION = '0023_one_meter.sql';
const NOW = '2026-11-14T12:00:00Z';

const database = await createTestDatabase('template0');
const { pool } = database;
after(() => database.drop());
const newId = createNewId({ now: () => new Date(NOW) });
const agentId = newId('agt');
const partnerId = newId('ptn');

const ADDRESS = '192.0.2.1';
const SETTINGS = ['SIGNUPS', 'PARTNER_SIGNUPS', 'REGISTRATIONS', 'WEBHOOK_CHANGES'];
const config = parseConfig(Object.fromEntries(SETTINGS.map((name) => [`${name}_PER_HOUR`, '60'])));
const agent = { kind: 'agent', id: agentId, plan: 'free', address: addressGroup(ADDRESS) } as const;
/** Some keep theirs to themselves. */
const OWN = { code: 'rate_limited', windowMs: HOUR_MS, max: () => 60, message: '', counts: 'calls' } as const;
const REGISTRATIONS: RateLimit = { ...OWN, name: 'registrations' };
const CLAIMS: RateLimit = { ...OWN, name: 'claim_page' };

/** What was counted by which name, for whom it is counted now, and under which ceilings. */
const CEILINGS = [
  [`bookings/reads-minute/${partnerId}`, partnerId, READS_A_MINUTE],
  [`bookings/writes-minute/${partnerId}`, partnerId, WRITES_A_MINUTE],
  [`bookings/writes-day/${partnerId}`, partnerId, WRITES_A_DAY],
  [`set_webhook/${partnerId}`, partnerId, first(setWebhook.rateLimits)],
  [`sign_up_partner/address:${ADDRESS}`, `address:${ADDRESS}`, first(signUpPartner.rateLimits)],
  [`sign_up/address:${ADDRESS}`, `address:${ADDRESS}`, first(signUp.rateLimits)],
  [`oauth_register/${ADDRESS}`, `address:${ADDRESS}`, REGISTRATIONS],
  [`claim_page/${ADDRESS}`, `address:${ADDRESS}`, CLAIMS],
  [`writes-minute/${agentId}`, agentId, first(ceilingsOf(rotateKey, agent))],
] as const;

function first(ceilings: readonly RateLimit[] = []): RateLimit {
  assert.ok(ceilings[0]);
  return ceilings[0];
}

/** A database as an installation has it that was not upgraded yet. */
async function migrateUntil(name: string): Promise<void> {
  const files = (await readdir(FOLDER)).filter((file) => file < name).sort();
  for (const file of files) await pool.unsafe(await readFile(new URL(file, FOLDER), 'utf8'));
  await pool`
    insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at)
    values (${agentId}, 'Agent', 'Operator', 'operator@operator.example', 'To have read before.', ${NOW})`;
  await pool`
    insert into partner (id, name, email, created_at) values (${partnerId}, 'Partner', 'p@partner.example', ${NOW})`;
}

test('an upgrade keeps what was counted and billed: minutes, days, months, sessions and ceilings', async () => {
  await migrateUntil(MIGRATION);
  for (const [name, from, to, used, ceiling] of [
    [`reads-day/${agentId}`, '2026-11-13T00:00:00Z', '2026-11-14T00:00:00Z', 88, 100],
    [`reads-day/${agentId}`, '2026-11-14T00:00:00Z', '2026-11-15T00:00:00Z', 70, 100],
    [`reads-minute/${agentId}`, '2026-11-14T11:59:00Z', '2026-11-14T12:00:00Z', 9, 120],
    [`reads-minute/${agentId}`, '2026-11-14T12:00:00Z', '2026-11-14T12:01:00Z', 5, 120],
    ...CEILINGS.map(([name, , { windowMs }], i) => {
      const startMs = windowStart(windowMs, new Date(NOW));
      return [name, new Date(startMs), new Date(startMs + windowMs), i + 1, 60] as const;
    }),
  ] as const)
    await pool`
      insert into rate_window (name, starts_at, ends_at, used, ceiling)
      values (${name}, ${from}, ${to}, ${used}, ${ceiling})`;
  for (const [month, calls, cost, byTool] of [
    ['2026-10-01', 10_010, 2_000, { search_places: [10_010, 10, 2_000] }],
    ['2026-11-01', 40, 0, { search_places: [30, 0, 0], open_places: [10, 0, 0] }],
  ] as const)
    await pool`
      insert into partner_month (partner_id, month, minute_at, minute_used, calls, cost_millicents, by_tool, last_tool,
                                 price, minute_limit, allowance, spend_limit)
      values (${partnerId}, ${month}, ${NOW}, 4, ${calls}, ${cost}, ${pool.json(byTool)}, 'search_places', 200, 30,
              10000, 5000000)`;
  await pool`
    insert into call_window (name, minute_at, used, all_used)
    values ('address/192.0.2.1', ${NOW}, 2, 7), ('session/abc', ${NOW}, 5, 12)`;

  await pool.unsafe(await readFile(new URL(MIGRATION, FOLDER), 'utf8'));

  const rows = await pool<{ row: string }[]>`
    select concat_ws(' ', kind, name, to_char(starts_at at time zone 'UTC', 'MM-DD HH24:MI'),
                     to_char(ends_at at time zone 'UTC', 'MM-DD HH24:MI'), used, minute_used, cost_millicents) as row
    from rate_window where kind <> 'ceiling' order by kind, name, starts_at`;
  assert.deepEqual(
    rows.map(({ row }) => row),
    [
      `calls ${partnerId} 10-01 00:00 11-01 00:00 10010 4 2000`,
      `calls ${partnerId} 11-01 00:00 12-01 00:00 40 4 0`,
      `reads ${agentId} 11-13 00:00 11-14 00:00 88 0 0`,
      `reads ${agentId} 11-14 00:00 11-15 00:00 70 5 0`,
      'unkeyed address/192.0.2.1 11-14 12:00 11-14 12:01 7 2 0',
      'unkeyed session/abc 11-14 12:00 11-14 12:01 5 0 0',
    ],
  );
  const usage = await pool<{ row: string }[]>`
    select concat_ws(' ', partner_id, month, tool, calls, overage_calls, cost_millicents) as row
    from partner_usage order by month, tool`;
  assert.deepEqual(
    usage.map(({ row }) => row),
    [
      `${partnerId} 2026-10-01 search_places 10010 10 2000`,
      `${partnerId} 2026-11-01 open_places 10 0 0`,
      `${partnerId} 2026-11-01 search_places 30 0 0`,
    ],
  );
  for (const [i, [before, countedFor, ceiling]] of CEILINGS.entries()) {
    const headers: Record<string, string> = {};
    const deps = { config } as Deps;
    await takeCeilings({ db: pool, deps, now: new Date(NOW), countedFor, headers }, [ceiling]);
    const left = ceiling.max(deps) - (i + 1) - 1;
    assert.match(headers['ratelimit'] ?? '', new RegExp(`;r=${left};`), `${before} as ${ceiling.name}`);
  }
  const { count } = await pool`select from rate_window where kind = 'ceiling'`;
  assert.equal(count, CEILINGS.length);
});
