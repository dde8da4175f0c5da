import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestText, sendRaw, type RawAnswer } from '../harness/clients/raw-http.ts';
import { startTestService, USER_AGENT } from '../harness/service/service.ts';

const COMMON = ['Host: localhost', `User-Agent: ${USER_AGENT}`];
const JSON_TYPE = 'Content-Type: application/json';
const HTML = 'Accept: text/html,application/xhtml+xml,*/*;q=0.8';

const service = await startTestService();
const plain = await startTestService({ settings: { BASE_URL: 'http://waypost.example' } });
const impatient = await startTestService({
  mount: (http) => {
    Object.assign(http.server, { headersTimeout: 500, requestTimeout: 500, connectionsCheckingInterval: 20 });
  },
});

function ask(method: string, target: string, lines: readonly string[] = [], body = ''): Promise<RawAnswer> {
  const length = body === '' ? [] : [JSON_TYPE, `Content-Length: ${body.length}`];
  return sendRaw(service, requestText(method, target, [...COMMON, ...length, ...lines], body), {
    head: method === 'HEAD',
  });
}

function post(path: string, message: object): Promise<RawAnswer> {
  return ask('POST', path, [], JSON.stringify({ jsonrpc: '2.0', ...message }));
}

/** One answer of every kind, from each part that writes answers. */
const answers: [kind: string, status: number, answer: RawAnswer][] = [
  ['a page', 200, await ask('GET', '/', [HTML])],
  ['an unchanged page', 304, await unchanged('/docs')],
  ['an answer to HEAD', 200, await ask('HEAD', '/docs')],
  ['an asset', 200, await ask('GET', await anAsset())],
  ['a redirection', 302, await ask('GET', '/favicon.ico')],
  ['a read', 200, await ask('GET', '/api/agent/destinations')],
  ['a discovery file', 200, await ask('GET', '/llms.txt')],
  ['a tool list', 200, await post('/mcp', { id: 1, method: 'tools/list' })],
  ['a notification', 202, await post('/mcp', { method: 'notifications/initialized' })],
  ['a preflight', 204, await ask('OPTIONS', '/mcp')],
  ['a method unknown to MCP', 200, await post('/mcp', { id: 1, method: 'nonsense' })],
  ['a batch', 400, await ask('POST', '/mcp', [], '[]')],
  ['an unknown session', 404, await ask('DELETE', '/mcp', ['Mcp-Session-Id: x'])],
  ['a refused origin', 403, await ask('POST', '/mcp', ['Origin: https://evil.example'])],
  ['a wrong key', 401, await ask('GET', '/api/agent/destinations', ['Authorization: Bearer x'])],
  ['a path unknown to programs', 404, await ask('GET', '/api/agent/nothing')],
  ['a path unknown to people', 404, await ask('GET', '/nothing', [HTML])],
  ['a wrong method', 405, await ask('PUT', '/docs')],
  ['an unacceptable form', 406, await ask('GET', '/api/agent/destinations', ['Accept: image/png'])],
  ['a body that is no JSON', 400, await ask('POST', '/api/agent/signup', [], '{')],
  ['a body that is too large', 413, await ask('POST', '/api/agent/signup', [], `"${'x'.repeat(300_000)}"`)],
  [
    'a body of another type',
    415,
    await ask('POST', '/api/agent/signup', ['Content-Type: text/plain', 'Content-Length: 1']),
  ],
  ['fields that are at fault', 422, await ask('POST', '/api/agent/signup', [], '{}')],
  ['an address that cannot be decoded', 400, await ask('GET', '/api/agent/%zz')],
  ['an address that is too long', 414, await ask('GET', `/d/${'x'.repeat(300)}`)],
  ['headers that are too large', 431, await ask('GET', '/', [`X: ${'x'.repeat(20_000)}`])],
  ['what is not HTTP', 400, await sendRaw(service, 'nonsense\r\n\r\n')],
  ['no host', 400, await sendRaw(service, 'GET / HTTP/1.1\r\n\r\n')],
  ['an unknown expectation', 200, await ask('GET', '/docs', ['Expect: a-miracle'])],
  ['a tunnel', 400, await ask('CONNECT', 'example.com:443')],
  ['a request that never ends', 408, await sendRaw(impatient, 'GET / HTTP/1.1\r\nHost: localh')],
  [
    'a body that never comes',
    408,
    await sendRaw(impatient, requestText('POST', '/mcp', [...COMMON, JSON_TYPE, 'Content-Length: 9'])),
  ],
];

async function unchanged(path: string): Promise<RawAnswer> {
  const { headers } = await ask('GET', path);
  return ask('GET', path, [`If-None-Match: ${headers.get('etag') ?? ''}`]);
}

