import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { modernRpc, rpc } from '../harness/clients/mcp.ts';
import { addTestPartner, PARTNER_MCP } from '../harness/people/partner.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300, settings: { TRUSTED_PROXIES: '127.0.0.1' } });
const { pool } = service.database;
const [place] = await pool<{ id: string }[]>`
  select id from place where closed_at is null order by id limit 1`;
const PLACE = `/api/agent/business/${place?.id ?? ''}`;
const NO_DAY = `${PLACE}?date=2020-01-01`;

interface Caller {
  agentId: string;
  headers: Record<string, string>;
}

async function newAgent(): Promise<Caller> {
  const { agentId, apiKey } = await signUpAgent(service);
  return { agentId, headers: { authorization: `Bearer ${apiKey}` } };
}

/** Searches that nobody has made before, so that no kept answer stands for the work. */
let searches = 0;
function newSearch(): string {
  return `/api/agent/search?city=bali&limit=1&q=warung${++searches}`;
}

function newArguments(city: 'city' | 'destination') {
  return { [city]: 'bali', limit: 1, [city === 'city' ? 'q' : 'query']: `warung${++searches}` };
}

async function counted({ agentId }: Caller): Promise<{ day: number; minute: number } | undefined> {
  const [row] = await pool<{ day: number; minute: number }[]>`
    select used::int as day, minute_used as minute from rate_window where kind = 'reads' and name = ${agentId}`;
  return row;
}

/** Headers by which a caller may hope to be served before its quota is checked. */
const QUESTIONS = [
  { 'if-none-match': '"nothing-that-we-gave"' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'Sat, 14 Nov 2026 00:00:00 GMT', 'cache-control': 'no-cache' },
  { range: 'bytes=0-1' },
  { 'x-http-method-override': 'GET' },
] as const;

describe('once the reads of the day are used up, nothing is looked up', () => {
  let caller: Caller;
  let etag = '';
  const KNOWN = '/api/agent/search?city=bali&limit=1';
  before(async () => {
    caller = await newAgent();
    etag = (await service.request(KNOWN, { headers: caller.headers })).headers.get('etag') ?? '';
    await pool`update rate_window set used = 100 where kind = 'reads' and name = ${caller.agentId}`;
  });

  test('by a search, whatever headers and method it comes with, on the fast lane and on the router', async (t) => {
    const search = t.mock.method(service.app.deps.places, 'search');
    for (const question of QUESTIONS) {
      const headers = { ...caller.headers, ...question };
      const answers = [
        await service.request(newSearch(), { headers }),
        await service.request(newSearch(), { headers, method: 'HEAD' }),
        // A path that is spelled in another way is left to the router.
        await service.request(newSearch().replace('search', 's%65arch'), { headers }),
        await service.request(NO_DAY, { headers }),
        await service.request(NO_DAY, { headers, method: 'HEAD' }),
      ];
      for (const { status, url } of answers) assert.equal(status, 429, `${JSON.stringify(question)} ${url}`);
      const preflight = await service.request(newSearch(), { headers, method: 'OPTIONS' });
      assert.equal(preflight.status, 204);
    }
    assert.equal(search.mock.callCount(), 0);
    assert.equal((await newAgentSearch()).status, 200);
    assert.equal(search.mock.callCount(), 1, 'a search that is served is seen by the counter');
  });

  test('not even what the caller already has', async () => {
    const headers = { ...caller.headers, 'if-none-match': etag };
    for (const method of ['GET', 'HEAD'])
      assert.equal((await service.request(KNOWN, { headers, method })).status, 429, method);
    const held = await service.request(KNOWN, {
      headers: { ...(await newAgent()).headers, 'if-none-match': etag },
    });
    assert.equal(held.status, 304);
  });

  test('by a tool, in both eras', async (t) => {
    const search = t.mock.method(service.app.deps.places, 'search');
    for (const question of QUESTIONS) {
      const headers = { ...caller.headers, ...question };
      const params = { name: 'svc_search_places', arguments: newArguments('city') };
      const answers = [
        await rpc(service, '/mcp', { id: 1, method: 'tools/call', params }, headers),
        await modernRpc(service, '/mcp', 'tools/call', params, headers),
      ];
      for (const { status } of answers) assert.equal(status, 429);
    }
    assert.equal(search.mock.callCount(), 0);
  });
});

async function newAgentSearch(): Promise<Response> {
  return service.request(newSearch(), { headers: (await newAgent()).headers });
}

test('a partner and a caller without a key are refused before anything is looked up, in both eras', async (t) => {
  const { headers: key, partnerId } = await addTestPartner(service);
  const call = (headers: Record<string, string>) => {
    const params = { name: 'search_places', arguments: newArguments('destination') };
    return [
      rpc(service, PARTNER_MCP, { id: 1, method: 'tools/call', params }, headers),
      modernRpc(service, PARTNER_MCP, 'tools/call', params, headers),
    ];
  };
  const unkeyed = { 'x-forwarded-for': '203.0.113.90' };
  await Promise.all(Array.from({ length: 6 }, () => call(unkeyed)).flat());
  await Promise.all(call(key));
  await pool`update rate_window set used = 10000 where kind = 'calls' and name = ${partnerId}`;
  const search = t.mock.method(service.app.deps.places, 'search');
  for (const question of QUESTIONS)
    for (const caller of [key, unkeyed])
      for (const { status } of await Promise.all(call({ ...caller, ...question }))) assert.equal(status, 429);
  assert.equal(search.mock.callCount(), 0);
});

test('answers that cost no read of the day count in the minute, so that they end there', async (t) => {
  const caller = await newAgent();
  const known = await service.request('/api/agent/search?city=bali&limit=2', { headers: caller.headers });
  const held = { ...caller.headers, 'if-none-match': known.headers.get('etag') ?? '' };
  for (const [path, headers, status] of [
    ['/api/agent/search?city=bali&limit=2', held, 304],
    [NO_DAY, caller.headers, 422],
    ['/api/agent/search?cursor=nonsense', caller.headers, 400],
  ] as const) {
    const answer = await service.request(path, { headers });
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '99', path);
  }
  assert.deepEqual(await counted(caller), { day: 1, minute: 4 });
  await pool`update rate_window set minute_used = 120 where kind = 'reads' and name = ${caller.agentId}`;
  const search = t.mock.method(service.app.deps.places, 'search');
  for (const path of ['/api/agent/search?city=bali&limit=2', newSearch(), NO_DAY]) {
    const over = await service.request(path, { headers: held });
    assert.equal(over.status, 429, path);
    assert.equal(over.headers.get('x-ratelimit-remaining'), '99');
  }
  assert.equal(search.mock.callCount(), 0);
});
