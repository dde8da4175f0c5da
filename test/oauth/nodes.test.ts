import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Person, startOauthService, type OauthService } from '../harness/clients/oauth.ts';
import { callWith, OauthClient, refused } from '../harness/clients/oauth-client.ts';

const first = await startOauthService();
const { database } = first;
const node = (): Promise<OauthService> =>
  startOauthService({ database, settings: { BASE_URL: first.baseUrl } });
const second = await node();

test('a flow goes on when every step of it reaches another node', async () => {
  const client = await OauthClient.register(first);
  const person = new Person(first, 'two-nodes@operator.example');
  const asked = await person.open(String(await client.authorizationUrl()));
  person.moveTo(second);
  const entering = await person.send(asked, 'email', { email: person.email });
  person.moveTo(first);
  const deciding = await person.send(entering, 'code', { code: await person.mailedCode() });
  person.moveTo(second);
  const tokens = await client.exchange(await person.decide(deciding, 'approve'));
  for (const one of [first, second]) assert.equal((await callWith(one, tokens.access_token)).status, 200);
});

test('a token revoked on one node is refused by the other with the very next request', async () => {
  const client = await OauthClient.register(first);
  const person = new Person(first, 'two-nodes@operator.example');
  const { access_token: token } = await client.connect(person);
  assert.equal((await callWith(second, token)).status, 200);
  await client.revoke(token);
  assert.equal((await callWith(second, token)).status, 401);
});

test('a refresh token that comes to both nodes at once is exchanged twice, and a third time ends it all', async () => {
  const client = await OauthClient.register(first);
  const person = new Person(first, 'two-nodes@operator.example');
  for (const times of [2, 6]) {
    const { refresh_token: token } = await client.connect(person);
    const body = () =>
      new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: client.client.client_id,
      });
    const answers = await Promise.all(
      Array.from({ length: times }, async (_, at) => {
        const node = at % 2 === 0 ? first : second;
        const answer = await node.request('/oauth/token', { method: 'POST', body: body() });
        return (await answer.json()) as { access_token?: string };
      }),
    );
    const opened = answers.flatMap(({ access_token: access }) => access ?? []);
    assert.ok(times > 2 ? opened.length <= 2 : opened.length === 2, `${opened.length} of ${times}`);
    for (const access of opened) assert.equal((await callWith(second, access)).status, times > 2 ? 401 : 200);
  }
});

test('a request can be answered once, and only in the browser that began it', async () => {
  const client = await OauthClient.register(first);
  const person = new Person(first, 'once@operator.example');
  const page = await person.signIn(await person.open(String(await client.authorizationUrl())));
  const stranger = new Person(second, 'thief@operator.example');
  assert.equal((await stranger.open(page.url.href)).status, 410);
  const answer = await person.decide(page, 'approve');
  assert.equal((await person.open(page.url.href)).status, 410);
  await client.exchange(answer);
  await refused(client.exchange(answer), 'invalid_grant');
});

test('neither tokens nor codes nor the names of waiting requests stand in the database', async () => {
  const client = await OauthClient.register(first, { token_endpoint_auth_method: 'client_secret_post' });
  const person = new Person(first, 'hashes@operator.example');
  const page = await person.signIn(await person.open(String(await client.authorizationUrl())));
  const uid = page.url.pathname.split('/').at(-1) ?? '';
  const stored = async () => {
    const rows = await database.pool<{ text: string }[]>`
      select t::text as text from oauth_token t union all select i::text from oauth_interaction i
      union all select c::text from oauth_client c union all select o::text from sign_in_code o
      union all select s::text from operator_session s union all select g::text from oauth_grant g`;
    return rows.map(({ text }) => text).join('\n');
  };
  assert.ok(uid.length > 20 && !(await stored()).includes(uid));
  const answer = await person.decide(page, 'approve');
  const tokens = await client.exchange(answer);
  const secrets = [
    tokens.access_token,
    tokens.refresh_token,
    answer.searchParams.get('code'),
    client.client['client_secret'],
  ];
  const all = await stored();
  for (const secret of secrets) {
    assert.ok(typeof secret === 'string' && secret.length > 20);
    assert.ok(!all.includes(secret));
  }
});

// The last test, because it ends the second node.
test('a flow goes on after the service was ended and started again', async () => {
  const client = await OauthClient.register(first);
  const person = new Person(second, 'restart@operator.example');
  const asked = await person.open(String(await client.authorizationUrl()));
  const entering = await person.send(asked, 'email', { email: person.email });
  const code = await person.mailedCode();
  await second.close();

  person.moveTo(await node());
  const deciding = await person.send(entering, 'code', { code });
  const tokens = await client.exchange(await person.decide(deciding, 'approve'));
  assert.equal((await callWith(first, tokens.access_token)).status, 200);
  const renewed = await client.refresh(tokens.refresh_token);
  assert.equal((await callWith(first, renewed.access_token)).status, 200);
});
