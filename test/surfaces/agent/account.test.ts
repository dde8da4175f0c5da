import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../harness/service/jobs.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { signUpAgent, startTestService } from '../../harness/service/service.ts';

const service = await startTestService({ settings: { TEST_PAYMENTS: 'on' } });
const { pool } = service.database;

interface Account {
  agent_id: string;
  key: { prefix: string; created_at: string; last_used_at: string | null };
  plan: { name: string; reads_per_day: number; paid_until: string | null };
  quota: { limit: number; used: number; remaining: number };
  [member: string]: unknown;
}

function bearer(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}

async function account(apiKey: string): Promise<Account> {
  const response = await service.request('/api/agent/me', { headers: bearer(apiKey) });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Account;
}

function post(path: string, apiKey: string | undefined, body?: unknown): Promise<Response> {
  return service.request(path, {
    method: 'POST',
    headers: {
      ...(apiKey === undefined ? {} : bearer(apiKey)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}

test('an account tells its record, its plan, its quota and where the keys of callbacks are', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  const { operator_email, key, ...rest } = await account(apiKey);
  assert.match(String(operator_email), /@operator\.example$/);
  assert.equal(key.prefix, apiKey.slice(0, 12));
  assert.deepEqual(rest, {
    agent_id: agentId,
    agent_name: 'Test Agent',
    operator_name: 'Test Operator',
    email_verified: false,
    homepage: null,
    purpose: 'Tests what agents may do here.',
    status: 'active',
    created_at: '2026-11-14T12:00:00.000Z',
    plan: {
      name: 'free',
      price_cents: 0,
      reads_per_day: 100,
      reads_per_minute: 120,
      beta: false,
      paid_until: null,
    },
    quota: { date: '2026-11-14', limit: 100, used: 0, remaining: 100, resets_at: '2026-11-15T00:00:00Z' },
    submissions: { pending_review: 0, approved: 0, rejected: 0 },
    callback_keys_url: 'https://waypost.example/.well-known/svc-webhook-keys.json',
    attribution: rest['attribution'],
    attribution_links: rest['attribution_links'],
  });
  await service.request('/api/agent/search', { headers: bearer(apiKey) });
  assert.deepEqual((await account(apiKey)).quota.used, 1);
});

test('without a key there is no account, and no answer tells more than the reason', async () => {
  const anonymous = await service.request('/api/agent/me');
  assert.equal(anonymous.status, 401);
  assert.equal(await codeOf(anonymous), 'missing_credentials');
  for (const path of ['/api/agent/me/rotate', '/api/agent/me/plan'])
    assert.equal((await post(path, undefined, { plan: 'starter' })).status, 401, path);
});

test('when a key was last used is noted, at most once a minute', async () => {
  const { apiKey } = await signUpAgent(service);
  const used = () =>
    until('a use is noted', async () => (await account(apiKey)).key.last_used_at ?? undefined);
  assert.equal(await used(), '2026-11-14T12:00:00.000Z');
  const version = async () =>
    (await pool`select xmin::text from api_key where prefix = ${apiKey.slice(0, 12)}`)[0];
  const before = await version();
  service.clock.advance(59_000);
  for (let i = 0; i < 5; i++) await account(apiKey);
  // Another key's use goes out in the same rhythm, so once it is there, this one would be too.
  const other = await signUpAgent(service);
  await until('the other is noted', async () => (await account(other.apiKey)).key.last_used_at ?? undefined);
  assert.deepEqual(await version(), before);
  service.clock.advance(1_000);
  await account(apiKey);
  await until(
    'the next minute is noted',
    async () => (await account(apiKey)).key.last_used_at !== '2026-11-14T12:00:00.000Z',
  );
  service.clock.advance(-60_000);
});

test('a suspended agent is refused with 403 and comes back as it was; a revoked one is refused with 401', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  const status = async (value: string) => {
    await pool`update agent set status = ${value} where id = ${agentId}`;
    await service.app.deps.lease.lapsed();
  };
  await status('suspended');
  for (const path of ['/api/agent/me', '/api/agent/search', '/api/agent/destinations']) {
    const refused = await service.request(path, { headers: bearer(apiKey) });
    assert.equal(refused.status, 403, path);
    assert.equal(await codeOf(refused), 'agent_suspended');
  }
  assert.equal((await post('/api/agent/me/rotate', apiKey)).status, 403);
  await status('active');
  assert.equal((await account(apiKey)).agent_id, agentId);
  await status('revoked');
  const revoked = await service.request('/api/agent/me', { headers: bearer(apiKey) });
  assert.equal(revoked.status, 401);
  assert.equal(await codeOf(revoked), 'key_revoked');
  assert.match(revoked.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/);
});

test('a key is rotated with or without a body: the new one opens everything, the old one nothing', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  let key = apiKey;
  for (const body of [undefined, {}]) {
    const response = await post('/api/agent/me/rotate', key, body);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const rotated = (await response.json()) as Record<string, unknown>;
    assert.match(String(rotated['api_key']), /^svc_live_[0-9A-Za-z]{36}$/);
    assert.deepEqual(
      [rotated['agent_id'], rotated['key_shown_once'], rotated['old_key_revoked'], rotated['rotated_at']],
      [agentId, true, true, '2026-11-14T12:00:00.000Z'],
    );
    const old = await service.request('/api/agent/me', { headers: bearer(key) });
    assert.equal(old.status, 401);
    assert.equal(await codeOf(old), 'key_revoked');
    key = String(rotated['api_key']);
    assert.equal((await account(key)).agent_id, agentId);
  }
  const [audited] = await pool<{ count: number }[]>`
    select count(*)::int from audit_log where operation = 'rotate_key' and actor = ${agentId}`;
  assert.equal(audited?.count, 2);
  assert.doesNotMatch(JSON.stringify(service.logged), new RegExp(key.slice(12)));
});

test('the address of rotation before still answers, and says where it went and until when', async () => {
  const { apiKey } = await signUpAgent(service);
  const gone = { deprecation: '@1794787200', sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' };
  for (const [key, status] of [
    [undefined, 401],
    [apiKey, 200],
  ] as const) {
    const response = await post('/api/agent/rotate', key);
    assert.equal(response.status, status);
    assert.deepEqual(
      [response.headers.get('deprecation'), response.headers.get('sunset'), response.headers.get('link')],
      [
        gone.deprecation,
        gone.sunset,
        '</api/agent/me/rotate>; rel="successor-version", </changelog.json>; rel="deprecation"',
      ],
    );
  }
  const other = await signUpAgent(service);
  assert.equal((await post('/api/agent/me/rotate', other.apiKey)).headers.get('deprecation'), null);
  const { paths } = (await (await service.request('/openapi.json')).json()) as { paths: object };
  assert.ok('/api/agent/me/rotate' in paths && !('/api/agent/rotate' in paths));
});

test('a body that is no object is refused, and the key stays', async () => {
  const { apiKey } = await signUpAgent(service);
  for (const body of [[], 'x', 1, null])
    assert.equal((await post('/api/agent/me/rotate', apiKey, body)).status, 400);
  await account(apiKey);
});

test('writes over 300 a minute are refused until the minute has passed', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  await pool`
    insert into rate_window (kind, name, starts_at, ends_at, used, ceiling)
    values ('ceiling', ${`writes-minute/${agentId}`}, '2026-11-14T12:00:00Z', '2026-11-14T12:01:00Z', 300, 300)`;
  const refused = await post('/api/agent/me/plan', apiKey, { plan: 'starter' });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '60');
  assert.equal(await codeOf(refused), 'write_burst');
  // A tool is a write like any other.
  const submit = {
    id: 1,
    method: 'tools/call',
    params: {
      name: 'svc_submit_business',
      arguments: { relationship: 'owner', name: 'Warung Senja', country: 'ID', city: 'Ubud' },
    },
  };
  const asTool = await rpc(service, '/mcp', submit, bearer(apiKey));
  assert.deepEqual([asTool.status, asTool.body.error?.code], [429, 42900]);
  assert.deepEqual(
    [asTool.headers.get('retry-after'), asTool.body.error?.data?.['code']],
    ['60', 'write_burst'],
  );
  service.clock.advance(60_000);
  assert.equal((await post('/api/agent/me/plan', apiKey, { plan: 'starter' })).status, 201);
  service.clock.advance(-60_000);
});

test('an address that is missing, of another type, too long or hostile is refused with a pointer', async () => {
  const before = await pool`select count(*)::int as count from graphile_worker.jobs`;
  const hostile = ['', ' ', 'x', 1, null, ['a@b.example'], { a: 1 }, `${'a'.repeat(300)}@b.example`];
  const texts = ['a\u0000@b.example', '<script>@b.example', "a'; drop table agent;--@b"];
  for (const operator_email of [...hostile, ...texts, undefined]) {
    const response = await post('/api/agent/recover', undefined, { operator_email });
    assert.equal(response.status, 422, JSON.stringify(operator_email));
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/operator_email'],
      JSON.stringify(operator_email),
    );
  }
  assert.deepEqual(await pool`select count(*)::int as count from graphile_worker.jobs`, before);
});
