import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentRead, partnerCall } from '../../src/metering/metered-call.ts';
import { takeFromRows } from '../../src/metering/metered-rows.ts';
import { PARTNER_PLANS } from '../../src/metering/plans.ts';
import { until } from '../harness/service/jobs.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';

const first = await startTestService();
const second = await startTestService({ database: first.database });
const { pool } = first.database;
const nodes = [first, second];

async function readsCounted(agentId: string): Promise<number[]> {
  const rows = await pool<{ day: number; minute: number }[]>`
    select used::int as day, minute_used as minute from rate_window where kind = 'reads' and name = ${agentId}`;
  return rows.flatMap(({ day, minute }) => [day, minute]);
}

async function callsCounted(partnerId: string): Promise<{ calls: number; minute: number; tool: number }> {
  const [row] = await pool<{ calls: number; minute: number; tool: number }[]>`
    select used::int as calls, minute_used as minute, (by_tool->'search_places'->>0)::int as tool
    from rate_window where kind = 'calls' and name = ${partnerId}`;
  return row ?? { calls: 0, minute: 0, tool: 0 };
}

function read({ app, clock }: TestService, agentId: string) {
  return app.deps.meter.take(agentRead({ id: agentId, plan: 'growth' }, clock.now()));
}

function call({ app, clock }: TestService, partnerId: string) {
  const partner = { id: partnerId, plan: 'platform', spendLimitCents: null } as const;
  return app.deps.meter.take(partnerCall(partner, { tool: 'search_places', price: 200 }, clock.now()));
}

/** Prefetched calls that lapsed and are being returned still count as used for a moment. */
function assertNear(remaining: number | undefined, expected: number): void {
  assert.ok(
    remaining !== undefined && remaining <= expected && remaining >= expected - 64,
    `${remaining} of ${expected}`,
  );
}

test('a busy agent is counted ahead, never told more than is left, and in the end what it read is counted', async () => {
  let ahead = 0;
  for (let made = 1; made <= 200; made++) {
    const {
      refusedBy,
      windows: [day, minute],
    } = await read(first, 'busy');
    assert.equal(refusedBy, undefined);
    assertNear(minute?.remaining, 600 - made);
    assertNear(day.remaining, 20_000 - made);
    if (made % 10 === 0) ahead = Math.max(ahead, ((await readsCounted('busy'))[0] ?? 0) - made);
  }
  assert.ok(ahead > 0, 'nothing was counted ahead');
  await until('the rest is given back', async () => (await readsCounted('busy')).join() === '200,200');
});

test('the account shows the calls that were made, even while others are being made', async () => {
  for (let made = 1; made <= 60; made++) {
    await read(first, 'looking');
    if (made % 20 !== 0) continue;
    const now = first.clock.now();
    const looking = agentRead({ id: 'looking', plan: 'growth' }, now);
    const [day] = (await first.app.deps.meter.peek(looking)).windows;
    assert.equal(day.remaining, 20_000 - made);
  }
});

test('whatever two nodes hold of it, a minute of 600 serves 600 and refuses the 601st', async () => {
  const outcomes: boolean[] = [];
  const worker = async (node: TestService) => {
    for (let i = 0; i < 90; i++) outcomes.push((await read(node, 'both')).refusedBy === undefined);
  };
  await Promise.all(Array.from({ length: 8 }, (_, i) => worker(nodes[i % 2] as TestService)));
  assert.equal(outcomes.filter(Boolean).length, 600);
  assert.deepEqual(await readsCounted('both'), [600, 600]);
});

test('calls of a busy partner are counted ahead by tool, and given back when it rests', async () => {
  const { partnerId } = await addTestPartner(first, { plan: 'platform' });
  let ahead = 0;
  for (let made = 1; made <= 200; made++) {
    const { refusedBy, windows } = await call(first, partnerId);
    assert.equal(refusedBy, undefined);
    assertNear(windows[0].remaining, 600 - made);
    assertNear(windows[1]?.remaining, 1_000_000 - made);
    if (made % 10 === 0) ahead = Math.max(ahead, (await callsCounted(partnerId)).calls - made);
  }
  assert.ok(ahead > 0, 'nothing was counted ahead');
  await until('the rest is given back', async () => {
    const { calls, minute, tool } = await callsCounted(partnerId);
    return calls === 200 && minute === 200 && tool === 200;
  });
});

test('a partner on two nodes gets its 600 calls of a minute, and not one more', async () => {
  const { partnerId } = await addTestPartner(first, { plan: 'platform' });
  const outcomes: boolean[] = [];
  const worker = async (node: TestService) => {
    for (let i = 0; i < 90; i++) outcomes.push((await call(node, partnerId)).refusedBy === undefined);
  };
  await Promise.all(Array.from({ length: 8 }, (_, i) => worker(nodes[i % 2] as TestService)));
  assert.equal(outcomes.filter(Boolean).length, 600);
  assert.deepEqual(await callsCounted(partnerId), { calls: 600, minute: 600, tool: 600 });
});

