import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Person, startOauthService } from '../harness/clients/oauth.ts';
import {
  callEndpoint,
  callWith,
  ENDPOINTS,
  OauthClient,
  PARTNER_ENDPOINTS,
  refused,
  type TestEndpoint,
  type Tokens,
} from '../harness/clients/oauth-client.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { addTestPartner, PARTNER_MCP } from '../harness/people/partner.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { lastMessage } from '../harness/people/submissions.ts';

const service = await startOauthService();
const { pool } = service.database;
const { partnerUrl } = service.app.deps.config;
const client = await OauthClient.register(service, { client_name: 'Trip Planner' });
const [directory, concierge] = PARTNER_ENDPOINTS;
assert.ok(directory && concierge);
const CONCIERGE = concierge;

function addressOf(endpoint: TestEndpoint): string {
  return (endpoint.path === '/mcp' ? service.baseUrl : partnerUrl) + endpoint.path;
}

/** Connects the client with the account behind a mailbox, for one endpoint. */
async function connect(person: Person, endpoint: TestEndpoint): Promise<Tokens> {
  const resource = addressOf(endpoint);
  const answer = await person.approve(await client.authorizationUrl({ resource, scope: null }));
  return client.exchange(answer, { resource });
}

/** The page on which somebody decides, signed in. */
async function decisionPage(person: Person, endpoint: TestEndpoint): Promise<string> {
  const url = await client.authorizationUrl({ resource: addressOf(endpoint), scope: null });
  return (await person.signIn(await person.open(String(url)))).text.replaceAll(/\s+/g, ' ');
}

async function partnerOf(): Promise<{ person: Person; partnerId: string; apiKey: string }> {
  const { email, partnerId, apiKey } = await addTestPartner(service);
  return { person: new Person(service, email), partnerId, apiKey };
}

