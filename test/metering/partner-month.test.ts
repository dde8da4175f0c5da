import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partnerCall } from '../../src/metering/metered-call.ts';
import { usageByMonth } from '../../src/metering/partner-usage.ts';
import { rpc, type RpcAnswer } from '../harness/clients/mcp.ts';
import { addTestPartner, PARTNER_MCP } from '../harness/people/partner.ts';
import { startTestService } from '../harness/service/service.ts';

const first = await startTestService({ demoPlaces: 300 });
const second = await startTestService({ database: first.database });
const { pool } = first.database;
const NEXT_MONTH_SECONDS = (Date.parse('2026-12-01T00:00:00Z') - first.clock.now().getTime()) / 1000;

function call(index: number, headers: Record<string, string>, tool = 'search_places'): Promise<RpcAnswer> {
  const params = { name: tool, arguments: tool === 'search_places' ? { destination: 'bali', limit: 1 } : {} };
  return rpc(index % 2 === 0 ? first : second, PARTNER_MCP, { id: 1, method: 'tools/call', params }, headers);
}

/** As if these calls had been made earlier in the month. */
async function alreadyUsed(partnerId: string, calls: number): Promise<void> {
  const byTool = { search_places: [calls, 0, 0] };
  await pool`
    insert into rate_window (kind, name, starts_at, ends_at, used, by_tool, ceiling)
    values ('calls', ${partnerId}, '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', ${calls}, ${pool.json(byTool)}, 10000)`;
}

interface Usage {
  calls: { used: number; included: number; remaining: number; by_tool: Record<string, number> };
  overage: Record<string, unknown>;
  per_minute: { limit: number; remaining: number };
  [member: string]: unknown;
}

async function usage(headers: Record<string, string>): Promise<Usage> {
  const response = await first.request('/api/partner/usage', { headers });
  assert.equal(response.status, 200);
  return (await response.json()) as Usage;
}

function assertMonthlyLimit({ status, body, headers }: RpcAnswer, words: RegExp): void {
  assert.equal(status, 429);
  assert.equal(body.error?.code, 42900);
  assert.equal(body.error.data?.['code'], 'monthly_quota_exhausted');
  assert.match(`${body.error.message} ${String(body.error.data['hint'])}`, words);
  assert.equal(headers.get('retry-after'), String(NEXT_MONTH_SECONDS));
}

test('the 10,001st call of a month is refused on the free plan, on two nodes, and the next month begins anew', async () => {
  const { headers, partnerId } = await addTestPartner(first);
  await alreadyUsed(partnerId, 9_990);
  const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => call(i, headers)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  for (const refused of answers.filter(({ status }) => status !== 200))
    assertMonthlyLimit(refused, /used up.*first of the month.*\/partner/);
  const { calls, overage } = await usage(headers);
  assert.deepEqual(calls, {
    used: 10_000,
    included: 10_000,
    remaining: 0,
    by_tool: { search_places: 10_000 },
  });
  assert.equal(overage['cost_millicents'], 0);
  second.clock.advance(NEXT_MONTH_SECONDS * 1000);
  const params = { name: 'list_destinations', arguments: {} };
  const fresh = await rpc(second, PARTNER_MCP, { id: 1, method: 'tools/call', params }, headers);
  assert.equal(fresh.status, 200);
  assert.match(fresh.headers.get('ratelimit') ?? '', /"month";r=9999;/);
  second.clock.advance(-NEXT_MONTH_SECONDS * 1000);
});

test("a partner's months count nobody else's calls", async () => {
  const [quiet, busy] = [await addTestPartner(first), await addTestPartner(first)];
  await alreadyUsed(quiet.partnerId, 7);
  await alreadyUsed(busy.partnerId, 700);
  const months = await usageByMonth(pool, quiet.partnerId, first.clock.now(), 2);
  assert.deepEqual(
    months.map(({ month, calls }) => ({ month, calls })),
    [
      { month: '2026-10-01', calls: 0 },
      { month: '2026-11-01', calls: 7 },
    ],
  );
});

for (const [plan, included] of [
  ['partner', 250_000],
  ['platform', 1_000_000],
] as const) {
  test(`call ${included + 1} of a month is refused on the ${plan} plan`, async () => {
    const { headers, partnerId } = await addTestPartner(first, { plan });
    await alreadyUsed(partnerId, included - 1);
    assert.equal((await call(0, headers)).status, 200);
    assertMonthlyLimit(await call(1, headers), /used up/);
  });
}

