import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpc } from '../harness/clients/mcp.ts';
import { requestText, sendRaw, type RawAnswer } from '../harness/clients/raw-http.ts';
import { BASE_URL, PARTNER_URL, startTestService, USER_AGENT } from '../harness/service/service.ts';

const MCP_PATHS = ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'];
const LIBRARY = 'User-Agent: curl/8.5.0';
const REAL = `User-Agent: ${USER_AGENT}`;

const service = await startTestService({
  settings: {
    ALLOWED_HOSTS: 'Alias.example',
    ALLOWED_ORIGINS: 'https://app.example, http://App.Example:8080/',
  },
});
const open = await startTestService({ settings: { ALLOWED_HOSTS: '*' } });

function ask(method: string, target: string, lines: readonly string[] = [REAL]): Promise<RawAnswer> {
  return sendRaw(service, requestText(method, target, ['Host: localhost', ...lines]), {
    head: method === 'HEAD',
  });
}

function codeOf(answer: RawAnswer): string {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  return (JSON.parse(answer.body) as { code: string }).code;
}

test('a library default is refused on the agent surface before the key is looked at', async () => {
  for (const [method, target] of [
    ['GET', '/api/agent/destinations'],
    ['POST', '/api/agent/signup'],
    ['GET', '/api/agent/nothing-here'],
    ['POST', '/mcp'],
    ['DELETE', '/mcp'],
    ['GET', '/mcp'],
  ] as const)
    for (const lines of [[], ['User-Agent:'], [LIBRARY], [LIBRARY, 'Authorization: Bearer nonsense']]) {
      const answer = await ask(method, target, lines);
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'user_agent_required'], `${method} ${target}`);
      assert.match(answer.body, /User-Agent: \w+\/[\d.]+ \(\+https:/, 'an example is shown');
    }
});

test('no spelling of an address goes round the User-Agent rule', async () => {
  for (const target of [
    '/api/%61gent/destinations',
    '/%61pi/agent/destinations?country=MC',
    'http://localhost/api/agent/destinations',
    'https://waypost.example/api/agent/destinations',
    '/api/agent/destinations#fragment',
  ]) {
    assert.equal((await ask('GET', target, [LIBRARY])).status, 403, target);
    const answer = await ask('GET', target);
    assert.equal(answer.status, 200, target);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', target);
  }
  for (const target of ['/%6dcp', '/mcp#', '/mcp?', 'http://localhost/mcp'])
    assert.equal((await ask('POST', target, [LIBRARY])).status, 403, target);
});

test('Api-User-Agent stands in for a User-Agent that a browser does not let its page set', async () => {
  const status = async (lines: string[]) => (await ask('GET', '/api/agent/destinations', lines)).status;
  assert.equal(await status([LIBRARY, 'Api-User-Agent: TripPage/1.0 (ops@travel.example)']), 200);
  assert.equal(await status(['Api-User-Agent: TripPage/1.0']), 200);
  assert.equal(await status([LIBRARY, 'Api-User-Agent: axios/1.7.9']), 403);
  assert.equal(await status([REAL, 'Api-User-Agent:']), 200, 'an empty one takes nothing away');
});

test('discovery, health, pages and the other surfaces ask for no User-Agent', async () => {
  for (const target of [
    '/openapi.json',
    '/llms.txt',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/ai-plugin.json',
    '/healthz',
    '/readyz',
    '/',
    '/docs',
    '/api/partner',
    '/api/concierge',
  ])
    assert.equal((await ask('GET', target, [LIBRARY])).status, 200, target);
  for (const path of ['/api/partner/mcp', '/api/concierge/mcp'])
    assert.equal((await ask('POST', path, [LIBRARY])).status, 400, path);
});