describe('a token', () => {
  test('opens the endpoint that it was issued for, and no other', async () => {
    const { person } = await partnerOf();
    const endpoints = Object.values(ENDPOINTS);
    for (const endpoint of endpoints) {
      const { access_token: token, scope } = await connect(person, endpoint);
      assert.equal(scope, endpoint.scope);
      for (const other of endpoints) {
        const { status, headers, body } = await callEndpoint(service, other, token);
        assert.equal(status, other === endpoint ? 200 : 401, `${endpoint.path} on ${other.path}`);
        if (other === endpoint) continue;
        assert.equal(body.error?.data?.['code'], 'wrong_audience');
        assert.match(
          headers.get('www-authenticate') ?? '',
          new RegExp(`oauth-protected-resource${other.path}"`),
        );
      }
    }
  });

  test('opens no address of REST', async () => {
    const { person } = await partnerOf();
    const { access_token: token } = await connect(person, directory);
    const usage = await service.request('/api/partner/usage', {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(usage.status, 401);
    assert.equal(((await usage.json()) as { code: string }).code, 'wrong_audience');
  });

  test('cannot be renewed for another endpoint, and nothing is spent by the try', async () => {
    const { person } = await partnerOf();
    const { refresh_token: token } = await connect(person, directory);
    for (const resource of [addressOf(CONCIERGE), `${service.baseUrl}/mcp`, 'https://other.example/'])
      await refused(client.refresh(token, { resource }), 'invalid_target');
    await refused(client.refresh(token, { resource: null, scope: 'svc.bookings' }), 'invalid_scope');
    const renewed = await client.refresh(token, { resource: addressOf(directory) });
    assert.equal((await callEndpoint(service, directory, renewed.access_token)).status, 200);
  });

  test('is for one endpoint: a code for two is refused, and so is a scope of another', async () => {
    const { person } = await partnerOf();
    const two = await client.authorizationUrl({ resource: addressOf(directory), scope: null });
    two.searchParams.append('resource', addressOf(CONCIERGE));
    assert.match((await person.open(String(two))).text, /invalid_target/);
    const strange = await client.authorizationUrl({ resource: addressOf(directory), scope: 'svc.bookings' });
    assert.match((await person.open(String(strange))).text, /invalid_scope/);
  });

  test('has the rate limits of the account, counted together with its key', async () => {
    const { person, apiKey } = await partnerOf();
    const { access_token: token } = await connect(person, directory);
    const left = async (headers: Record<string, string>) => {
      const params = { name: directory.tool, arguments: {} };
      const answer = await rpc(service, PARTNER_MCP, { id: 1, method: 'tools/call', params }, headers);
      assert.equal(answer.status, 200);
      return answer.headers.get('ratelimit');
    };
    const byToken = await left({ authorization: `Bearer ${token}` });
    const byKey = await left({ 'x-partner-key': apiKey });
    const byBearer = await left({ authorization: `Bearer ${apiKey}` });
    const minute = (line: string | null) => Number(/"minute";r=(\d+)/.exec(line ?? '')?.[1]);
    assert.deepEqual(
      [minute(byKey), minute(byBearer)],
      [minute(byToken) - 1, minute(byToken) - 2],
      `${byToken ?? ''} / ${byKey ?? ''}`,
    );
  });
});

describe('the account behind a connection', () => {
  test('asks for tables when a person has switched that on, and is told so until then', async () => {
    const { person, partnerId } = await partnerOf();
    const { access_token: token } = await connect(person, CONCIERGE);
    const ask = { ...CONCIERGE, tool: 'request_table' };
    const input = {
      place_id: 'plc_00000000000000000000000000',
      date: '2026-12-01',
      time: '19:30',
      party_size: 2,
    };
    const say = async () => {
      const { body } = await callEndpoint(service, ask, token, { ...input, guest_name: 'Guest Example' });
      return JSON.stringify(body.result?.['content']);
    };
    assert.match(await say(), /bookings_not_enabled/);
    const { id: staff } = await addTestStaff(service, 'lead');
    await pool`
      update partner set bookings_enabled = true, bookings_reason = 'a test', bookings_at = now(),
        bookings_by = ${staff} where id = ${partnerId}`;
    assert.doesNotMatch(await say(), /bookings_not_enabled/);
  });

  test('does not change by a token what would outlive the connection', async () => {
    const { person } = await partnerOf();
    const { access_token: token } = await connect(person, CONCIERGE);
    const set = { ...CONCIERGE, tool: 'set_webhook' };
    const { status, body } = await callEndpoint(service, set, token, { url: 'https://hook.example/' });
    assert.equal(status, 200);
    assert.match(JSON.stringify(body.result), /key_required/);
    assert.equal((await pool`select from webhook_endpoint`).count, 0);
  });

  test('opens nothing while it is suspended, and everything again afterwards', async () => {
    const { person, partnerId } = await partnerOf();
    const tokens = await connect(person, CONCIERGE);
    await pool`update partner set status = 'suspended' where id = ${partnerId}`;
    const { status, body } = await callEndpoint(service, CONCIERGE, tokens.access_token);
    assert.deepEqual([status, body.error?.data?.['code']], [403, 'partner_suspended']);
    const page = await person.open(
      String(await client.authorizationUrl({ resource: addressOf(CONCIERGE), scope: null })),
    );
    const refusal = await person.send(page, 'decision', { decision: 'approve' });
    assert.equal(refusal.status, 403);
    assert.match(refusal.text, /Your account is closed/);
    await pool`update partner set status = 'active' where id = ${partnerId}`;
    assert.equal((await callEndpoint(service, CONCIERGE, tokens.access_token)).status, 200);
    await pool`update partner set status = 'revoked' where id = ${partnerId}`;
    assert.equal((await callEndpoint(service, CONCIERGE, tokens.access_token)).status, 401);
    await refused(client.refresh(tokens.refresh_token, { resource: null }), 'invalid_grant');
  });

  test('gets no tokens while it is suspended, neither for a refresh token nor for a code, and nothing is spent', async () => {
    const { person, partnerId } = await partnerOf();
    const resource = addressOf(CONCIERGE);
    const { refresh_token: token } = await connect(person, CONCIERGE);
    const approved = await person.approve(await client.authorizationUrl({ resource, scope: null }));
    await pool`update partner set status = 'suspended' where id = ${partnerId}`;
    for (let times = 0; times < 2; times++)
      await refused(client.refresh(token, { resource }), 'invalid_grant');
    await refused(client.exchange(approved, { resource }), 'invalid_grant');
    await pool`update partner set status = 'active' where id = ${partnerId}`;
    const renewed = await client.refresh(token, { resource });
    assert.equal((await callEndpoint(service, CONCIERGE, renewed.access_token)).status, 200);
  });

  test('keeps its connections when its key is replaced', async () => {
    const { person, apiKey } = await partnerOf();
    const { access_token: token } = await connect(person, directory);
    const replaced = await service.request('/api/partner/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-partner-key': apiKey },
      body: JSON.stringify({ email: person.email, name: 'Test Partner' }),
    });
    assert.equal(((await replaced.json()) as { rotated: boolean }).rotated, true);
    assert.equal((await callEndpoint(service, directory, token)).status, 200);
    const old = await rpc(service, PARTNER_MCP, { id: 1, method: 'ping' }, { 'x-partner-key': apiKey });
    assert.equal(old.status, 401);
  });

  test('is made with the first approval, without a key, and not by signing in', async () => {
    const person = new Person(service, 'new@partner.example');
    const page = await decisionPage(person, directory);
    assert.match(page, /a new partner account/);
    const found = () => pool<{ name: string; key: boolean; proven: boolean }[]>`
      select name, exists (select from api_key k where k.partner_id = p.id) as key,
             email_verified_at is not null as proven
      from partner p where email = ${person.email}`;
    assert.equal((await found()).length, 0);
    await connect(person, directory);
    assert.deepEqual([...(await found())], [{ name: 'User of Trip Planner', key: false, proven: true }]);
    assert.equal((await pool`select from agent where operator_email = ${person.email}`).count, 0);
  });

  test('loses the key of whoever signed up with the mailbox, and the page says so before', async () => {
    const { email, apiKey } = await addTestPartner(service, { proven: false });
    const person = new Person(service, email);
    const page = await decisionPage(person, CONCIERGE);
    assert.ok(page.includes(`the key ${apiKey.slice(0, 18)}`) || /the key svc_partner_\w+…/.test(page), page);
    const usable = () => rpc(service, PARTNER_MCP, { id: 1, method: 'ping' }, { 'x-partner-key': apiKey });
    assert.equal((await usable()).status, 200);
    const { access_token: token } = await connect(person, CONCIERGE);
    assert.equal((await usable()).status, 401);
    assert.equal((await callEndpoint(service, CONCIERGE, token)).status, 200);
    const mail = await lastMessage(service, 'partner_key_ended');
    assert.equal(mail?.to, email);
    assert.match(mail.text, /needs no key/);
  });
});

