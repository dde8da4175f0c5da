import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPartner } from '../../../src/accounts/partners/partner.ts';
import { rpc, type RpcAnswer } from '../../harness/clients/mcp.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { DAY_MS } from '../../../src/core/time.ts';

const PATHS = ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'] as const;
type Path = (typeof PATHS)[number];
type Headers = Record<string, string>;

const service = await startTestService();
const node = await startTestService({ database: service.database });
let partners = 0;

async function newPartner(): Promise<Headers> {
  const { newId, clock, pool } = service.app.deps;
  partners += 1;
  const partner = { email: `p${partners}@partner.example`, name: 'Partner' };
  return { 'x-partner-key': (await addPartner(pool, newId, clock.now(), 'svc', partner)).apiKey };
}

async function newAgent(): Promise<Headers> {
  const response = await service.request('/api/agent/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      agent_name: 'Sessions',
      operator_name: 'Sessions',
      operator_email: `a${(partners += 1)}@agent.example`,
      purpose: 'Opens and closes sessions.',
    }),
  });
  return { authorization: `Bearer ${((await response.json()) as { api_key: string }).api_key}` };
}

function initialize(path: Path, headers: Headers = {}, node: TestService = service): Promise<RpcAnswer> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  return rpc(node, path, { id: 0, method: 'initialize', params }, headers);
}

async function begin(path: Path, headers: Headers = {}): Promise<string> {
  const { status, headers: answered } = await initialize(path, headers);
  assert.equal(status, 200);
  return answered.get('mcp-session-id') ?? assert.fail('no session');
}

async function use(path: Path, session: string, headers: Headers = {}, node = service): Promise<number> {
  const message = { id: 1, method: 'tools/list' };
  return (await rpc(node, path, message, { 'mcp-session-id': session, ...headers })).status;
}

async function end(path: Path, session: string, headers: Headers = {}, node = service): Promise<number> {
  const response = await node.request(path, {
    method: 'DELETE',
    headers: { 'mcp-session-id': session, ...headers },
  });
  return response.status;
}

test('initialize hands out a session that the next calls may send back', async () => {
  for (const path of PATHS) {
    const session = await begin(path);
    assert.match(session, /^[\x21-\x7e]+$/);
    assert.equal(await use(path, session), 200);
    assert.equal((await rpc(service, path, { id: 1, method: 'tools/list' })).status, 200, 'or leave out');
  }
  assert.notEqual(await begin('/mcp'), await begin('/mcp'));
});

test('a session costs nothing to begin: nothing is stored', async () => {
  const { pool } = service.database;
  const count = async () => (await pool`select 1 from ended_session`).length;
  const before = await count();
  await Promise.all(Array.from({ length: 20 }, () => begin('/mcp')));
  assert.equal(await count(), before);
});

test('a session that is not ours is not found, one that cannot be a session is malformed', async () => {
  const session = await begin('/mcp');
  const changed = session.slice(0, 5) + (session[5] === 'A' ? 'B' : 'A') + session.slice(6);
  for (const unknown of [
    'x',
    changed,
    session.slice(1),
    `${session}A`,
    `${session}=`,
    `${session.slice(0, 9)}!${session.slice(9)}`,
    session.replaceAll('_', '/').replaceAll('-', '+') + '.',
  ])
    assert.equal(await use('/mcp', unknown), 404, unknown);
  for (const malformed of ['', 'two words', 'é', 'x'.repeat(257)]) {
    assert.equal(await use('/mcp', malformed), 400, malformed);
    assert.equal(await end('/mcp', malformed), 400, malformed);
  }
  const { body } = await rpc(service, '/mcp', { id: 7, method: 'ping' }, { 'mcp-session-id': 'x' });
  assert.equal(body.id, 7);
  assert.match(body.error?.message ?? '', /^session_not_found: /);
});

test('a session of one surface is not found on another', async () => {
  for (const from of PATHS) {
    const session = await begin(from);
    for (const to of PATHS) assert.equal(await use(to, session), from === to ? 200 : 404, `${from} ${to}`);
  }
});

