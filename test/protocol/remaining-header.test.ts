import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modernRpc, rpc } from '../harness/clients/mcp.ts';
import { requestText, sendRaw, type RawAnswer } from '../harness/clients/raw-http.ts';
import { signUpAgent, startTestService, USER_AGENT } from '../harness/service/service.ts';

const REMAINING = 'x-ratelimit-remaining';
const HOST = 'Host: localhost';
const AGENT = `User-Agent: ${USER_AGENT}`;
const JSON_TYPE = 'Content-Type: application/json';

const service = await startTestService({
  mount: (http) => {
    http.get('/api/agent/broken', () => Promise.reject(new Error('This route is broken.')));
  },
});
const impatient = await startTestService({
  database: service.database,
  mount: (http) => {
    Object.assign(http.server, { headersTimeout: 500, requestTimeout: 500, connectionsCheckingInterval: 20 });
  },
});

function ask(method: string, target: string, lines: readonly string[] = [], body = ''): Promise<RawAnswer> {
  const length = body === '' ? [] : [JSON_TYPE, `Content-Length: ${body.length}`];
  const text = requestText(method, target, [HOST, AGENT, ...length, ...lines], body);
  return sendRaw(service, text, { head: method === 'HEAD' });
}

function askAlone(target: string, lines: readonly string[], on = service): Promise<RawAnswer> {
  return sendRaw(on, requestText('GET', target, lines));
}

test('every refusal on the agent surface tells that a caller who is not known has nothing left', async () => {
  const large = `"${'x'.repeat(300_000)}"`;
  const plain = ['Content-Type: text/plain', 'Content-Length: 1'];
  const long = 'x'.repeat(300);
  const wide = [`X: ${'x'.repeat(20_000)}`];
  const stuck = requestText('POST', '/mcp', [HOST, AGENT, JSON_TYPE, 'Content-Length: 9']);
  const answers: [kind: string, status: number, answer: RawAnswer][] = [
    ['a preflight of REST', 204, await ask('OPTIONS', '/api/agent/search')],
    ['a preflight of nothing', 204, await ask('OPTIONS', '/api/agent/nothing')],
    ['a preflight of MCP', 204, await ask('OPTIONS', '/mcp')],
    ['a path that cannot be decoded', 400, await ask('GET', '/api/agent/%zz')],
    ['another spelling of it', 400, await ask('GET', '/%61pi/agent/%zz')],
    ['a whole address that cannot be decoded', 400, await ask('GET', 'http://localhost/api/agent/%zz')],
    ['the folder', 404, await ask('GET', '/api/agent')],
    ['a path that leads nowhere', 404, await ask('GET', '/api/agent/nothing')],
    ['another spelling of one', 404, await ask('GET', '/api/%61gent/nothing')],
    ['a whole address that leads nowhere', 404, await ask('GET', 'http://localhost/api/agent/nothing')],
    ['a stream over MCP', 405, await ask('GET', '/mcp', ['Accept: text/event-stream'])],
    ['another method over MCP', 405, await ask('PUT', '/mcp')],
    ['another method on REST', 405, await ask('DELETE', '/api/agent/search')],
    ['a method that HTTP does not know', 400, await ask('NONSENSE', '/api/agent/search')],
    ['an id that is too long', 414, await ask('GET', `/api/agent/business/${long}`)],
    ['headers that are too large', 431, await ask('GET', '/api/agent/me', wide)],
    ['headers that are too large for MCP', 431, await ask('POST', '/mcp', wide)],
    ['another host', 403, await askAlone('/api/agent/me', ['Host: evil.example', AGENT])],
    ['two hosts', 400, await ask('GET', '/api/agent/me', [HOST])],
    ['no User-Agent', 403, await askAlone('/api/agent/me', [HOST])],
    ['another origin', 403, await ask('POST', '/mcp', ['Origin: https://evil.example'])],
    ['text', 415, await ask('POST', '/api/agent/signup', plain)],
    ['text over MCP', 415, await ask('POST', '/mcp', plain)],
    ['broken JSON', 400, await ask('POST', '/api/agent/signup', [], '{')],
    ['broken JSON over MCP', 400, await ask('POST', '/mcp', [], '{')],
    ['a body that is too large', 413, await ask('POST', '/api/agent/signup', [], large)],
    ['a body that is too large over MCP', 413, await ask('POST', '/mcp', [], large)],
    ['wrong fields', 422, await ask('POST', '/api/agent/signup', [], '{}')],
    ['no key', 401, await ask('GET', '/api/agent/me')],
    ['no key, asked by HEAD', 401, await ask('HEAD', '/api/agent/submissions')],
    ['a wrong key', 401, await ask('GET', '/api/agent/destinations', ['Authorization: Bearer x'])],
    ['a form that we do not have', 406, await ask('GET', '/api/agent/destinations', ['Accept: image/png'])],
    ['a fault of ours', 500, await ask('GET', '/api/agent/broken')],
    ['headers that never end', 408, await sendRaw(impatient, 'GET /api/agent/me HTTP/1.1\r\nHost: localh')],
    ['a body that never comes', 408, await sendRaw(impatient, stuck)],
  ];
  for (const [kind, status, answer] of answers) {
    assert.equal(answer.status, status, kind);
    assert.equal(answer.headers.get(REMAINING), '0', kind);
  }
});

