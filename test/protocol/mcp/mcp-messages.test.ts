import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODERN_META, modernRpc, rpc } from '../../harness/clients/mcp.ts';
import { sharedService } from '../../harness/service/shared-service.ts';

const PATHS = ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'];
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };

const service = await sharedService();

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await service.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

test('a legacy client is offered its own version, or the newest one that opens with initialize', async () => {
  for (const path of PATHS)
    for (const [asked, given] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
    ]) {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const { status, body, headers } = await rpc(service, path, { id: 'a', method: 'initialize', params });
      assert.deepEqual([status, body.id, body.result?.['protocolVersion']], [200, 'a', given]);
      assert.deepEqual(body.result?.['capabilities'], {
        tools: {},
        resources: {},
        extensions: {
          'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
          'io.modelcontextprotocol/skills': {},
        },
      });
      assert.ok(headers.has('mcp-session-id'));
    }
});

test('initialize without a version is refused and begins no session', async () => {
  for (const params of [undefined, {}, { protocolVersion: 7 }]) {
    const { status, body, headers } = await rpc(service, '/mcp', { id: 1, method: 'initialize', params });
    assert.deepEqual([status, body.error?.code, headers.get('mcp-session-id')], [200, -32602, null]);
  }
});

test('a notification is accepted without an answer', async () => {
  for (const path of PATHS)
    for (const method of [
      'notifications/initialized',
      'notifications/cancelled',
      'notifications/unheard_of',
    ]) {
      const { status, text } = await post(path, { jsonrpc: '2.0', method });
      assert.deepEqual([status, text], [202, ''], method);
    }
});

test('a call without an id is a notification: it is not carried out', async () => {
  const { status, text } = await post('/mcp', {
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'svc_list_destinations' },
  });
  assert.deepEqual([status, text], [202, '']);
});

test('a response that nobody asked for is accepted and ignored', async () => {
  for (const answer of [{ result: {} }, { error: { code: 1, message: 'x' } }])
    assert.equal((await post('/mcp', { jsonrpc: '2.0', id: 1, ...answer })).status, 202);
});

test('a batch is refused whole', async () => {
  for (const path of PATHS)
    for (const batch of [
      [],
      [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
      [{ jsonrpc: '2.0', method: 'x' }, 7],
    ]) {
      const { status, text } = await post(path, batch);
      assert.equal(status, 400);
      assert.deepEqual(JSON.parse(text), {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Batches are not supported; send one message in each request.' },
      });
    }
});

test('ping is answered with an empty result', async () => {
  for (const path of PATHS) {
    const { status, text } = await post(path, { jsonrpc: '2.0', id: 'p', method: 'ping' });
    assert.deepEqual([status, text], [200, '{"jsonrpc":"2.0","id":"p","result":{}}']);
  }
});

test('an id comes back as it was sent, and what is no id is refused', async () => {
  for (const id of [0, 1, -5, Number.MAX_SAFE_INTEGER, '', 'a', '\ud800', '"}'])
    assert.equal((await rpc(service, '/mcp', { id, method: 'ping' })).body.id, id);
  for (const id of [null, 1.5, 2 ** 60, true, {}, []])
    assert.equal((await rpc(service, '/mcp', { id, method: 'ping' })).status, 400);
});

test('a message that is not JSON-RPC 2.0 is refused, with its id where that can be read', async () => {
  for (const [message, code] of [
    [{ id: 1, method: 'ping' }, -32600],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    [{ jsonrpc: '2.0', id: 1 }, -32600],
    [{ jsonrpc: '2.0', id: 1, method: 7 }, -32600],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: null }, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' }, -32602],
  ] as const) {
    const { status, text } = await post('/mcp', message);
    const { id, error } = JSON.parse(text) as { id: unknown; error: { code: number } };
    assert.deepEqual([status, id, error.code], [400, 1, code], JSON.stringify(message));
  }
});

test('a client that accepts only an event stream gets one event, everybody else JSON', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const text = '{"jsonrpc":"2.0","id":1,"result":{}}';
  for (const accept of [
    'text/event-stream',
    'text/event-stream;q=0.5, text/html',
    'text/*',
    'application/json;q=0, text/event-stream',
  ]) {
    const streamed = await post('/mcp', ping, { accept });
    assert.deepEqual([streamed.status, streamed.text], [200, `event: message\ndata: ${text}\n\n`], accept);
    assert.match(streamed.type, /^text\/event-stream/);
  }
  for (const accept of [
    'application/json',
    'application/json, text/event-stream',
    '*/*',
    'application/*',
    'text/event-stream, application/json;q=0.1',
    'APPLICATION/JSON',
  ]) {
    const answer = await post('/mcp', ping, { accept });
    assert.deepEqual([answer.status, answer.text], [200, text], accept);
    assert.match(answer.type, /^application\/json/);
  }
  for (const accept of ['text/html', 'application/xml', 'application/jsonp', 'application/json;q=0'])
    assert.equal((await post('/mcp', ping, { accept })).status, 406, accept);
});

test('an error that is an answer like others comes in the form that the client accepts', async () => {
  const unknown = { jsonrpc: '2.0', id: 1, method: 'prompts/list' };
  const { status, type, text } = await post('/mcp', unknown, { accept: 'text/event-stream' });
  assert.equal(status, 200);
  assert.match(type, /^text\/event-stream/);
  assert.match(text, /^event: message\ndata: \{.*"code":-32601.*\}\n\n$/);
});

