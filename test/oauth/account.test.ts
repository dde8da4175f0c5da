import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { AppError } from '../../src/core/errors.ts';
import { defineOperation } from '../../src/core/operation.ts';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { runOperation } from '../../src/protocol/run/run-operation.ts';
import { Person, startOauthService } from '../harness/clients/oauth.ts';
import { callWith, OauthClient, refused } from '../harness/clients/oauth-client.ts';
import { until } from '../harness/service/jobs.ts';
import { signUpAgent } from '../harness/service/service.ts';
import { FormClient } from '../harness/people/staff.ts';
import { business, lastMessage } from '../harness/people/submissions.ts';

const service = await startOauthService();
const { pool } = service.database;
const client = await OauthClient.register(service, { client_name: 'Trip Planner' });

async function accountOf(email: string) {
  const [account] = await pool<Record<string, unknown>[]>`
    select a.*, exists (select from api_key k where k.agent_id = a.id) as has_key
    from agent a where operator_email = ${email}`;
  return account;
}

test('an operator that connects is called after the client, and never by the mailbox', async () => {
  const email = 'ana@private.example';
  const { access_token: token } = await client.connect(new Person(service, email));
  assert.equal((await callWith(service, token)).status, 200);
  const account = await accountOf(email);
  assert.deepEqual(
    [account?.['agent_name'], account?.['operator_name']],
    ['Trip Planner', 'User of Trip Planner'],
  );
});

/** An agent that somebody signed up with a mailbox, and the person whose mailbox it is. */
async function signedUp(): Promise<{ agentId: string; apiKey: string; person: Person }> {
  const { agentId, apiKey } = await signUpAgent(service);
  const [agent] = await pool<{ operator_email: string }[]>`
    select operator_email from agent where id = ${agentId}`;
  return { agentId, apiKey, person: new Person(service, agent?.operator_email ?? '') };
}

/** Has a new key made through the mailbox, and gives it. */
async function recover(email: string): Promise<string> {
  await service.request('/api/agent/recover', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operator_email: email }),
  });
  const link = await until('the link is mailed', async () => {
    const message = await lastMessage(service, 'key_recovery');
    return message?.to === email && /\/recover\/[\w-]{43}/.exec(message.text)?.[0];
  });
  const page = await (await new FormClient(service).post(link, {})).text();
  return /svc_live_[0-9A-Za-z]{36}/.exec(page)?.[0] ?? '';
}

