import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/surfaces/operations.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';
import { modernRpc, rpc } from '../harness/clients/mcp.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { signUpAgent } from '../harness/service/service.ts';
import { sharedService } from '../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 3000 });
const { pool } = service.database;
const { apiKey } = await signUpAgent(service);
const headers = { authorization: `Bearer ${apiKey}` };
const ENDPOINTS = { agent: '/mcp', partner: '/api/partner/mcp', concierge: '/api/concierge/mcp' } as const;

async function toolsAt(path: string): Promise<string[]> {
  const { body } = await rpc(service, path, { id: 1, method: 'tools/list' });
  return (body.result?.['tools'] as { name: string }[]).map(({ name }) => name);
}

test('POST /api/agent/me/rotate: 200; a new key shown once; the old key is revoked immediately', async () => {
  for (const path of ['/api/agent/me/rotate', '/api/agent/rotate']) {
    const agent = await signUpAgent(service);
    const post = (key: string) =>
      service.request(path, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
    const response = await post(agent.apiKey);
    const { api_key } = (await response.json()) as { api_key: string };
    assert.equal(response.status, 200);
    assert.match(api_key, /^svc_live_/);
    assert.equal((await post(agent.apiKey)).status, 401);
    assert.equal(response.headers.has('deprecation'), path === '/api/agent/rotate', path);
  }
  const openapi = (await (await service.request('/openapi.json')).json()) as { paths: object };
  assert.ok('/api/agent/me/rotate' in openapi.paths && !('/api/agent/rotate' in openapi.paths));
  const llms = await (await service.request('/llms.txt')).text();
  assert.ok(llms.includes('/api/agent/me/rotate') && !llms.includes('/api/agent/rotate'));
});

test('search: limit (integer, default 20, cap 50); above the cap the cap is used, with a warning', async () => {
  const search = async (limit: string) => {
    const response = await service.request(`/api/agent/search${limit}`, { headers });
    return (await response.json()) as { count: number; warnings?: { code: string }[] };
  };
  assert.deepEqual([(await search('')).count, (await search('?limit=50')).count], [20, 50]);
  const above = await search('?limit=500');
  assert.deepEqual([above.count, above.warnings?.map(({ code }) => code)], [50, ['limit_capped']]);
  const { body } = await rpc(
    service,
    '/mcp',
    { id: 1, method: 'tools/call', params: { name: 'svc_search_places', arguments: { limit: '500' } } },
    headers,
  );
  const [{ text } = { text: '' }] = body.result?.['content'] as { text: string }[];
  assert.match(text, /^Warning: \/limit: The maximum is 50; 50 was used\.$/m, 'a model reads it too');
});

test('every response on the search and place endpoints carries x-ratelimit-remaining, refusals included', async () => {
  const { apiKey: fresh } = await signUpAgent(service);
  const own = { authorization: `Bearer ${fresh}` };
  const rest: [path: string, headers: Record<string, string>, status: number][] = [
    ['/api/agent/search?q=x', own, 200],
    ['/api/agent/search?limit=0', own, 422],
    ['/api/agent/search?q=x&q=y', own, 400],
    ['/api/agent/search?cursor=nonsense', own, 400],
    ['/api/agent/search', { ...own, accept: 'text/html' }, 406],
    ['/api/agent/search', {}, 401],
    ['/api/agent/search', { authorization: 'Bearer nonsense' }, 401],
    ['/api/agent/search', { ...own, 'user-agent': 'curl/8.5.0' }, 403],
    ['/api/agent/business/plc_nothing', own, 404],
    ['/api/agent/business/plc_nothing', {}, 401],
    ['/api/agent/business/plc_nothing?party_size=0', own, 422],
  ];
  const tools: [arguments_: object, name: string, headers: Record<string, string>, status: number][] = [
    [{ q: 'x' }, 'svc_search_places', own, 200],
    [{ limit: 0 }, 'svc_search_places', own, 200],
    [{ place_id: 'plc_nothing' }, 'svc_get_place', own, 200],
    [{ place_id: 'plc_nothing' }, 'svc_get_place', {}, 401],
    [{}, 'svc_search_places', { authorization: 'Bearer nonsense' }, 401],
  ];
  const check = async (withStatus: boolean) => {
    for (const [path, sent, status] of rest) {
      const response = await service.request(path, { headers: sent });
      if (withStatus) assert.equal(response.status, status, path);
      assert.match(response.headers.get('x-ratelimit-remaining') ?? 'none', /^\d+$/, `${status} ${path}`);
    }
    for (const [given, name, sent, status] of tools) {
      const params = { name, arguments: given };
      for (const answer of [
        await rpc(service, '/mcp', { id: 1, method: 'tools/call', params }, sent),
        await modernRpc(service, '/mcp', 'tools/call', params, sent),
      ]) {
        if (withStatus) assert.equal(answer.status, status, name);
        assert.match(answer.headers.get('x-ratelimit-remaining') ?? 'none', /^\d+$/, name);
      }
    }
  };
  await check(true);
  for (let read = 0; read < 100; read++) await service.request('/api/agent/search?q=x', { headers: own });
  const over = await service.request('/api/agent/search', { headers: own });
  assert.deepEqual([over.status, over.headers.get('x-ratelimit-remaining')], [429, '0']);
  await check(false);
});

const SEED_TOOLS = {
  agent:
    'svc_list_destinations svc_search_places svc_get_place svc_submit_business svc_submit_promo svc_list_submissions svc_search_photos svc_quote_photo svc_license_photo svc_photo_wallet',
  partner:
    'search_places concierge_answer list_destinations place_details open_places booking_link get_menu get_reviews directory_feed',
  concierge:
    'check_availability request_table booking_status modify_booking cancel_booking set_webhook webhook_status',
} as const;

const FURTHER_TOOLS = {
  agent:
    'svc_list_closures svc_sign_up svc_get_account svc_rotate_key svc_recover_key svc_change_plan svc_link_photo svc_top_up_wallet',
  partner: 'list_closures sign_up_partner get_usage',
  concierge: 'get_usage message_venue test_webhook redeliver_webhook',
} as const;

test('by default each endpoint lists exactly the tools of the seed, and further ones with ?profile=full', async () => {
  for (const surface of ['agent', 'partner', 'concierge'] as const) {
    const path = ENDPOINTS[surface];
    const seed = SEED_TOOLS[surface].split(' ');
    assert.deepEqual((await toolsAt(path)).sort(), seed.toSorted(), surface);
    assert.deepEqual(await toolsAt(`${path}?profile=other`), await toolsAt(path));
    const full = [...seed, ...FURTHER_TOOLS[surface].split(' ')].sort();
    assert.deepEqual((await toolsAt(`${path}?profile=full`)).sort(), full, surface);
  }
  // Every operation is a tool on some surface.
  for (const { name, tools, furtherTools = [] } of OPERATIONS)
    assert.ok(tools.length + furtherTools.length > 0, name);
});

test('a tool of the full profile is called at that address, in both eras, and is unknown without it', async () => {
  const params = { name: 'svc_get_account', arguments: {} };
  const call = (path: string) => rpc(service, path, { id: 1, method: 'tools/call', params }, headers);
  const { body } = await call('/mcp?profile=full');
  const [{ text } = { text: '' }] = body.result?.['content'] as { text: string }[];
  assert.match(text, /^agt_\w+ \(Test Agent\) is active\. Plan free: \d+ of 100 reads left today\./);
  assert.equal((await modernRpc(service, '/mcp?profile=full', 'tools/call', params, headers)).status, 200);
  assert.equal((await call('/mcp')).body.error?.code, -32602);
  const partner = await addTestPartner(service);
  for (const path of ['/api/partner/mcp?profile=full', '/api/concierge/mcp?profile=full']) {
    const usage = { id: 1, method: 'tools/call', params: { name: 'get_usage', arguments: {} } };
    const told = await rpc(service, path, usage, partner.headers);
    assert.equal(
      (told.body.result?.['structuredContent'] as { partner_id: string }).partner_id,
      partner.partnerId,
    );
    assert.equal((await rpc(service, path, usage)).status, 401, 'it is nobody else’s');
  }
});

test('drop.price_next is the price after one more licence, in a search, a quote and a licence alike', async () => {
  const photoId = await addMadePhoto(pool, service.clock, { prices: { web: 905 } });
  const buyer = await makeBuyer(service, 5_000);
  const seen = async () => {
    const { body: quote } = await buyer.quote(photoId, 'web');
    const { body } = await buyer.get('/api/agent/photos/search?limit=50');
    const card = (body['photos'] as { photo_id: string; drop: { price_next: { web: number } } }[]).find(
      ({ photo_id }) => photo_id === photoId,
    );
    const { price_next } = quote['drop'] as { price_next: number };
    assert.equal(card?.drop.price_next.web, price_next);
    assert.equal(quote['price_after_next_cents'], price_next);
    return { price: quote['price_cents'] as number, next: price_next };
  };
  const before = await seen();
  assert.deepEqual(before, { price: 905, next: 996 });
  const { body: licence } = await buyer.license(photoId, 'web', 5_000);
  const after = await seen();
  assert.equal(after.price, before.next, 'one licence later it costs what was foretold');
  assert.equal((licence['drop'] as { price_next: number }).price_next, after.next);
});

interface Changelog {
  version: string;
  changes: { date: string; kind: string; what: string; instead?: string; sunset?: string }[];
}

test('/changelog.json has a line for whatever was renamed or removed, and for every address that is deprecated', async () => {
  const response = await service.request('/changelog.json', { headers: { 'user-agent': '' } });
  const { version, changes } = (await response.json()) as Changelog;
  assert.deepEqual([response.status, version], [200, '1.0.0']);
  for (const { date, kind, what, instead } of changes) {
    assert.match(date, /^\d{4}-\d{2}-\d{2}$/);
    assert.ok(['added', 'changed', 'renamed', 'deprecated', 'removed'].includes(kind) && what !== '');
    if (['renamed', 'deprecated', 'removed'].includes(kind)) assert.ok(instead, what);
  }
  assert.deepEqual(
    changes.map(({ date }) => date),
    changes.map(({ date }) => date).toSorted((a, b) => b.localeCompare(a)),
  );
  const moved = OPERATIONS.flatMap(({ rest }) => (rest?.formerly === undefined ? [] : [rest]));
  assert.ok(moved.length > 0);
  for (const { method, path, formerly } of moved) {
    const line = changes.find(({ what }) => what === `${method} ${formerly?.path}`);
    assert.deepEqual([line?.kind, line?.instead], ['deprecated', `${method} ${path}`]);
    assert.ok(Date.parse(line?.sunset ?? '') - Date.parse(line?.date ?? '') >= 365 * 86_400_000, 'a year');
    const gone = await service.request(formerly?.path ?? '', { method });
    assert.equal(Date.parse(gone.headers.get('sunset') ?? ''), Date.parse(line?.sunset ?? ''));
  }
});
