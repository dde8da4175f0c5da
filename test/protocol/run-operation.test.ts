import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { z } from 'zod';
import { AppError } from '../../src/core/errors.ts';
import { defineOperation } from '../../src/core/operation.ts';
import { addRestRoutes } from '../../src/protocol/rest.ts';
import { startTestService } from '../harness/service/service.ts';

const common = {
  title: 'Test',
  description: 'A fixture.',
  tag: 'account',
  containsUntrustedText: false,
  tools: [],
} as const;
const output = z.object({ seen: z.string() });
const example = { input: {}, output: { seen: 'x' } };

const forAgents = defineOperation({
  ...common,
  name: 'for_agents',
  effect: 'read',
  access: { who: 'agent', scope: 'read' },
  rest: { method: 'GET', path: '/api/agent/fixture' },
  input: z.object({ many: z.int().optional(), yes: z.boolean().optional() }),
  output,
  example,
  run: (ctx, given) => ({ seen: JSON.stringify([ctx.actor.kind, given]), password_hash: 'a wide select' }),
});

const breaking = defineOperation({
  ...common,
  name: 'breaking',
  effect: 'write',
  access: { who: 'anyone' },
  rest: { method: 'POST', path: '/api/agent/fixture-write' },
  input: z.object({ how: z.enum(['refuse', 'fail', 'lie']) }),
  output,
  example: { input: { how: 'fail' as const }, output: { seen: 'x' } },
  async run(ctx, { how }) {
    await ctx.db`insert into partner (id, email, name, created_at)
      values ('ptn_00000000000000000000000000', 'left@behind.example', 'Left behind', ${ctx.now})`;
    ctx.audit('ptn_00000000000000000000000000');
    if (how === 'refuse') throw new AppError('operator_exists', 'Refused.');
    if (how === 'fail') throw new Error('duplicate key value violates unique constraint "secret_name"');
    return { seen: 7 as unknown as string };
  },
});

const service = await startTestService({
  mount: (http, deps, lane) => {
    addRestRoutes(http, deps, [forAgents, breaking], lane);
  },
});
const { pool } = service.database;

async function signUp(): Promise<{ agent_id: string; api_key: string }> {
  const response = await service.request('/api/agent/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      agent_name: 'Fixture',
      operator_name: 'Fixture',
      operator_email: 'fixture@agent.example',
      purpose: 'Calls an operation for agents.',
    }),
  });
  return (await response.json()) as { agent_id: string; api_key: string };
}

const agent = await signUp();

async function get(query = '', key: string | undefined = agent.api_key) {
  const headers = key === '' ? {} : { authorization: `Bearer ${key}` };
  const response = await service.request(`/api/agent/fixture${query}`, { headers });
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    body: (await response.json()) as Record<string, unknown>,
  };
}

test('an operation for agents asks whoever has no key for one, and says where to learn more', async () => {
  const { status, challenge, body } = await get('', '');
  assert.deepEqual([status, body['code']], [401, 'missing_credentials']);
  assert.equal(
    challenge,
    'Bearer resource_metadata="https://waypost.example/.well-known/oauth-protected-resource/mcp", scope="svc.read svc.write"',
  );
});

test('a key that is wrong, revoked or suspended opens nothing', async () => {
  const wrong = await get('', 'svc_live_000000000000000000000000000000000000');
  assert.deepEqual([wrong.status, wrong.body['code']], [401, 'invalid_key']);
  assert.match(wrong.challenge ?? '', /^Bearer error="invalid_token", resource_metadata=/);
  await pool`update agent set status = 'suspended' where id = ${agent.agent_id}`;
  await service.app.deps.lease.lapsed();
  const suspended = await get();
  assert.deepEqual([suspended.status, suspended.body['code']], [403, 'agent_suspended']);
  await pool`update agent set status = 'active' where id = ${agent.agent_id}`;
  await pool`update api_key set revoked_at = now() where agent_id = ${agent.agent_id}`;
  await service.app.deps.lease.lapsed();
  const revoked = await get();
  assert.deepEqual([revoked.status, revoked.body['code']], [401, 'key_revoked']);
  assert.match(revoked.challenge ?? '', /^Bearer error="invalid_token"/);
  await pool`update api_key set revoked_at = null where agent_id = ${agent.agent_id}`;
  await service.app.deps.lease.lapsed();
});

test('members that the output schema does not name are not sent', async () => {
  const { status, body } = await get();
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), ['attribution', 'attribution_links', 'seen']);
});

test('query text becomes what the schema asks for, and is refused where it cannot', async () => {
  assert.equal((await get('?many=7&yes=true')).body['seen'], '["agent",{"many":7,"yes":true}]');
  assert.equal((await get('?many=&yes=')).body['seen'], '["agent",{}]');
  for (const [query, pointer, code] of [
    ['?many=x', '/many', 'wrong_type'],
    ['?many=1.5', '/many', 'not_integer'],
    ['?many=1e3', '/many', 'wrong_type'],
    ['?yes=1', '/yes', 'wrong_type'],
  ] as const) {
    const { status, body } = await get(query);
    const errors = body['errors'] as { pointer: string; code: string }[];
    assert.deepEqual([status, errors[0]?.pointer, errors[0]?.code], [422, pointer, code], query);
  }
});

test('a parameter that stands twice is refused, one that is unknown is named, whatever its name', async () => {
  for (const query of ['?many=1&many=1', '?__proto__=1&__proto__=1', '?a=1&%61=1'])
    assert.deepEqual((await get(query)).body['code'], 'bad_query', query);
  const { body } = await get('?__proto__=1&constructor=2');
  assert.deepEqual(body['warnings'], [
    { code: 'unknown_field', pointer: '/__proto__' },
    { code: 'unknown_field', pointer: '/constructor' },
  ]);
});

test('a write that is refused, fails or answers wrongly leaves nothing behind', async () => {
  for (const [how, status] of [
    ['refuse', 409],
    ['fail', 500],
    ['lie', 500],
  ] as const) {
    const response = await service.request('/api/agent/fixture-write', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `${how}-${randomUUID()}` },
      body: JSON.stringify({ how }),
    });
    const text = await response.text();
    assert.equal(response.status, status, text);
    assert.doesNotMatch(text, /secret_name|constraint|seen|zod/i);
  }
  for (const table of ['partner', 'idempotency_key'])
    assert.equal((await pool.unsafe(`select 1 from ${table}`)).length, 0, table);
  assert.equal((await pool`select 1 from audit_log where operation = 'breaking'`).length, 0);
});
