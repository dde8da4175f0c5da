import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { modernRpc, rpc } from '../harness/clients/mcp.ts';
import { signUpAgent, startTestService, USER_AGENT } from '../harness/service/service.ts';

const MIDNIGHT_SECONDS = 12 * 3600;
const first = await startTestService({ demoPlaces: 300 });
const second = await startTestService({ database: first.database });
const nodes = [first, second];
const SEARCH = '/api/agent/search?city=bali&limit=1';
const CALL = {
  id: 1,
  method: 'tools/call',
  params: { name: 'svc_search_places', arguments: { city: 'bali' } },
};
const [place] = await first.database.pool<{ id: string }[]>`
  select id from place where closed_at is null order by id limit 1`;
const PLACE = `/api/agent/business/${place?.id ?? ''}`;

function bearer(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}

interface Read {
  status: number;
  remaining: number;
}

/** One read, by search, by place or by tool, on one node or the other. */
async function readOnce(index: number, headers: Record<string, string>): Promise<Read> {
  const node = nodes[index % 2] ?? first;
  if (index % 3 === 2) {
    const answer = await rpc(node, '/mcp', CALL, headers);
    return { status: answer.status, remaining: Number(answer.headers.get('x-ratelimit-remaining')) };
  }
  const response = await node.request(index % 3 === 1 ? PLACE : SEARCH, { headers });
  await response.arrayBuffer();
  return { status: response.status, remaining: Number(response.headers.get('x-ratelimit-remaining')) };
}

/** As if an agent had read so much more in this minute. */
async function countMore(agentId: string, reads: number): Promise<void> {
  const counted = await first.database.pool`
    update rate_window set used = used + ${reads}, minute_used = minute_used + ${reads}
    where kind = 'reads' and name = ${agentId}`;
  assert.equal(counted.count, 1);
}

test('64 parallel reads against a quota of 100 on two nodes: 100 are served, the rest are 429, none is counted twice', async () => {
  const headers = bearer((await signUpAgent(first)).apiKey);
  const answers: Read[] = [];
  let next = 0;
  const worker = async () => {
    while (next < 140) answers.push(await readOnce(next++, headers));
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  assert.equal(answers.length, 140);
  const served = answers.filter(({ status }) => status === 200);
  assert.equal(served.length, 100);
  assert.deepEqual(
    served.map(({ remaining }) => remaining).sort((a, b) => b - a),
    Array.from({ length: 100 }, (_, index) => 99 - index),
  );
  assert.deepEqual(
    [
      ...new Set(
        answers.filter(({ status }) => status !== 200).map((one) => `${one.status} ${one.remaining}`),
      ),
    ],
    ['429 0'],
  );
});

test('an answer tells the whole policy, in the form of the draft and in the older header', async () => {
  const headers = bearer((await signUpAgent(first)).apiKey);
  const answer = await first.request(SEARCH, { headers });
  assert.equal(answer.headers.get('ratelimit-policy'), '"daily";q=100;w=86400, "minute";q=120;w=60');
  assert.equal(answer.headers.get('ratelimit'), `"daily";r=99;t=${MIDNIGHT_SECONDS}, "minute";r=119;t=60`);
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '99');
  for (const obsolete of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'])
    assert.equal(answer.headers.get(obsolete), null);
});

test('only answers and 404s cost a read, and every answer tells what is left', async () => {
  const headers = bearer((await signUpAgent(first)).apiKey);
  const read = await first.request(SEARCH, { headers });
  assert.equal(read.headers.get('x-ratelimit-remaining'), '99');
  const etag = read.headers.get('etag') ?? '';
  const free: [string, string, Record<string, string>, number][] = [
    ['what the caller already has', SEARCH, { ...headers, 'if-none-match': etag }, 304],
    ['a wrong value', '/api/agent/search?limit=0', headers, 422],
    ['a wrong cursor', '/api/agent/search?cursor=nonsense', headers, 400],
    ['a repeated parameter', '/api/agent/search?q=a&q=b', headers, 400],
    ['a form that we do not have', SEARCH, { ...headers, accept: 'image/png' }, 406],
    ['a party of none', `${PLACE}?party_size=0`, headers, 422],
  ];
  for (const [what, path, given, status] of free) {
    const answer = await first.request(path, { headers: given });
    assert.equal(answer.status, status, what);
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '99', what);
    assert.match(answer.headers.get('ratelimit') ?? '', /^"daily";r=99;/, what);
  }
  const missing = await first.request('/api/agent/business/plc_00000000000000000000000000', { headers });
  assert.equal(missing.status, 404);
  assert.equal(missing.headers.get('x-ratelimit-remaining'), '98');
});

test('a caller that is not known has nothing left, on REST and on MCP', async () => {
  const mistyped = bearer(`${(await signUpAgent(first)).apiKey.slice(0, -1)}!`);
  for (const headers of [{}, mistyped, { 'user-agent': 'curl/8.5.0' }] as Record<string, string>[]) {
    for (const path of [SEARCH, PLACE]) {
      const answer = await first.request(path, { headers });
      assert.ok(answer.status === 401 || answer.status === 403, path);
      assert.equal(answer.headers.get('x-ratelimit-remaining'), '0', path);
    }
  }
  for (const headers of [{}, mistyped] as Record<string, string>[]) {
    const answer = await rpc(first, '/mcp', CALL, headers);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
  }
});

