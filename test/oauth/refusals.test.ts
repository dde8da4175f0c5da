import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashToken } from '../../src/core/secret/token.ts';
import { Person, startOauthService } from '../harness/clients/oauth.ts';
import { callWith, OauthClient, refused } from '../harness/clients/oauth-client.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';

const service = await startOauthService();
const client = await OauthClient.register(service);
const person = new Person(service, 'operator@refusals.example');

const FOREIGN = 'https://other.example/mcp';

/** The stored audience of an access token. */
async function audienceOf(token: string): Promise<string | undefined> {
  const [row] = await service.database.pool<{ aud: string }[]>`
    select payload ->> 'aud' as aud from oauth_token where hash = ${hashToken(token)}`;
  return row?.aud;
}

describe('a request for authorization is refused', () => {
  const cases: Record<string, [change: Record<string, string | null>, error: string]> = {
    'without PKCE': [{ code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    'with plain PKCE': [{ code_challenge_method: 'plain' }, 'invalid_request'],
    'without a method of PKCE, which would mean plain': [{ code_challenge_method: null }, 'invalid_request'],
    'for a foreign resource': [{ resource: FOREIGN }, 'invalid_target'],
    'for scopes of others only': [{ scope: 'openid profile' }, 'invalid_scope'],
    'for a token in the address': [{ response_type: 'token' }, 'unsupported_response_type'],
    'without asking the person': [{ prompt: 'none' }, 'interaction_required'],
  };
  for (const [what, [change, error]] of Object.entries(cases))
    test(`${what}, on a page of ours: before a person has decided nobody is sent to the client`, async () => {
      const page = await person.open(String(await client.authorizationUrl(change)));
      assert.equal(page.left, undefined);
      assert.equal(page.status, 400);
      assert.match(page.text, /The client cannot be connected/);
      assert.match(page.text, new RegExp(`\\(${error}\\)`));
    });

  test('and nobody is sent to an address that the client did not register', async () => {
    for (const redirect of [
      'https://thief.example/callback',
      'http://localhost:45678/other',
      'http://127.0.0.1:45678/callback',
      'http://localhost.thief.example/callback',
    ]) {
      const page = await person.open(String(await client.authorizationUrl({ redirect_uri: redirect })));
      assert.equal(page.left, undefined);
      assert.equal(page.status, 400);
      assert.match(page.text, /The client cannot be connected/);
      assert.match(page.text, /invalid_redirect_uri/);
    }
  });

  test('and a client that nobody knows is shown to be unknown', async () => {
    for (const unknown of ['ocl_00000000000000000000000000', 'https://127.0.0.1/client.json']) {
      const page = await person.open(String(await client.authorizationUrl({ client_id: unknown })));
      assert.equal(page.status, 400);
      assert.equal(page.left, undefined);
      assert.match(page.text, /invalid_client/);
    }
  });
});

test('any port of the loopback address is the same program', async () => {
  const redirect_uri = 'http://localhost:9/callback';
  const answer = await person.approve(await client.authorizationUrl({ redirect_uri }));
  assert.equal(answer.origin + answer.pathname, redirect_uri);
});

test('a person who denies is sent back with that', async () => {
  const page = await person.signIn(await person.open(String(await client.authorizationUrl())));
  const answer = await person.decide(page, 'deny');
  await refused(() => client.readAnswer(answer), 'access_denied');
});

describe('a code', () => {
  const approved = async () => person.approve(await client.authorizationUrl());

  test('is worth nothing with another verifier', async () => {
    const answer = await approved();
    await refused(client.exchange(answer, { verifier: 'x'.repeat(43) }), 'invalid_grant');
  });

  test('is refused for a foreign resource and not spent: without one, or with ours, it still works', async () => {
    for (const resource of [null, `${service.baseUrl}/mcp`]) {
      const answer = await approved();
      await refused(client.exchange(answer, { resource: FOREIGN }), 'invalid_target');
      const { access_token: token, refresh_token: refresh } = await client.exchange(answer, { resource });
      assert.equal((await callWith(service, token)).status, 200);
      assert.equal(await audienceOf(token), `${service.baseUrl}/mcp`);
      await client.refresh(refresh);
    }
  });

  test('is for our resource when both requests name none, or an empty one', async () => {
    for (const resource of [null, '']) {
      const answer = await person.approve(await client.authorizationUrl({ resource }));
      const { access_token: token } = await client.exchange(answer, { resource });
      assert.equal(await audienceOf(token), `${service.baseUrl}/mcp`);
      assert.equal((await callWith(service, token)).status, 200);
    }
  });

  test('is worth nothing to another client', async () => {
    const other = await OauthClient.register(service, { client_name: 'Another client' });
    const answer = await approved();
    answer.searchParams.set('state', other.state);
    await refused(other.exchange(answer, { verifier: client.verifier }), 'invalid_grant');
  });

  test('is worth nothing after a minute', async () => {
    const answer = await approved();
    service.clock.advance(MINUTE_MS + 1000);
    await refused(client.exchange(answer), 'invalid_grant');
  });

  test('that comes twice ends what it was exchanged for', async () => {
    const answer = await approved();
    const { access_token: token } = await client.exchange(answer);
    assert.equal((await callWith(service, token)).status, 200);
    await refused(client.exchange(answer), 'invalid_grant');
    assert.equal((await callWith(service, token)).status, 401);
  });

  test('that comes twice at once opens nothing for both', async () => {
    const answer = await approved();
    const outcomes = await Promise.allSettled([client.exchange(answer), client.exchange(answer)]);
    const opened = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.access_token] : []));
    assert.ok(opened.length < 2);
    for (const token of opened) assert.equal((await callWith(service, token)).status, 401);
  });
});