test('a request is answered under our own names, allowed names and any address, and under no other name', async () => {
  const status = async (host: string) =>
    (await sendRaw(service, requestText('GET', '/api/agent/destinations', [`Host: ${host}`, REAL]))).status;
  for (const host of [
    'waypost.example',
    'WAYPOST.example:443',
    'waypost.example.',
    'partners.waypost.example',
    'alias.example',
    'localhost:3000',
    'agent.localhost',
    '127.0.0.1',
    '[::1]:3000',
    '192.0.2.7',
    '[2001:db8::1]',
  ])
    assert.equal(await status(host), 200, host);
  for (const host of [
    'evil.example',
    'waypost.example.evil.example',
    'localhost.evil.example',
    'evil-waypost.example',
    '127.0.0.1.evil.example',
    'waypost.example@evil.example',
    'evil.example/waypost.example',
    'evil.example#waypost.example',
    'a b',
    'localhost:port',
    '',
  ])
    assert.equal(await status(host), 403, host);
  assert.equal((await sendRaw(open, requestText('GET', '/', ['Host: any.example', REAL]))).status, 200);
});

test('a request names one host, not none and not two', async () => {
  for (const hosts of [
    [],
    ['Host: localhost', 'Host: localhost'],
    ['Host: localhost', 'hOST: evil.example'],
  ]) {
    const answer = await sendRaw(service, requestText('GET', '/api/agent/destinations', [...hosts, REAL]));
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'bad_request']);
  }
});

test('probes may come under any name', async () => {
  for (const path of ['/healthz', '/readyz'])
    for (const hosts of [['Host: pod-7.cluster'], []])
      assert.equal((await sendRaw(service, requestText('GET', path, hosts))).status, 200);
});

test('a web page calls MCP from our own origins, allowed ones and this machine, and from no other', async () => {
  for (const path of MCP_PATHS) {
    for (const origin of [
      BASE_URL,
      PARTNER_URL,
      'https://app.example',
      'http://app.example:8080',
      'http://localhost:5173',
      'https://127.0.0.1',
      'http://[::1]:6274',
    ])
      assert.equal(
        (await rpc(service, path, { id: 1, method: 'tools/list' }, { origin })).status,
        200,
        origin,
      );
    for (const origin of [
      'https://evil.example',
      'null',
      'http://waypost.example',
      'https://waypost.example.evil.example',
      'https://localhost.evil.example',
      'http://app.example',
      'file://',
    ])
      for (const method of ['POST', 'DELETE']) {
        const answer = await ask(method, path, [REAL, `Origin: ${origin}`]);
        assert.deepEqual([answer.status, codeOf(answer)], [403, 'origin_refused'], `${origin} ${path}`);
      }
  }
});

test('any web page may read the REST surface', async () => {
  const answer = await ask('GET', '/api/agent/destinations', [REAL, 'Origin: https://evil.example']);
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*']);
});

test('a preflight is answered for every method and header that the surfaces use, without a User-Agent', async () => {
  for (const path of [...MCP_PATHS, '/api/agent/destinations', '/api/agent/signup', '/openapi.json']) {
    const answer = await ask('OPTIONS', path, [
      'Origin: https://page.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: mcp-session-id',
    ]);
    assert.equal(answer.status, 204, path);
    const list = (name: string) =>
      new Set((answer.headers.get(name) ?? '').split(', ').map((one) => one.toLowerCase()));
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.ok(list('access-control-allow-methods').isSupersetOf(new Set(['get', 'post', 'delete'])));
    const wanted =
      'authorization content-type accept api-user-agent idempotency-key mcp-session-id mcp-protocol-version mcp-method mcp-name x-partner-key';
    assert.ok(list('access-control-allow-headers').isSupersetOf(new Set(wanted.split(' '))));
  }
});

test('a web page may read the headers that carry an answer of their own', async () => {
  const answer = await ask('GET', '/api/agent/destinations');
  const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
  for (const name of [
    'mcp-session-id',
    'x-request-id',
    'retry-after',
    'www-authenticate',
    'x-ratelimit-remaining',
  ])
    assert.ok(exposed?.includes(name), name);
});

test('people’s pages are not for other origins to read', async () => {
  for (const path of ['/', '/docs', '/nowhere'])
    assert.equal((await ask('GET', path)).headers.get('access-control-allow-origin'), null, path);
});