async function anAsset(): Promise<string> {
  return (await ask('GET', '/favicon.ico')).headers.get('location') ?? '';
}

test('every kind of answer has the status that is meant for it', () => {
  for (const [kind, status, answer] of answers) assert.equal(answer.status, status, kind);
});

test('every answer has an id of its own, which a problem document repeats', () => {
  const ids = answers.map(([kind, , answer]) => {
    const id = answer.headers.get('x-request-id') ?? '';
    assert.match(id, /^req_[0-9a-hjkmnp-tv-z]{26}$/, kind);
    if (answer.headers.get('content-type')?.startsWith('application/problem+json'))
      assert.equal((JSON.parse(answer.body) as { instance: string }).instance, id, kind);
    return id;
  });
  assert.equal(new Set(ids).size, ids.length);
});

test('every answer has the headers that keep a browser from harm', () => {
  for (const [kind, , { headers }] of answers) {
    assert.equal(headers.get('x-content-type-options'), 'nosniff', kind);
    assert.equal(headers.get('x-frame-options'), 'DENY', kind);
    assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin', kind);
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src '(self|none)';.*frame-ancestors 'none'/,
      kind,
    );
    assert.equal(headers.get('x-powered-by'), null, kind);
    assert.equal(headers.get('server'), null, kind);
  }
});

test('a page may load our own files, data may load nothing', async () => {
  const policy = async (path: string) => (await ask('GET', path)).headers.get('content-security-policy');
  assert.match((await policy('/')) ?? '', /^default-src 'self'/);
  assert.match((await policy('/openapi.json')) ?? '', /^default-src 'none'/);
});

test('transport security is asked for where the service is known under https, and only there', async () => {
  for (const [kind, , { headers }] of answers)
    assert.match(headers.get('strict-transport-security') ?? '', /^max-age=\d{8,}/, kind);
  const answer = await sendRaw(plain, requestText('GET', '/api/agent/destinations', COMMON));
  assert.deepEqual([answer.status, answer.headers.get('strict-transport-security')], [200, null]);
});

test('no refusal is kept by a cache', () => {
  for (const [kind, status, { headers }] of answers)
    if (status >= 400 && headers.get('content-type')?.startsWith('application/'))
      assert.equal(headers.get('cache-control'), 'no-store', kind);
});

test('an address that is there says which methods it has', async () => {
  const allow = async (method: string, path: string) => {
    const answer = await ask(method, path);
    assert.equal(answer.status, 405, `${method} ${path}`);
    return answer.headers.get('allow');
  };
  for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'])
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH'])
      assert.equal(await allow(method, path), 'POST, DELETE');
  assert.equal(await allow('GET', '/api/agent/signup'), 'POST');
  assert.equal(await allow('POST', '/api/agent/destinations'), 'GET, HEAD');
  for (const method of ['DELETE', 'OPTIONS', 'TRACE'])
    assert.equal(await allow(method, '/docs'), 'GET, HEAD');
  const withBody = await ask('PUT', '/mcp', ['Content-Type: text/plain', 'Content-Length: 1'], '');
  assert.equal(withBody.status, 405, 'whatever the body');
});

test('HEAD has the headers of GET and no body', async () => {
  for (const path of ['/', '/docs', '/openapi.json', '/llms.txt', '/api/agent/destinations', '/healthz']) {
    const [got, head] = [await ask('GET', path), await ask('HEAD', path)];
    assert.deepEqual([head.status, head.body], [200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
      assert.equal(head.headers.get(name), got.headers.get(name), `${name} of ${path}`);
  }
});

test('an unknown address is a page for a person and a problem document for a program', async () => {
  const type = async (path: string, lines: string[] = []) => {
    const answer = await ask('GET', path, lines);
    assert.equal(answer.status, 404, path);
    return answer.headers.get('content-type');
  };
  assert.equal(await type('/nothing', [HTML]), 'text/html; charset=utf-8');
  assert.equal(await type('/d/atlantis', [HTML]), 'text/html; charset=utf-8');
  for (const path of ['/api/agent/nothing', '/api/nothing', '/.well-known/nothing'])
    assert.equal(await type(path, [HTML]), 'application/problem+json; charset=utf-8', path);
  for (const path of ['/nothing', '/mcp/', '/MCP', '/d/atlantis', '/assets/nothing.css'])
    assert.equal(await type(path), 'application/problem+json; charset=utf-8', path);
});

test('a page for a person whose address cannot be decoded has the same headers as every other', async () => {
  const answer = await ask('GET', '/d/%zz', [HTML]);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [400, 'text/html; charset=utf-8']);
  assert.ok(answer.headers.has('x-request-id'));
  assert.ok(answer.headers.has('content-security-policy'));
});