describe('a person', () => {
  test('reads which endpoint and which account it is about', async () => {
    const { person } = await partnerOf();
    const words: [TestEndpoint, RegExp[]][] = [
      [ENDPOINTS['/mcp'], [/The directory for agents/, /your agent account/, /can spend no money/]],
      [directory, [/The directory for partners/, /the partner account <bdi>Test Partner<\/bdi>/]],
      [CONCIERGE, [/asks venues for tables/, /the partner account/, /Our staff switch table requests on/]],
    ];
    for (const [endpoint, expected] of words) {
      const page = await decisionPage(person, endpoint);
      for (const one of [...expected, new RegExp(`<code>${addressOf(endpoint)}</code>`)])
        assert.match(page, one);
    }
  });

  test('sees the connections of both accounts on one page, and ends one of them', async () => {
    const { person } = await partnerOf();
    const [ofAgent, ofPartner] = [await connect(person, ENDPOINTS['/mcp']), await connect(person, CONCIERGE)];
    const page = await person.open('/oauth/connections');
    assert.match(page.text, /The directory for agents/);
    assert.match(page.text, /The concierge, which asks venues for tables/);
    const [, grantId = ''] =
      /connections\/(ogr_\w+)\/disconnect/.exec(page.text.slice(page.text.indexOf('The concierge'))) ?? [];
    const stranger = new Person(service, 'stranger@partner.example');
    await connect(stranger, directory);
    const theirs = await stranger.open('/oauth/connections');
    const [, theirId = ''] = /connections\/(ogr_\w+)\/disconnect/.exec(theirs.text) ?? [];
    const tried = { ...theirs, text: theirs.text.replaceAll(theirId, grantId) };
    assert.match((await stranger.send(tried, `${grantId}/disconnect`, {})).text, /was already disconnected/);
    assert.equal((await callEndpoint(service, CONCIERGE, ofPartner.access_token)).status, 200);
    await person.send(page, `${grantId}/disconnect`, {});
    assert.equal((await callEndpoint(service, CONCIERGE, ofPartner.access_token)).status, 401);
    assert.equal((await callWith(service, ofAgent.access_token)).status, 200);
  });
});