test('an unknown method is an answer to a legacy client and a 404 to a modern one', async () => {
  for (const path of PATHS)
    for (const method of ['resources/subscribe', 'prompts/list', 'constructor', '']) {
      const legacy = await rpc(service, path, { id: 1, method });
      assert.deepEqual([legacy.status, legacy.body.error?.code], [200, -32601], method);
      const modern = await modernRpc(service, path, method);
      assert.deepEqual([modern.status, modern.body.error?.code], [404, -32601], method);
    }
});

test('each era has its own way to begin', async () => {
  assert.equal((await modernRpc(service, '/mcp', 'server/discover')).status, 200);
  assert.equal((await rpc(service, '/mcp', { id: 1, method: 'server/discover' })).body.error?.code, -32601);
  for (const method of ['initialize', 'ping'])
    assert.deepEqual((await modernRpc(service, '/mcp', method)).body.error?.code, -32601, method);
});

test('a modern result says what it is, and a list how long it may be kept', async () => {
  for (const path of PATHS)
    for (const method of ['server/discover', 'tools/list']) {
      const { status, body, headers } = await modernRpc(service, path, method);
      assert.equal(status, 200);
      const { resultType, ttlMs, cacheScope } = body.result as Record<string, unknown>;
      assert.deepEqual([resultType, ttlMs, cacheScope], ['complete', 3_600_000, 'public']);
      assert.equal(headers.get('mcp-session-id'), null, 'there are no sessions');
    }
});

test('a modern request is not held to a session', async () => {
  assert.equal((await modernRpc(service, '/mcp', 'tools/list', {}, { 'mcp-session-id': 'x y' })).status, 200);
});

test('headers that are missing or differ from a modern body are a mismatch', async () => {
  const call = { name: 'list_destinations', arguments: {} };
  const path = '/api/partner/mcp';
  const cases: [string, Record<string, string>][] = [
    ['MCP-Protocol-Version', { 'mcp-protocol-version': '' }],
    ['MCP-Protocol-Version', { 'mcp-protocol-version': '2025-06-18' }],
    ['Mcp-Method', { 'mcp-method': '' }],
    ['Mcp-Method', { 'mcp-method': 'tools/list' }],
    ['Mcp-Method', { 'mcp-method': 'TOOLS/CALL' }],
    ['Mcp-Name', { 'mcp-name': '' }],
    ['Mcp-Name', { 'mcp-name': 'another_tool' }],
    ['Mcp-Name', { 'mcp-name': '=?base64?bm90IGl0?=' }],
    ['Mcp-Name', { 'mcp-name': '=?base64?%%%?=' }],
  ];
  const right = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'list_destinations',
  };
  const send = (headers: Record<string, string>) => {
    const given = Object.entries({ ...right, ...headers }).filter(([, value]) => value !== '');
    const message = { id: 1, method: 'tools/call', params: { ...call, _meta: MODERN_META } };
    return rpc(service, path, message, Object.fromEntries(given));
  };
  for (const [header, headers] of cases) {
    const { status, body } = await send(headers);
    assert.deepEqual(
      [status, body.error?.code, body.error?.data],
      [400, -32020, { header }],
      JSON.stringify(headers),
    );
  }
  assert.equal((await send({})).status, 200);
  const encoded = `=?base64?${Buffer.from('list_destinations').toString('base64')}?=`;
  assert.equal((await send({ 'mcp-name': encoded })).status, 200);
});

test('a modern request without its metadata is incomplete', async () => {
  const metas: [unknown, string][] = [
    [undefined, '_meta'],
    ['text', '_meta'],
    [{}, VERSION_KEY],
    [{ [VERSION_KEY]: 7 }, VERSION_KEY],
    [{ [VERSION_KEY]: '2026-07-28' }, 'io.modelcontextprotocol/clientCapabilities'],
    [
      { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': [] },
      'io.modelcontextprotocol/clientCapabilities',
    ],
  ];
  for (const [_meta, missing] of metas) {
    const { status, body } = await rpc(
      service,
      '/mcp',
      { id: 1, method: 'tools/list', params: { _meta } },
      MODERN,
    );
    assert.deepEqual(
      [status, body.error?.code, body.error?.data],
      [400, -32602, { missing }],
      JSON.stringify(_meta),
    );
  }
});

test('a version that is not served is named beside those that are', async () => {
  const meta = { ...MODERN_META, [VERSION_KEY]: '2099-01-01' };
  const headers = { ...MODERN, 'mcp-protocol-version': '2099-01-01' };
  const modern = await rpc(
    service,
    '/mcp',
    { id: 1, method: 'tools/list', params: { _meta: meta } },
    headers,
  );
  assert.deepEqual([modern.status, modern.body.error?.code], [400, -32022]);
  assert.deepEqual(modern.body.error?.data, { supported: ['2026-07-28'], requested: '2099-01-01' });
  const legacy = await rpc(
    service,
    '/mcp',
    { id: 1, method: 'tools/list' },
    { 'mcp-protocol-version': '1999-01-01' },
  );
  assert.deepEqual([legacy.status, legacy.body.error?.code], [400, -32022]);
  assert.deepEqual(legacy.body.error?.data, {
    supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    requested: '1999-01-01',
  });
});
