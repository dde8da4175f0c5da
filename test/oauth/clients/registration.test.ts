import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LONG, tries } from '../../harness/tier.ts';
import { passTime, runMaintenance } from '../../harness/service/jobs.ts';
import { Person, startOauthService } from '../../harness/clients/oauth.ts';
import { callWith, OauthClient, REDIRECT, refused } from '../../harness/clients/oauth-client.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts';

const service = await startOauthService();
const { pool } = service.database;

async function register(metadata: unknown, from = service) {
  const response = await from.request('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

interface Answer {
  client_id: string;
  client_secret?: string;
  error?: string;
  error_description?: string;
  code?: string;
  [member: string]: unknown;
}

describe('a registration', () => {
  test('gives a public client an id and no secret', async () => {
    const { status, headers, body } = await register({ client_name: 'A', redirect_uris: [REDIRECT] });
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(body.client_id, /^ocl_/);
    assert.equal(body.client_secret, undefined);
    assert.equal(body['token_endpoint_auth_method'], 'none');
    assert.equal(body['application_type'], 'native');
    assert.deepEqual(body['grant_types'], ['authorization_code', 'refresh_token']);
    assert.equal(body['client_id_issued_at'], service.clock.now().getTime() / 1000);
  });

  test('leaves out what is not offered, and says what there is instead', async () => {
    const { body } = await register({
      redirect_uris: ['https://client.example/callback'],
      grant_types: ['refresh_token', 'implicit', 'authorization_code'],
      response_types: ['code', 'id_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'openid email',
    });
    assert.deepEqual(body['grant_types'], ['authorization_code', 'refresh_token']);
    assert.deepEqual(body['response_types'], ['code']);
    assert.equal(body['token_endpoint_auth_method'], 'client_secret_post');
    assert.equal(body['application_type'], 'web');
    assert.equal(body['scope'], undefined);
    assert.ok(body.client_secret);
  });

  const wrong: Record<string, [metadata: unknown, error: string]> = {
    nothing: [undefined, 'malformed_json'],
    'a list': [[], 'invalid_client_metadata'],
    'no address to return to': [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    'a plain http address': [{ redirect_uris: ['http://client.example/'] }, 'invalid_redirect_uri'],
    'a script for an address': [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    'an address with a fragment': [{ redirect_uris: ['https://client.example/#a'] }, 'invalid_redirect_uri'],
    'an address with a password': [
      { redirect_uris: ['https://a:b@client.example/'] },
      'invalid_redirect_uri',
    ],
    'a name that cannot be kept': [
      { redirect_uris: [REDIRECT], client_name: 'a\u0000b' },
      'invalid_client_metadata',
    ],
    'a way to authenticate that is not offered': [
      { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
  };
  for (const [what, [metadata, error]] of Object.entries(wrong))
    test(`of ${what} is refused`, async () => {
      const { status, body } = await register(metadata);
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(body.error, error);
    });

  test('with a secret opens only with that secret', async () => {
    const client = await OauthClient.register(service, { token_endpoint_auth_method: 'client_secret_post' });
    const person = new Person(service, 'secret@operator.example');
    const { access_token: token } = await client.connect(person);
    assert.equal((await callWith(service, token)).status, 200);
    const answer = await person.approve(await client.authorizationUrl());
    const response = await service.request('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: answer.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT,
        code_verifier: client.verifier,
        client_id: client.client.client_id,
        client_secret: 'guess',
        resource: `${service.baseUrl}/mcp`,
      }),
    });
    assert.equal(response.status, 401);
    assert.equal(((await response.json()) as Answer).error, 'invalid_client');
  });

  test('and its later steps can be made by a web page of any origin', async () => {
    for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
      const preflight = await service.request(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
      const answer = await service.request(path, {
        method: 'POST',
        headers: { origin: 'https://app.example' },
        body: new URLSearchParams(),
      });
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    }
  });
});

describe('of many registrations from one address', () => {
  /** Each of them three times at the same moment in the first rounds, so that equal ones meet; later once. */
  const tryMany = async (limited: typeof service, rounds: number, metadata: (round: number) => object) => {
    const answers = [];
    for (let round = 0; round < rounds; round++) {
      const atOnce = LONG || round < 3 ? [1, 2, 3] : [1];
      answers.push(...(await Promise.all(atOnce.map(() => register(metadata(round), limited)))));
    }
    return {
      taken: new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.client_id)),
      last: answers.findLast(({ status }) => status !== 201),
    };
  };

  test('those that say the same are one client, which uses up nothing', async () => {
    const limited = await startOauthService({ settings: { REGISTRATIONS_PER_HOUR: '1' } });
    const { taken, last } = await tryMany(limited, tries({ quick: 4, long: 40 }), () => ({
      client_name: 'A',
      redirect_uris: [REDIRECT],
    }));
    assert.deepEqual([taken.size, last], [1, undefined]);
    const other = await register({ client_name: 'B', redirect_uris: [REDIRECT] }, limited);
    assert.equal(other.status, 429);
  });

  test('a client with a secret is one of its own each time', async () => {
    const secret = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_post' };
    const [one, other] = [await register(secret), await register(secret)];
    assert.notEqual(one.body.client_id, other.body.client_id);
    assert.notEqual(one.body.client_secret, other.body.client_secret);
  });

  test('ten that differ are taken within an hour', async () => {
    const limited = await startOauthService({ settings: { REGISTRATIONS_PER_HOUR: '10' } });
    const { taken, last } = await tryMany(limited, tries({ quick: 12, long: 40 }), (round) => ({
      client_name: `Client ${round}`,
      redirect_uris: [REDIRECT],
    }));
    assert.equal(taken.size, 10);
    assert.equal(last?.status, 429);
    assert.equal(last.body.code, 'rate_limited');
    assert.match(last.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.ok(Number(last.headers.get('retry-after')) > 0);
    const [{ count } = { count: -1 }] = await limited.database.pool<{ count: number }[]>`
      select count(*)::int as count from oauth_client`;
    assert.equal(count, 10);
    limited.clock.advance(HOUR_MS);
    assert.equal((await register({ redirect_uris: ['https://new.example/'] }, limited)).status, 201);
  });

  test('a host with a connector for each of its users has thirty times as many, and no more', async () => {
    const limited = await startOauthService({ settings: { REGISTRATIONS_PER_HOUR: '1' } });
    const connector = (host: string) => (round: number) => ({
      client_name: 'ChatGPT',
      redirect_uris: [`https://${host}/connector/oauth/user-${round}`],
    });
    const { taken } = await tryMany(limited, tries({ quick: 32, long: 40 }), connector('chatgpt.com'));
    assert.equal(taken.size, 30);
    const rounds = tries({ quick: 2, long: 40 });
    for (const host of ['chatgpt.com.example', 'notchatgpt.com']) {
      const others = await tryMany(limited, rounds, connector(host));
      assert.equal(others.taken.size, host.endsWith('example') ? 1 : 0);
    }
  });
});

test('a client that nobody is connected with is forgotten after 90 days, any other stays', async () => {
  const idle = await OauthClient.register(service, { client_name: 'Idle' });
  const used = await OauthClient.register(service, { client_name: 'Used' });
  const person = new Person(service, 'reaped@operator.example');
  let tokens = await used.connect(person);
  const known = async () => (await pool<{ id: string }[]>`select id from oauth_client`).map(({ id }) => id);
  for (let month = 0; month < 4; month++) {
    await passTime(service, 22 * DAY_MS);
    await runMaintenance(service);
    assert.ok((await known()).includes(idle.client.client_id));
    tokens = await used.refresh(tokens.refresh_token);
  }
  await passTime(service, 3 * DAY_MS);
  await runMaintenance(service);
  assert.ok(!(await known()).includes(idle.client.client_id), 'the idle client is gone');
  tokens = await used.refresh(tokens.refresh_token);

  // A connection that nobody has renewed for a month goes, and its client when 90 days have passed since.
  await passTime(service, 32 * DAY_MS);
  await runMaintenance(service);
  assert.equal((await pool`select from oauth_grant`).count, 0, 'the connection is gone');
  assert.ok((await known()).includes(used.client.client_id));
  await refused(used.refresh(tokens.refresh_token), 'invalid_grant');
  await passTime(service, 60 * DAY_MS);
  await runMaintenance(service);
  assert.deepEqual(await known(), [], 'the forgotten client is gone');
  // Its host learns by this code that it has to register again (RFC 6749, 5.2).
  await refused(used.refresh(tokens.refresh_token), 'invalid_client');
});