describe('an access token', () => {
  const challenge = `Bearer error="invalid_token", resource_metadata="${service.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="svc.read svc.write"`;

  test('says for how long and for what it is good', async () => {
    const tokens = await client.connect(person);
    assert.equal(tokens.expires_in, 3600);
    assert.equal(tokens.scope, 'svc.read svc.write');
  });

  test('ends after an hour, and the answer leads to a new one', async () => {
    const { access_token: token } = await client.connect(person);
    service.clock.advance(HOUR_MS);
    const { status, headers, body } = await callWith(service, token);
    assert.equal(status, 401);
    assert.match(body.error?.message ?? '', /^token_expired: /);
    assert.equal(headers.get('www-authenticate'), challenge);
  });

  test('ends at once when it is revoked', async () => {
    const { access_token: token } = await client.connect(person);
    await client.revoke(token);
    const { status, headers } = await callWith(service, token);
    assert.equal(status, 401);
    assert.equal(headers.get('www-authenticate'), challenge);
  });

  test('cannot be revoked by another client', async () => {
    const { access_token: token } = await client.connect(person);
    const other = await OauthClient.register(service, { client_name: 'Another client' });
    await other.revoke(token);
    assert.equal((await callWith(service, token)).status, 200);
  });

  test('opens the MCP endpoint and nothing else', async () => {
    const { access_token: token } = await client.connect(person);
    const response = await service.request('/api/agent/me', {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(response.status, 401);
    assert.equal(((await response.json()) as { code: string }).code, 'wrong_audience');
    assert.equal(response.headers.get('www-authenticate'), challenge);
  });

  test('with a typing error is refused without a look into the database', async () => {
    const { access_token: token } = await client.connect(person);
    assert.equal((await callWith(service, `${token.slice(0, -1)}_`)).status, 401);
    assert.equal((await callWith(service, 'svc_at_')).status, 401);
  });
});

describe('a refresh token', () => {
  test('that comes back later ends the whole family', async () => {
    const first = await client.connect(person);
    const second = await client.refresh(first.refresh_token);
    const third = await client.refresh(second.refresh_token);
    service.clock.advance(MINUTE_MS);
    await refused(client.refresh(first.refresh_token), 'invalid_grant');
    await refused(client.refresh(third.refresh_token), 'invalid_grant');
    for (const { access_token: token } of [first, second, third])
      assert.equal((await callWith(service, token)).status, 401);
  });

  test('may come twice at the same moment, because a client can be in two minds', async () => {
    const { refresh_token: token } = await client.connect(person);
    const both = await Promise.all([client.refresh(token), client.refresh(token)]);
    for (const { access_token } of both) assert.equal((await callWith(service, access_token)).status, 200);
    assert.notEqual(both[0].refresh_token, both[1].refresh_token);
  });

  test('may come once more, and no third time: that ends the whole connection', async () => {
    const { refresh_token: token } = await client.connect(person);
    const first = await client.refresh(token);
    service.clock.advance(1000);
    const second = await client.refresh(token);
    for (const { access_token } of [first, second])
      assert.equal((await callWith(service, access_token)).status, 200);
    await refused(client.refresh(token), 'invalid_grant');
    for (const { access_token } of [first, second])
      assert.equal((await callWith(service, access_token)).status, 401);
    await refused(client.refresh(second.refresh_token), 'invalid_grant');
  });

  test('that comes four times at once opens nothing for anybody', async () => {
    const { refresh_token: token } = await client.connect(person);
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => client.refresh(token)));
    const opened = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.access_token] : []));
    assert.ok(opened.length <= 2, `${opened.length} were exchanged`);
    for (const access of opened) assert.equal((await callWith(service, access)).status, 401);
  });

  test('is for our resource when none is named, and not spent for a foreign one', async () => {
    const { refresh_token: token } = await client.connect(person);
    for (let tries = 0; tries < 3; tries++)
      await refused(client.refresh(token, { resource: FOREIGN }), 'invalid_target');
    const renewed = await client.refresh(token, { resource: null });
    assert.equal(await audienceOf(renewed.access_token), `${service.baseUrl}/mcp`);
    assert.equal((await callWith(service, renewed.access_token)).status, 200);
    // Neither has the forgiven exchange been used up by them.
    assert.equal((await callWith(service, (await client.refresh(token)).access_token)).status, 200);
  });

  test('rests for a month and not longer', async () => {
    const tokens = await client.connect(person);
    service.clock.advance(30 * 24 * HOUR_MS - MINUTE_MS);
    const renewed = await client.refresh(tokens.refresh_token);
    service.clock.advance(30 * 24 * HOUR_MS);
    await refused(client.refresh(renewed.refresh_token), 'invalid_grant');
  });

  test('is worth nothing to another client, for another resource or for more', async () => {
    const other = await OauthClient.register(service, { client_name: 'Another client' });
    const { refresh_token: token } = await client.connect(person, { scope: 'svc.read' });
    await refused(other.refresh(token), 'invalid_grant');
    await refused(client.refresh(token, { resource: 'https://other.example/' }), 'invalid_target');
    await refused(client.refresh(token, { scope: 'svc.write' }), 'invalid_scope');
    assert.equal((await client.refresh(token)).scope, 'svc.read');
  });
});
