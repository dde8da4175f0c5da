import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeCheckout } from '../../src/accounts/partners/plan-checkout.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { DAY_MS } from '../../src/core/time.ts';

const service = await startTestService({ settings: { TEST_PAYMENTS: 'on' } });
const { pool } = service.database;

function call(apiKey: string, path: string, body?: object): Promise<Response> {
  return service.request(path, {
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

async function ask(apiKey: string, plan: string): Promise<Record<string, unknown>> {
  const response = await call(apiKey, '/api/agent/me/plan', { plan });
  assert.equal(response.status, 201);
  return (await response.json()) as Record<string, unknown>;
}

async function buy(apiKey: string, plan: string): Promise<boolean> {
  const { checkout_id } = await ask(apiKey, plan);
  const paid = await pool.begin((sql) =>
    completeCheckout(sql, String(checkout_id), 'test', service.clock.now()),
  );
  await service.app.deps.lease.lapsed();
  return paid;
}

async function planOf(apiKey: string): Promise<[name: string, limit: number, paidUntil: string | null]> {
  const response = await call(apiKey, '/api/agent/me');
  const { plan, quota } = (await response.json()) as {
    plan: { name: string; paid_until: string | null };
    quota: { limit: number };
  };
  return [plan.name, quota.limit, plan.paid_until];
}

test('each plan has a checkout with its price, and nothing changes before it is paid', async () => {
  const { apiKey } = await signUpAgent(service);
  const plans = [
    ['starter', 999, 2_000, false],
    ['growth', 1_999, 20_000, false],
    ['scale', 5_000, 200_000, true],
  ] as const;
  for (const [name, cents, reads, beta] of plans) {
    const { plan, checkout_id, ...rest } = await ask(apiKey, name);
    const { reads_per_day, beta: withBeta } = plan as { reads_per_day: number; beta: boolean };
    assert.deepEqual([reads_per_day, withBeta], [reads, beta]);
    assert.deepEqual(rest, {
      status: 'awaiting_payment',
      checkout_url: `https://waypost.example/pay/${String(checkout_id)}`,
      amount_cents: cents,
      currency: 'USD',
      expires_at: '2026-11-15T12:00:00.000Z',
      attribution: rest['attribution'],
      attribution_links: rest['attribution_links'],
    });
  }
  assert.deepEqual(await planOf(apiKey), ['free', 100, null]);
});

test('a plan that does not exist is refused with a pointer', async () => {
  const { apiKey } = await signUpAgent(service);
  for (const body of [{ plan: 'gold' }, { plan: 1 }, {}]) {
    const response = await call(apiKey, '/api/agent/me/plan', body);
    assert.equal(response.status, 422);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/plan'],
    );
  }
});

test('a paid plan holds at once, for a month, and then the agent is on the free plan again', async () => {
  const { apiKey } = await signUpAgent(service);
  for (let i = 0; i < 3; i++) await call(apiKey, '/api/agent/search');
  await buy(apiKey, 'starter');
  assert.deepEqual(await planOf(apiKey), ['starter', 2_000, '2026-12-15T00:00:00.000Z']);
  const read = await call(apiKey, '/api/agent/search');
  assert.equal(read.headers.get('x-ratelimit-remaining'), '1996');
  assert.match(read.headers.get('ratelimit-policy') ?? '', /"minute";q=300;/);
  service.clock.advance(30 * DAY_MS);
  assert.equal((await planOf(apiKey))[0], 'starter');
  service.clock.advance(DAY_MS / 2);
  assert.deepEqual(await planOf(apiKey), ['free', 100, null]);
  service.clock.advance(-30.5 * DAY_MS);
});

test('paying again for the same plan adds a month to it', async () => {
  const { apiKey } = await signUpAgent(service);
  await buy(apiKey, 'growth');
  await buy(apiKey, 'growth');
  assert.deepEqual(await planOf(apiKey), ['growth', 20_000, '2027-01-16T00:00:00.000Z']);
});

test('one checkout is paid once, however often and whenever the payment is reported', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  const { checkout_id } = await ask(apiKey, 'starter');
  const heard = await Promise.all(
    Array.from({ length: 8 }, () =>
      pool.begin((sql) => completeCheckout(sql, String(checkout_id), 'test', service.clock.now())),
    ),
  );
  assert.deepEqual(heard.filter((first) => first).length, 1);
  assert.deepEqual(await planOf(apiKey), ['starter', 2_000, '2026-12-15T00:00:00.000Z']);
  assert.ok(agentId);
});

test('a quota never shrinks during its day: a smaller plan holds from midnight on', async () => {
  const { apiKey } = await signUpAgent(service);
  await buy(apiKey, 'scale');
  await buy(apiKey, 'starter');
  assert.deepEqual(await planOf(apiKey), ['scale', 200_000, '2026-11-15T00:00:00.000Z']);
  assert.equal((await ask(apiKey, 'free'))['status'], 'changed');
  assert.deepEqual((await planOf(apiKey)).slice(0, 2), ['scale', 200_000]);
  service.clock.advance(DAY_MS / 2);
  assert.deepEqual(await planOf(apiKey), ['free', 100, null]);
  service.clock.advance(-DAY_MS / 2);
});