async function me(apiKey: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await service.request('/api/agent/me', { headers: { authorization: `Bearer ${apiKey}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Whether a key opens its account, and whether that says that its mailbox is proven. */
async function stateOf(apiKey: string): Promise<[status: number, verified: unknown]> {
  const { status, body } = await me(apiKey);
  return [status, body['email_verified']];
}

async function assertEnded(apiKey: string): Promise<void> {
  const { status, body } = await me(apiKey);
  assert.equal(status, 401);
  assert.equal(body['code'], 'key_revoked');
  assert.match(String(body['detail']), /the operator's mailbox was verified after/);
  assert.match(String(body['detail']), /POST \/api\/agent\/recover/);
  const { status: onMcp, body: told } = await callWith(service, apiKey);
  assert.equal(onMcp, 401);
  assert.match(told.error?.message ?? '', /^key_revoked: .*mailbox/);
}

describe('the first proof of a mailbox', () => {
  test('ends the key of whoever signed up with it, is told by mail before and after and on the page, and keeps the rest', async () => {
    const { agentId, apiKey, person } = await signedUp();
    const submitted = await callWith(service, apiKey, 'svc_submit_business', business());
    assert.equal(submitted.status, 200);

    const asked = await person.open(String(await client.authorizationUrl()));
    const entering = await person.send(asked, 'email', { email: person.email });
    const prefix = apiKey.slice(0, 12);
    const code = await lastMessage(service, 'operator_code');
    assert.match(
      code?.text ?? '',
      new RegExp(`"Test Agent" was signed up .*approve .*key ${prefix}… stops working`),
    );
    assert.equal((await me(apiKey)).status, 200, 'asking for a code changes nothing');

    const deciding = await person.send(entering, 'code', { code: await person.mailedCode() });
    assert.deepEqual(await stateOf(apiKey), [200, false], 'signing in changes nothing');
    assert.match(deciding.text, new RegExp(`When you approve, the API key ${prefix}….* stops working`));
    assert.notEqual((await lastMessage(service, 'key_ended'))?.to, person.email);

    const { access_token: token } = await client.exchange(await person.decide(deciding, 'approve'));
    await assertEnded(apiKey);
    const mail = await lastMessage(service, 'key_ended');
    assert.equal(mail?.to, person.email);
    assert.match(mail.text, new RegExp(`${prefix}….*\\n\\nThat key no longer works`));

    const list = await callWith(service, token);
    const { total } = list.body.result?.['structuredContent'] as { total: number };
    assert.equal(total, 1, 'what was submitted stays with the account');
    assert.equal((await accountOf(person.email))?.['id'], agentId);
    assert.match(
      (await person.open('/oauth/connections')).text,
      /the earlier key of your account no longer works/,
    );
  });

  test('ends nothing by signing in, by denying, by leaving or by looking at connections', async () => {
    const { apiKey, person } = await signedUp();
    const page = await person.signIn(await person.open(String(await client.authorizationUrl())));
    assert.match(page.text, /If you deny, nothing changes/);
    assert.deepEqual(await stateOf(apiKey), [200, false]);
    await person.decide(page, 'deny');
    assert.deepEqual(await stateOf(apiKey), [200, false]);
    const left = await person.open(String(await client.authorizationUrl()));
    assert.match(left.text, /When you approve, the API key/, 'the next request warns again');
    const looking = await person.open('/oauth/connections');
    assert.match(looking.text, /still works\. It stops working when you approve a client/);
    await person.send(looking, 'sign-out', {});
    assert.deepEqual(await stateOf(apiKey), [200, false]);
    assert.notEqual((await lastMessage(service, 'key_ended'))?.to, person.email);
  });

  test('ends it by a link for a lost key too; keys from after the proof live on however often it is proven', async () => {
    const { apiKey, person } = await signedUp();
    const next = await recover(person.email);
    await assertEnded(apiKey);
    assert.equal((await lastMessage(service, 'key_ended'))?.to, person.email);
    assert.equal((await me(next)).body['email_verified'], true);
    for (let times = 0; times < 2; times++) {
      const again = new Person(service, person.email);
      const page = await again.open(String(await client.authorizationUrl()));
      const deciding = await again.signIn(page);
      const { text } = (await lastMessage(service, 'operator_code')) ?? { text: '' };
      assert.doesNotMatch(text, /ends/);
      const { access_token: token } = await client.exchange(await again.decide(deciding, 'approve'));
      assert.equal((await callWith(service, token)).status, 200);
      assert.equal((await me(next)).status, 200);
    }
  });

  test('and had signed in before a stranger signed up is told what approving ends', async () => {
    const person = new Person(service, 'signed-in-first@operator.example');
    await person.signIn(await person.open('/oauth/connections'));
    const { apiKey } = await signUpAgent(service, person.email);
    assert.equal((await me(apiKey)).status, 200);
    const page = await person.open(String(await client.authorizationUrl()));
    assert.match(page.text, /The mailbox of your agent account “Test Agent” is not verified yet/);
    await client.exchange(await person.decide(page, 'approve'));
    await assertEnded(apiKey);
    assert.match(
      (await person.open('/oauth/connections')).text,
      /the earlier key of your account no longer works/,
    );
  });

  test('leaves no key of a stranger who rotates it at the same moment', async () => {
    for (let round = 0; round < 4; round++) {
      const { agentId, apiKey, person } = await signedUp();
      const page = await person.open(String(await client.authorizationUrl()));
      const entering = await person.send(page, 'email', { email: person.email });
      const deciding = await person.send(entering, 'code', { code: await person.mailedCode() });
      await Promise.all([
        person.decide(deciding, 'approve'),
        service.request('/api/agent/rotate', {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}` },
        }),
      ]);
      const live = await pool`select from api_key where agent_id = ${agentId} and revoked_at is null`;
      assert.equal(live.count, 0);
    }
  });
});

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
    const { person } = await signedUp();
    const { access_token: token } = await client.connect(person);
    const apiKey = await recover(person.email);
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
    assert.equal((await me(apiKey)).body['email_verified'], true);
  });

  test('keeps its connections when its key is rotated, unless it is told otherwise', async () => {
    const { person } = await signedUp();
    const { access_token: token } = await client.connect(person);
    const apiKey = await recover(person.email);
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
    const answered = await callWith(service, tokens.access_token);
    assert.equal(answered.status, 403);
    assert.match(answered.body.error?.message ?? '', /^agent_suspended: /);
    await refused(client.refresh(tokens.refresh_token), 'invalid_grant');
    const page = await person.open(String(await client.authorizationUrl()));
    const answer = await person.send(page, 'decision', { decision: 'approve' });
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Your account is closed/);
    await pool`update agent set status = 'revoked' where operator_email = ${person.email}`;
    assert.equal((await callWith(service, tokens.access_token)).status, 401);
    await refused(client.refresh(tokens.refresh_token), 'invalid_grant');
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
      containsUntrustedText: false,
      tools: [],
      input: z.object({}),
      output: z.object({}),
      example: { input: {}, output: {} },
      run: () => ({}),
    });
    const agent = {
      kind: 'agent',
      id: service.app.deps.newId('agt'),
      plan: 'free',
      address: addressGroup('::1'),
    } as const;
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
