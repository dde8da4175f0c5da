import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { modernRpc, rpc, type RpcAnswer } from '../harness/clients/mcp.ts';
import { addTestPartner, PARTNER_MCP } from '../harness/people/partner.ts';
import { LONG } from '../harness/tier.ts';
import { startTestService } from '../harness/service/service.ts';

const first = await startTestService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
const second = await startTestService({
  database: first.database,
  settings: { TRUSTED_PROXIES: '127.0.0.1' },
});
const nodes = [first, second];
const SEARCH = { name: 'search_places', arguments: { destination: 'bali', limit: 1 } };
const CALL = { id: 1, method: 'tools/call', params: SEARCH };

let lastAddress = 0;
/** A caller that nobody else in this file is, seen through the proxy that is trusted. */
function newCaller(): Record<string, string> {
  lastAddress++;
  return { 'x-forwarded-for': `203.0.${lastAddress >> 8}.${lastAddress & 255}` };
}

function call(index: number, headers: Record<string, string>): Promise<RpcAnswer> {
  return rpc(nodes[index % 2] ?? first, PARTNER_MCP, CALL, headers);
}

async function openSession(index: number, headers: Record<string, string>): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const answer = await rpc(
    nodes[index % 2] ?? first,
    PARTNER_MCP,
    { id: 1, method: 'initialize', params },
    headers,
  );
  return { ...headers, 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
}