test('a session belongs to the account that began it', async () => {
  const [one, two] = [await newPartner(), await newPartner()];
  const session = await begin('/api/partner/mcp', one);
  assert.equal(await use('/api/partner/mcp', session, one), 200);
  assert.equal(await use('/api/partner/mcp', session, two), 404);
  assert.equal(await use('/api/partner/mcp', session), 404, 'nor is it anybody’s');
  assert.equal(await end('/api/partner/mcp', session, two), 404);
  assert.equal(await end('/api/partner/mcp', session), 404);
  assert.equal(await use('/api/partner/mcp', session, one), 200, 'and nobody else ended it');
  const [agent, other] = [await newAgent(), await newAgent()];
  const begun = await begin('/mcp', agent);
  assert.deepEqual([await use('/mcp', begun, agent), await use('/mcp', begun, other)], [200, 404]);
});

test('a session begun without a key may go on with one', async () => {
  assert.equal(await use('/api/concierge/mcp', await begin('/api/concierge/mcp'), await newPartner()), 200);
  assert.equal(await use('/mcp', await begin('/mcp'), await newAgent()), 200);
});

test('a wrong key is refused, however good the session', async () => {
  const session = await begin('/api/partner/mcp');
  assert.equal(await use('/api/partner/mcp', session, { 'x-partner-key': 'wrong' }), 401);
  assert.equal(await use('/mcp', await begin('/mcp'), { authorization: 'Bearer wrong' }), 401);
});

test('a session ends after 24 hours', async () => {
  const session = (await initialize('/mcp', {}, node)).headers.get('mcp-session-id') ?? '';
  node.clock.advance(DAY_MS - 1);
  assert.equal(await use('/mcp', session, {}, node), 200);
  node.clock.advance(1);
  assert.equal(await use('/mcp', session, {}, node), 404);
  assert.equal(await end('/mcp', session, {}, node), 404);
  node.clock.advance(-DAY_MS);
});

test('initialize with a stale or malformed session begins a new one', async () => {
  for (const stale of ['x', 'two words', 'x'.repeat(300)]) {
    const { status, headers } = await initialize('/mcp', { 'mcp-session-id': stale });
    assert.equal(status, 200, stale);
    assert.ok(headers.has('mcp-session-id'));
  }
});

test('DELETE ends a session on this node, on every other node and after a restart', async () => {
  const sessions: [path: Path, session: string, status: number][] = [];
  for (const path of PATHS) {
    const [kept, session] = [await begin(path), await begin(path)];
    assert.equal(await use(path, session, {}, node), 200, 'another node takes it');
    assert.equal(await end(path, session), 204);
    assert.equal(await use(path, session), 404);
    assert.equal(await end(path, session), 404, 'it cannot be ended twice');
    await until(async () => (await use(path, session, {}, node)) === 404);
    sessions.push([path, session, 404], [path, kept, 200]);
  }
  const later = await startTestService({ database: service.database });
  for (const [path, session, status] of sessions)
    assert.equal(await use(path, session, {}, later), status, path);
  await later.close();
});

test('no other spelling of an ended session brings it back', async () => {
  const session = await begin('/mcp');
  assert.equal(await end('/mcp', session), 204);
  for (const spelling of [
    `${session}=`,
    `${session}!`,
    `=${session}`,
    `${session.slice(0, 4)}.${session.slice(4)}`,
  ])
    assert.equal(await use('/mcp', spelling), 404, spelling);
});

test('a node that lost its connection learns what ended meanwhile', async () => {
  const { pool } = service.database;
  const listeners = () => pool<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'waypost listener'`;
  const session = await begin('/mcp');
  const before = (await listeners()).map(({ pid }) => pid);
  assert.ok(before.length > 0);
  await pool`select pg_terminate_backend(pid) from unnest(${before}::int[]) as pid`;
  assert.equal(await end('/mcp', session), 204);
  await until(async () => (await use('/mcp', session, {}, node)) === 404);
});

test('ended sessions are forgotten once they would have expired', async () => {
  const { pool } = service.database;
  const session = (await initialize('/mcp', {}, node)).headers.get('mcp-session-id') ?? '';
  await end('/mcp', session, {}, node);
  const count = async () => (await pool`select 1 from ended_session`).length;
  assert.ok((await count()) > 0);
  await node.app.deps.sessions.forgetExpired(new Date(node.clock.now().getTime() + DAY_MS + 1));
  assert.equal(await count(), 0);
});

test('DELETE without a session says what is missing', async () => {
  for (const path of PATHS) assert.equal((await service.request(path, { method: 'DELETE' })).status, 400);
});

/** Waits for a condition that another process brings about. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