test('with pay-per-call on, what lies past the allowance is paid by its price to the thousandth of a cent', async () => {
  const { headers, partnerId } = await addTestPartner(first, { payPerCall: true });
  await alreadyUsed(partnerId, 9_998);
  const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => call(i, headers)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.equal((await call(0, headers, 'list_destinations')).status, 200);
  const payer = { id: partnerId, plan: 'free', spendLimitCents: 5000 } as const;
  const answer = partnerCall(payer, { tool: 'concierge_answer', price: 3_000 }, first.clock.now());
  const quota = await first.app.deps.meter.take(answer);
  assert.equal(quota.refusedBy, undefined);
  const told = await usage(headers);
  assert.deepEqual(told.overage, {
    directory_calls: 4,
    concierge_calls: 1,
    cost_cents: 3,
    cost_millicents: 3 * 200 + 3_000,
    pay_per_call: true,
    spend_limit_cents: 5000,
  });
  assert.deepEqual(told.calls.by_tool, { search_places: 10_003, concierge_answer: 1, list_destinations: 1 });
  const [row] = await pool<{ calls: number; cost: number }[]>`
    select used::int as calls, cost_millicents::int as cost from rate_window
    where kind = 'calls' and name = ${partnerId}`;
  assert.deepEqual({ ...row }, { calls: 10_005, cost: 3_600 });
});

test('the spend limit is never passed, on two nodes, and what costs nothing goes on', async () => {
  const { headers, partnerId } = await addTestPartner(first, { payPerCall: true, spendLimitCents: 1 });
  await alreadyUsed(partnerId, 10_000);
  const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => call(i, headers)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  for (const refused of answers.filter(({ status }) => status !== 200))
    assertMonthlyLimit(refused, /spend limit.*Nothing was charged.*raise the limit/);
  assert.equal((await call(1, headers, 'list_destinations')).status, 200);
  assert.equal((await usage(headers)).overage['cost_millicents'], 1_000);
});

test('on the directory and the concierge plan paying by the call is part of the plan', async () => {
  for (const plan of ['directory', 'concierge'] as const) {
    const { headers, partnerId } = await addTestPartner(first, { plan });
    await alreadyUsed(partnerId, 10_000);
    const answer = await call(0, headers);
    assert.equal(answer.status, 200);
    assert.ok(
      !(answer.headers.get('ratelimit') ?? '').includes('month'),
      'nobody is told that nothing is left',
    );
    assert.equal((await usage(headers)).overage['cost_millicents'], 200);
  }
});

test('usage is told by tool, with the minute and the month, and only to whoever has the key', async () => {
  const { headers, partnerId } = await addTestPartner(first, { plan: 'platform' });
  for (let i = 0; i < 3; i++) await call(i, headers);
  await call(0, headers, 'list_destinations');
  const { attribution, attribution_links: _links, ...told } = await usage(headers);
  assert.match(String(attribution), /OpenStreetMap/);
  assert.deepEqual(told, {
    partner_id: partnerId,
    plan: 'platform',
    period: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
    calls: {
      used: 4,
      included: 1_000_000,
      remaining: 999_996,
      by_tool: { search_places: 3, list_destinations: 1 },
    },
    per_minute: { limit: 600, remaining: 596 },
    overage: {
      directory_calls: 0,
      concierge_calls: 0,
      cost_cents: 0,
      cost_millicents: 0,
      pay_per_call: false,
      spend_limit_cents: null,
    },
    bookings: {
      ...{ enabled: false, originated: 0, confirmed: 0, revenue_share_pct: 10, revenue_share_cents: 0 },
      record: { came: 0, absent: 0, late_cancellations: 0, limits_lowered: false },
    },
  });
  assert.equal((await first.request('/api/partner/usage')).status, 401);
  const wrong = { headers: { 'x-partner-key': 'svc_partner_wrong' } };
  assert.equal((await first.request('/api/partner/usage', wrong)).status, 401);
});

test('a suspended partner is 403 on every node at once', async () => {
  const { headers, partnerId } = await addTestPartner(first);
  assert.equal((await call(0, headers)).status, 200);
  await pool`update partner set status = 'suspended' where id = ${partnerId}`;
  await first.app.deps.lease.lapsed();
  for (const index of [0, 1]) {
    const { status, body } = await call(index, headers);
    assert.equal(status, 403);
    assert.equal(body.error?.code, 40300);
  }
});

test("the database's total equals the sum of its counts by tool", async () => {
  const rows = await pool`
    select from rate_window w where w.kind = 'calls' and (w.used, w.cost_millicents) <> (
      select coalesce(sum(u.calls), 0), coalesce(sum(u.cost_millicents), 0) from partner_usage u
      where u.partner_id = w.name and u.month = (w.starts_at at time zone 'UTC')::date)`;
  assert.equal(rows.count, 0);
});