test('near the end of what a month includes nothing is counted ahead, because what follows costs money', async () => {
  const { partnerId } = await addTestPartner(first, { plan: 'platform' });
  await call(first, partnerId);
  const near = PARTNER_PLANS.platform.included - 900;
  await pool`
    update rate_window set used = ${near}, by_tool = jsonb_set(by_tool, '{search_places,0}', to_jsonb(${near}::int))
    where kind = 'calls' and name = ${partnerId}`;
  for (let lease = 0; lease < 2; lease++) await first.app.deps.lease.lapsed();
  for (let made = 1; made <= 50; made++) {
    await call(first, partnerId);
    assert.equal((await callsCounted(partnerId)).calls, near + made);
  }
});

/** As if a partner had made these calls before the month was half over. */
async function alreadyUsed(partnerId: string, tool: string, calls: number): Promise<void> {
  await pool`
    insert into rate_window (kind, name, starts_at, ends_at, used, by_tool, ceiling)
    values ('calls', ${partnerId}, '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', ${calls},
            ${pool.json({ [tool]: [calls, 0, 0] })}, 10000)`;
}

async function bill(partnerId: string) {
  const [row] = await pool`
    select used::int as used, minute_used as minute, cost_millicents::int as cost, by_tool from rate_window
    where kind = 'calls' and name = ${partnerId}`;
  return { ...row };
}

test('a partner whose plan became smaller pays for the calls that it makes, and for none that was counted ahead', async () => {
  const { partnerId } = await addTestPartner(first, { plan: 'platform' });
  await alreadyUsed(partnerId, 'concierge_answer', 20_000);
  const { meter } = first.app.deps;
  const tool = { tool: 'concierge_answer', price: 3_000 };
  const large = { id: partnerId, plan: 'platform', spendLimitCents: null } as const;
  const small = { id: partnerId, plan: 'directory', spendLimitCents: 5_000 } as const;
  for (const partner of [large, small]) await meter.take(partnerCall(partner, tool, first.clock.now()));
  await meter.settle(partnerId);
  const paid = { used: 20_002, minute: 2, cost: 3_000, by_tool: { concierge_answer: [20_002, 1, 3_000] } };
  assert.deepEqual(await bill(partnerId), paid);
  // Two plans in one batch, while a node has not yet heard of the change.
  await Promise.all([large, small].map(async (one) => meter.take(partnerCall(one, tool, first.clock.now()))));
  await meter.settle(partnerId);
  const more = { used: 20_004, minute: 4, cost: 6_000, by_tool: { concierge_answer: [20_004, 2, 6_000] } };
  assert.deepEqual(await bill(partnerId), more);
});

test('whatever is asked for ahead, only calls that came are paid for', async () => {
  const { partnerId } = await addTestPartner(first, { plan: 'directory' });
  await alreadyUsed(partnerId, 'search_places', 9_990);
  const partner = { id: partnerId, plan: 'directory', spendLimitCents: 5_000 } as const;
  const row = partnerCall(partner, { tool: 'search_places', price: 200 }, first.clock.now());
  const [within] = await takeFromRows(pool, [{ row, calls: 1, requested: 40 }]);
  assert.deepEqual([within?.minute.left, within?.whole.left], [10, 10]);
  const [past] = await takeFromRows(pool, [{ row, calls: 3, requested: 40 }]);
  assert.deepEqual([past?.minute.left, past?.whole.left], [3, 3]);
  const byTool = { search_places: [10_003, 3, 600] };
  assert.deepEqual(await bill(partnerId), { used: 10_003, minute: 13, cost: 600, by_tool: byTool });
});

test('two tools of a partner that are counted ahead are given back together, each its own', async () => {
  const { partnerId } = await addTestPartner(first, { plan: 'platform' });
  const partner = { id: partnerId, plan: 'platform', spendLimitCents: null } as const;
  const { meter } = first.app.deps;
  for (let made = 1; made <= 60; made++)
    await Promise.all(
      ['search_places', 'open_places'].map(async (tool) =>
        meter.take(partnerCall(partner, { tool, price: 200 }, first.clock.now())),
      ),
    );
  await meter.settle(partnerId);
  const [row] = await pool`
    select used::int as used, minute_used as minute, by_tool from rate_window
    where kind = 'calls' and name = ${partnerId}`;
  const byTool = { search_places: [60, 0, 0], open_places: [60, 0, 0] };
  assert.deepEqual({ ...row }, { used: 120, minute: 120, by_tool: byTool });
});

test('reads that come together around the turn of a minute are counted in both and in one day', async () => {
  const { meter } = first.app.deps;
  const agent = { id: 'turning', plan: 'free' } as const;
  const minute = first.clock.now().getTime();
  const quotas = await Promise.all(
    Array.from({ length: 8 }, async (_, i) =>
      meter.take(agentRead(agent, new Date(minute + (i % 2 === 0 ? 59_999 : 60_001)))),
    ),
  );
  assert.deepEqual(
    quotas.map(({ windows: [, inMinute] }) => inMinute?.remaining),
    [119, 119, 118, 118, 117, 117, 116, 116],
  );
  assert.deepEqual(await readsCounted('turning'), [8, 4]);
});

// The last test, because it ends the second node.
test('a node that is stopped gives back what it holds', async () => {
  for (let i = 0; i < 50; i++) await read(second, 'stopped');
  await second.close();
  assert.deepEqual(await readsCounted('stopped'), [50, 50]);
});