test('every answer to an agent tells its reads, also where none is used, refused or free', async () => {
  const authorization = `Bearer ${(await signUpAgent(service)).apiKey}`;
  const headers = { authorization };
  const json = { ...headers, 'content-type': 'application/json' };
  const search = await service.request('/api/agent/search?city=bali', { headers });
  assert.equal(search.headers.get(REMAINING), '99');
  const requests: [path: string, init: RequestInit, status: number][] = [
    ['/api/agent/me', { headers }, 200],
    ['/api/agent/destinations', { headers }, 200],
    // The same by the router: the fast lane takes no HEAD.
    ['/api/agent/destinations', { headers, method: 'HEAD' }, 200],
    ['/api/agent/submissions', { headers }, 200],
    ['/api/agent/submissions?status=nonsense', { headers }, 422],
    ['/api/agent/photos/quote?photo_id=pho_nothing&use=web', { headers }, 404],
    ['/api/agent/business', { headers: json, method: 'POST', body: '{}' }, 422],
  ];
  for (const [path, init, status] of requests) {
    const answer = await service.request(path, init);
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get(REMAINING), '99', path);
  }
  const params = { name: 'svc_list_destinations', arguments: {} };
  const answers = [
    await rpc(service, '/mcp', { id: 1, method: 'tools/list' }, headers),
    await rpc(service, '/mcp', { id: 1, method: 'tools/call', params }, headers),
    await rpc(service, '/mcp', { id: 1, method: 'nonsense' }, headers),
    await modernRpc(service, '/mcp', 'server/discover', {}, headers),
    await modernRpc(service, '/mcp', 'tools/call', params, headers),
  ];
  for (const [i, answer] of answers.entries()) assert.equal(answer.headers.get(REMAINING), '99', String(i));
  const opened = await rpc(
    service,
    '/mcp',
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    },
    headers,
  );
  const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const told = await service.request('/mcp', {
    method: 'POST',
    headers: {
      ...session,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  });
  const ended = await service.request('/mcp', { method: 'DELETE', headers: session });
  assert.deepEqual([opened.status, told.status, ended.status], [200, 202, 204]);
  for (const answer of [opened, told, ended]) assert.equal(answer.headers.get(REMAINING), '99');
});

test('each answer tells it once, and only the agent surface tells it', async () => {
  for (const [method, path, body] of [
    ['GET', '/api/agent/destinations', ''],
    ['POST', '/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
    ['GET', '/api/agent/nothing', ''],
  ] as const)
    assert.equal((await ask(method, path, [], body)).headers.get(REMAINING), '0', path);
  for (const path of ['/', '/docs', '/api/partner', '/openapi.json', '/nothing'])
    assert.equal((await ask('GET', path)).headers.get(REMAINING), null, path);
});
