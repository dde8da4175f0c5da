import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { AppError } from '../../src/core/errors.ts';
import { defineOperation } from '../../src/core/operation.ts';
import { runOperation } from '../../src/protocol/run-operation.ts';
import { Person, startOauthService } from '../harness/oauth.ts';
import { callWith, OauthClient } from '../harness/oauth-client.ts';
import { signUpAgent } from '../harness/service.ts';
import { business } from '../harness/submissions.ts';

const service = await startOauthService({ demoPlaces: 20 });
const { pool } = service.database;
const client = await OauthClient.register(service, { client_name: 'Trip Planner' });

async function accountOf(email: string) {
  const [account] = await pool<Record<string, unknown>[]>`
    select a.*, exists (select from api_key k where k.agent_id = a.id) as has_key
    from agent a where operator_email = ${email}`;
  return account;
}

describe('the account behind a connection', () => {
  test('is made at the first approval, named after the client, without a key', async () => {
    const person = new Person(service, 'first-time@operator.example');
    const page = await person.signIn(await person.open(String(await client.authorizationUrl())));
    assert.equal(await accountOf(person.email), undefined, 'signing in alone makes no account');
    await client.exchange(await person.decide(page, 'approve'));
    const account = await accountOf(person.email);
    assert.equal(account?.['agent_name'], 'Trip Planner');
    assert.equal(account['purpose'], 'OAuth client Trip Planner');
    assert.equal(account['has_key'], false);
    assert.notEqual(account['email_verified_at'], null);
  });

  test('can be made for a client that calls itself nearly nothing', async () => {
    const person = new Person(service, 'short@operator.example');
    await (await OauthClient.register(service, { client_name: 'X' })).connect(person);
    assert.equal((await accountOf(person.email))?.['agent_name'], 'Client X');
    const nameless = new Person(service, 'nameless@operator.example');
    await (await OauthClient.register(service, { client_name: '\u202e \u200b' })).connect(nameless);
    assert.equal((await accountOf(nameless.email))?.['agent_name'], 'localhost:45678');
  });

  test('is the one that has the key, and both use up the same reads', async () => {
    const { agentId, apiKey } = await signUpAgent(service);
    const [agent] = await pool<{ operator_email: string }[]>`
      select operator_email from agent where id = ${agentId}`;
    const person = new Person(service, agent?.operator_email ?? '');
    const { access_token: token } = await client.connect(person);
    const search = async (credential: string) => {
      const { headers } = await callWith(service, credential, 'svc_search_places', {
        city: 'bali',
        limit: 1,
      });
      return Number(headers.get('x-ratelimit-remaining'));
    };
    const left = await search(apiKey);
    assert.equal(await search(token), left - 1);
    assert.equal(await search(apiKey), left - 2);
    const me = await service.request('/api/agent/me', { headers: { authorization: `Bearer ${apiKey}` } });
    assert.equal(((await me.json()) as { email_verified: boolean }).email_verified, true);
  });

  test('keeps its connections when its key is rotated, unless it is told otherwise', async () => {
    const { agentId, apiKey } = await signUpAgent(service);
    const [agent] = await pool<{ operator_email: string }[]>`
      select operator_email from agent where id = ${agentId}`;
    const { access_token: token } = await client.connect(new Person(service, agent?.operator_email ?? ''));
    const rotate = async (key: string, body: object) => {
      const response = await service.request('/api/agent/me/rotate', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 200);
      return ((await response.json()) as { api_key: string }).api_key;
    };
    const next = await rotate(apiKey, {});
    assert.equal((await callWith(service, token)).status, 200);
    await rotate(next, { revoke_oauth: true });
    assert.equal((await callWith(service, token)).status, 401);
  });

  test('that is suspended opens nothing and connects nothing; one that is closed has no tokens', async () => {
    const person = new Person(service, 'suspended@operator.example');
    const tokens = await client.connect(person);
    await pool`update agent set status = 'suspended' where operator_email = ${person.email}`;
    const refused = await callWith(service, tokens.access_token);
    assert.equal(refused.status, 403);
    assert.match(refused.body.error?.message ?? '', /^agent_suspended: /);
    const page = await person.open(String(await client.authorizationUrl()));
    const answer = await person.send(page, 'decision', { decision: 'approve' });
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Your account is closed/);
    await pool`update agent set status = 'revoked' where operator_email = ${person.email}`;
    assert.equal((await callWith(service, tokens.access_token)).status, 401);
  });
});

describe('a scope', () => {
  test('that is missing is named in the challenge by which a client steps up', async () => {
    const person = new Person(service, 'steps-up@operator.example');
    const reading = await client.connect(person, { scope: 'svc.read' });
    assert.equal(reading.scope, 'svc.read');
    assert.equal((await callWith(service, reading.access_token)).status, 200);
    const { status, headers, body } = await callWith(
      service,
      reading.access_token,
      'svc_submit_business',
      business(),
    );
    assert.equal(status, 403);
    assert.match(body.error?.message ?? '', /^insufficient_scope: /);
    const challenge = headers.get('www-authenticate') ?? '';
    assert.match(challenge, /^Bearer error="insufficient_scope", /);
    assert.match(challenge, /scope="svc\.write"/);
    assert.match(challenge, /resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/);

    // A client that asks for just what the challenge names must not lose what it had.
    const writing = await client.connect(person, { scope: 'svc.write' });
    assert.equal(writing.scope, 'svc.read svc.write');
    const sent = await callWith(service, writing.access_token, 'svc_submit_business', business());
    assert.equal(sent.status, 200);
    assert.equal(sent.body.result?.['isError'], undefined);
  });

  test('that is not named means all of them', async () => {
    const tokens = await client.connect(new Person(service, 'all@operator.example'), { scope: null });
    assert.equal(tokens.scope, 'svc.read svc.write');
  });

  test('is never enough where money is spent: that takes the key', async () => {
    const spend = defineOperation({
      name: 'spend',
      title: 'Spend',
      description: 'Spends money.',
      tag: 'account',
      effect: 'spend',
      access: { who: 'agent', scope: 'write', keyOnly: true },
      tools: [],
      input: z.object({}),
      output: z.object({}),
      example: { input: {}, output: {} },
      run: () => ({}),
    });
    const agent = { kind: 'agent', id: service.app.deps.newId('agt'), plan: 'free', address: '::1' } as const;
    const run = async (actor: Parameters<typeof runOperation>[2]['actor']) =>
      runOperation(service.app.deps, spend, { actor, requestId: 'req', input: {} });
    await assert.rejects(run({ ...agent, scopes: ['read', 'write'] }), (thrown) => {
      assert.ok(thrown instanceof AppError);
      assert.equal(thrown.code, 'key_required');
      return true;
    });
    assert.equal((await run(agent)).status, 200);
  });
});