test('over the minute it is 429 until the minute has passed, and nothing is taken from the day', async () => {
  const { agentId, apiKey } = await signUpAgent(first);
  await first.database.pool`update agent set plan = 'starter' where id = ${agentId}`;
  const headers = bearer(apiKey);
  await readOnce(0, headers);
  await countMore(agentId, 287);
  await Promise.all(Array.from({ length: 12 }, (_, index) => readOnce(index, headers)));
  const over = await first.request(SEARCH, { headers });
  assert.equal(over.status, 429);
  assert.equal(over.headers.get('x-ratelimit-remaining'), '1700');
  assert.equal(over.headers.get('ratelimit'), `"daily";r=1700;t=${MIDNIGHT_SECONDS}, "minute";r=0;t=60`);
  assert.equal(over.headers.get('retry-after'), '60');
  const problem = (await over.json()) as Record<string, unknown>;
  assert.equal(problem['code'], 'rate_limited');
  assert.equal(problem['type'], 'https://iana.org/assignments/http-problem-types#quota-exceeded');
  assert.deepEqual(problem['violated-policies'], ['minute']);
  for (const node of nodes) node.clock.advance(60_000);
  const later = await second.request(SEARCH, { headers });
  assert.equal(later.status, 200);
  assert.equal(later.headers.get('x-ratelimit-remaining'), '1699');
  for (const node of nodes) node.clock.advance(-60_000);
});

describe('when the day is used up', () => {
  let headers: Record<string, string> = {};
  before(async () => {
    const { agentId, apiKey } = await signUpAgent(first);
    headers = bearer(apiKey);
    await readOnce(0, headers);
    await countMore(agentId, 93);
    await Promise.all(Array.from({ length: 6 }, (_, index) => readOnce(index, headers)));
  });

  test('a read is 429 with the time until midnight', async () => {
    const over = await second.request(PLACE, { headers });
    assert.equal(over.status, 429);
    assert.equal(over.headers.get('x-ratelimit-remaining'), '0');
    assert.equal(over.headers.get('retry-after'), String(MIDNIGHT_SECONDS));
    const problem = (await over.json()) as Record<string, unknown>;
    assert.equal(problem['code'], 'daily_quota_exhausted');
    assert.deepEqual(problem['violated-policies'], ['daily']);
  });

  test('a tool call is refused with the same status and headers, in both eras', async () => {
    const modern = { name: 'svc_search_places', arguments: {} };
    for (const over of [
      await rpc(first, '/mcp', CALL, headers),
      await modernRpc(first, '/mcp', 'tools/call', modern, headers),
    ]) {
      assert.equal(over.status, 429);
      assert.equal(over.body.error?.data?.['code'], 'daily_quota_exhausted');
      assert.equal(over.headers.get('x-ratelimit-remaining'), '0');
      assert.equal(over.headers.get('retry-after'), String(MIDNIGHT_SECONDS));
    }
  });

  test('free calls still work: the account, the destinations', async () => {
    for (const path of ['/api/agent/me', '/api/agent/destinations'])
      assert.equal((await first.request(path, { headers })).status, 200, path);
  });
});

test('a tool tells what is left in its result, when it answers and when it refuses', async () => {
  const headers = bearer((await signUpAgent(first)).apiKey);
  const call = (name: string, input: object) =>
    rpc(first, '/mcp', { id: 1, method: 'tools/call', params: { name, arguments: input } }, headers);
  const answers = [
    [await call('svc_search_places', {}), 99],
    [await call('svc_search_places', { limit: 0 }), 99],
    [await call('svc_get_place', { place_id: 'plc_00000000000000000000000000' }), 98],
  ] as const;
  for (const [{ status, headers: sent, body }, remaining] of answers) {
    assert.equal(status, 200);
    assert.equal(sent.get('x-ratelimit-remaining'), String(remaining));
    const meta = body.result?.['_meta'] as { quota?: { remaining: number } };
    assert.equal(meta.quota?.remaining, remaining);
  }
  const free = await call('svc_list_destinations', {});
  assert.equal(free.headers.get('x-ratelimit-remaining'), '98', 'what costs nothing tells it too');
});

test('the headers can be read by a web page of any origin', async () => {
  const answer = await first.request(SEARCH, { headers: { 'user-agent': USER_AGENT } });
  const exposed = answer.headers.get('access-control-expose-headers') ?? '';
  for (const name of ['X-RateLimit-Remaining', 'RateLimit', 'RateLimit-Policy', 'Retry-After'])
    assert.ok(exposed.includes(name), name);
});

// The last test, because it ends the second node.
test('a quota survives a restart and starts anew at midnight UTC', async () => {
  const headers = bearer((await signUpAgent(second)).apiKey);
  assert.equal((await second.request(SEARCH, { headers })).headers.get('x-ratelimit-remaining'), '99');
  await second.close();
  const restarted = await startTestService({ database: first.database });
  assert.equal((await restarted.request(SEARCH, { headers })).headers.get('x-ratelimit-remaining'), '98');
  restarted.clock.advance(MIDNIGHT_SECONDS * 1000);
  assert.equal((await restarted.request(SEARCH, { headers })).headers.get('x-ratelimit-remaining'), '99');
});
