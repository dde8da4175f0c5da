import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError } from '../../src/core/postgres/connection-error.ts';
import { AppError } from '../../src/core/errors.ts';
import type { RateLimit } from '../../src/core/operation.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { takeRateLimits } from '../../src/metering/rate-limits.ts';
import { windowStart } from '../../src/metering/periods.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

const service = await startTestService({ settings: { TEST_PAYMENTS: 'on' } });
const { pool } = service.database;

/** As if so many calls had been made in the window of now. */
async function alreadyUsed(name: string, windowMs: number, used: number): Promise<void> {
  const startMs = windowStart(windowMs, service.clock.now());
  await pool`
    insert into rate_window (kind, name, starts_at, ends_at, used, ceiling)
    values ('ceiling', ${name}, ${new Date(startMs)}, ${new Date(startMs + windowMs)}, ${used}, ${used})
    on conflict (kind, name, starts_at) do update set used = excluded.used`;
}

async function used(countedFor: string): Promise<Record<string, number>> {
  const rows = await pool<{ name: string; used: number }[]>`
    select split_part(name, '/', 1) as name, used::int as used from rate_window
    where kind = 'ceiling' and name like ${`%/${countedFor}`}`;
  return Object.fromEntries(rows.map((row) => [row.name, row.used]));
}

function choosePlan(apiKey: string): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return service.request('/api/agent/me/plan', { method: 'POST', headers, body: '{"plan":"starter"}' });
}

test('writes that the minute refuses are not taken from the day, and the headers tell what is left of it', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  await alreadyUsed(`writes-minute/${agentId}`, MINUTE_MS, 300);
  await alreadyUsed(`writes-day/${agentId}`, DAY_MS, 1);
  for (let at = 0; at < 10; at++) {
    const refused = await choosePlan(apiKey);
    assert.equal(refused.status, 429);
    const left = '"writes-minute";r=0;t=60, "writes-day";r=19999;t=43200';
    assert.equal(refused.headers.get('ratelimit'), left);
  }
  assert.deepEqual(await used(agentId), { 'writes-minute': 300, 'writes-day': 1 });
});

test('writes that the day refuses count for the minute, as every call does, and not for the day', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  await alreadyUsed(`writes-minute/${agentId}`, MINUTE_MS, 7);
  await alreadyUsed(`writes-day/${agentId}`, DAY_MS, 20_000);
  const refused = await choosePlan(apiKey);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '43200');
  assert.equal(refused.headers.get('ratelimit'), '"writes-minute";r=292;t=60, "writes-day";r=0;t=43200');
  assert.deepEqual(await used(agentId), { 'writes-minute': 8, 'writes-day': 20_000 });
});

const SHORT: RateLimit = {
  name: 'z-minute',
  code: 'rate_limited',
  windowMs: MINUTE_MS,
  max: () => 30,
  message: 'Too many.',
  counts: 'calls',
};
const LONG: RateLimit = { ...SHORT, name: 'a-day', windowMs: DAY_MS, max: () => 100 };

/** Whether a call was let through. */
async function take(countedFor: string, limits: readonly RateLimit[]): Promise<boolean> {
  const counting = { db: pool, deps: service.app.deps, now: service.clock.now(), countedFor, headers: {} };
  try {
    await takeRateLimits(counting, limits);
    return true;
  } catch (thrown) {
    assert.ok(thrown instanceof AppError && thrown.code === 'rate_limited');
    return false;
  }
}

test('of calls that come together as many are taken from each limit as are let through', async () => {
  const taken = await Promise.all(Array.from({ length: 60 }, () => take('together', [LONG, SHORT])));
  assert.equal(taken.filter(Boolean).length, 30);
  assert.deepEqual(await used('together'), { 'z-minute': 30, 'a-day': 30 });
});

test('a limit that is reached and refuses nobody keeps no call from the others', async () => {
  const limits = [{ ...SHORT, max: () => 2, refuses: false as const }, LONG];
  for (let at = 0; at < 5; at++) assert.equal(await take('counted', limits), true);
  assert.deepEqual(await used('counted'), { 'z-minute': 2, 'a-day': 5 });
});

test('while the database cannot count, a node refuses a read past its limit until the next window', () => {
  const { meter } = service.app.deps;
  const gone = new ConnectionError('CONNECT_TIMEOUT');
  const limits = [{ name: 'counted-here/somebody', max: 2, windowMs: 60_000 }];
  const at = new Date('2026-11-19T12:00:10Z');
  const take = (now: Date) => meter.takeLimitsHere(limits, now, gone)[0];
  assert.deepEqual(take(at), { allowed: true, remaining: 1, resetsInSeconds: 50 });
  assert.deepEqual(take(at), { allowed: true, remaining: 0, resetsInSeconds: 50 });
  assert.deepEqual(take(at), { allowed: false, remaining: 0, resetsInSeconds: 50 });
  assert.equal(take(new Date('2026-11-19T12:01:00Z'))?.allowed, true);
  const fault = new Error('A fault of the program.');
  assert.throws(() => meter.takeLimitsHere(limits, at, fault), fault);
});