/** Many calls at once, in turn on both nodes. */
async function callMany(
  count: number,
  headersOf: (index: number) => Record<string, string>,
  atOnce = 32,
): Promise<RpcAnswer[]> {
  const answers: RpcAnswer[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      answers.push(await call(index, headersOf(index)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return answers;
}

function statuses(answers: readonly RpcAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/**
 * As if so many more calls of somebody had been counted in this minute and in the window around it. The long tier makes
 * all calls up to a limit, the quick one the last of them.
 */
async function countMore(kind: 'calls' | 'unkeyed', name: string, calls: number): Promise<void> {
  const counted = await first.database.pool`
    update rate_window set used = used + ${calls}, minute_used = minute_used + ${calls}
    where kind = ${kind} and name = ${name}`;
  assert.equal(counted.count, 1);
}

function assertLimited(answer: RpcAnswer, code: string, retryAfterSeconds: number): void {
  assert.equal(answer.status, 429);
  assert.equal(answer.body.error?.code, 42900);
  assert.equal(answer.body.error.data?.['code'], code);
  assert.ok(answer.body.error.message.startsWith(`${code}: `));
  assert.equal(answer.headers.get('retry-after'), String(retryAfterSeconds));
}

describe('without a key', () => {
  test('the 13th call of a session within a minute is refused, whichever node it reaches', async () => {
    const session = await openSession(0, newCaller());
    const answers = await callMany(20, () => session);
    assert.deepEqual(statuses(answers), { 200: 12, 429: 8 });
    const left = answers.filter(({ status }) => status === 200).map(({ headers }) => remaining(headers));
    assert.deepEqual(
      left.sort((a, b) => b - a),
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    );
    const refused = await call(1, session);
    assertLimited(refused, 'rate_limited', 60);
    assert.match(refused.headers.get('ratelimit') ?? '', /"unkeyed";r=0;t=60/);
    assert.equal((await call(0, await openSession(1, newCaller()))).status, 200);
  });

  test('without a session, and in the protocol of 2026 always, the address counts', async () => {
    const caller = newCaller();
    assert.deepEqual(statuses(await callMany(14, () => caller)), { 200: 12, 429: 2 });
    const modern = await modernRpc(second, PARTNER_MCP, 'tools/call', SEARCH, caller);
    assertLimited(modern, 'rate_limited', 60);
    const session = await openSession(0, caller);
    const other = await modernRpc(first, PARTNER_MCP, 'tools/call', SEARCH, { ...session, ...newCaller() });
    assert.equal(other.status, 200);
  });

  test('the 601st call from an address is refused, over many sessions on two nodes', async () => {
    const caller = newCaller();
    const count = LONG ? 60 : 3;
    const sessions = await Promise.all(Array.from({ length: count }, (_, i) => openSession(i, caller)));
    const before = LONG ? 0 : 575;
    if (before > 0) {
      assert.equal((await call(0, await openSession(0, caller))).status, 200);
      await countMore('unkeyed', `address/${caller['x-forwarded-for']}`, before - 1);
    }
    const answers = await callMany(11 * count, (index) => sessions[index % count] ?? {});
    assert.deepEqual(statuses(answers), { 200: 600 - before, 429: 11 * count - 600 + before });
    const refused = await call(0, await openSession(0, caller));
    assertLimited(refused, 'rate_limited', 60);
    assert.match(refused.headers.get('ratelimit') ?? '', /"address";r=0/);
    assert.equal((await call(0, newCaller())).status, 200);
  });

  test('opening, listing and discovering are never throttled', async () => {
    const caller = newCaller();
    await callMany(13, () => caller);
    for (let i = 0; i < 13; i++) {
      assert.ok((await openSession(i, caller))['mcp-session-id'] !== '');
      assert.equal((await rpc(first, PARTNER_MCP, { id: 1, method: 'tools/list' }, caller)).status, 200);
      assert.equal((await modernRpc(second, PARTNER_MCP, 'server/discover', {}, caller)).status, 200);
    }
    assert.equal((await call(0, caller)).status, 429);
  });

  test('an unknown session is 404 and never counts for its address', async () => {
    const caller = newCaller();
    const answer = await call(0, { ...caller, 'mcp-session-id': 'AAAA' });
    assert.equal(answer.status, 404);
    assert.deepEqual(statuses(await callMany(12, () => caller)), { 200: 12 });
  });

  test('addresses of IPv6 count together with their network of 64 bits, those of IPv4 in its clothes as IPv4', async () => {
    const of = (address: string) => ({ 'x-forwarded-for': address });
    for (let i = 0; i < 12; i++)
      assert.equal((await call(i, of(`2001:db8:1:2::${i.toString(16)}`))).status, 200);
    assert.equal((await call(0, of('2001:db8:1:2:ffff:ffff:ffff:ffff'))).status, 429);
    assert.equal((await call(0, of('2001:db8:1:3::1'))).status, 200);
    for (let i = 0; i < 12; i++) assert.equal((await call(i, of('198.51.100.77'))).status, 200);
    assert.equal((await call(0, of('::ffff:198.51.100.77'))).status, 429);
  });
});

describe('with a key', () => {
  test('a wrong key is 401, not a caller without one', async () => {
    const caller = newCaller();
    for (const key of ['svc_partner_no', '', `svc_partner_${'A'.repeat(36)}`]) {
      const answer = await call(0, { ...caller, 'x-partner-key': key });
      assert.equal(answer.status, 401);
      assert.equal(answer.body.error?.code, 40100);
    }
    assert.deepEqual(statuses(await callMany(12, () => caller)), { 200: 12 });
  });

  for (const [plan, perMinute] of [
    ['free', 30],
    ['concierge', 60],
    ['partner', 120],
    ['directory', 120],
    ['platform', 600],
  ] as const) {
    test(`call ${perMinute + 1} of a minute is refused on the ${plan} plan, and is not taken from the month`, async () => {
      const { headers, partnerId } = await addTestPartner(first, { plan });
      assert.equal((await call(0, headers)).status, 200);
      const more = LONG ? perMinute - 1 : 8;
      await countMore('calls', partnerId, perMinute - 1 - more);
      const answers = await callMany(more + 6, () => headers);
      assert.deepEqual(statuses(answers), { 200: more, 429: 6 });
      const refused = await call(0, headers);
      assertLimited(refused, 'rate_limited', 60);
      assert.match(refused.headers.get('ratelimit-policy') ?? '', new RegExp(`"minute";q=${perMinute};w=60`));
      const [month] = await first.database.pool<{ calls: number }[]>`
        select used::int as calls from rate_window where kind = 'calls' and name = ${partnerId}`;
      assert.equal(month?.calls, perMinute);
    });
  }

  test('a key works from any address and any session, and the minute of an address is not its own', async () => {
    const caller = newCaller();
    await callMany(13, () => caller);
    const { headers } = await addTestPartner(first);
    assert.equal((await call(0, { ...caller, ...headers })).status, 200);
  });
});

// The last test, because it ends the second node.
test('without a key a new minute begins with a full measure, and a service that was started again goes on counting', async () => {
  const caller = newCaller();
  for (let i = 0; i < 12; i++) assert.equal((await rpc(second, PARTNER_MCP, CALL, caller)).status, 200);
  await second.close();
  const restarted = await startTestService({
    database: first.database,
    settings: { TRUSTED_PROXIES: '127.0.0.1' },
  });
  assert.equal((await rpc(restarted, PARTNER_MCP, CALL, caller)).status, 429);
  restarted.clock.advance(60_000);
  assert.equal((await rpc(restarted, PARTNER_MCP, CALL, caller)).status, 200);
});

function remaining(headers: Headers): number {
  return Number(/"unkeyed";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}
