import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LONG } from '../../harness/tier.ts';
import { noCertificates, startHttpsServer } from '../../harness/service/https-server.ts';
import { Person, startOauthService } from '../../harness/clients/oauth.ts';
import {
  callEndpoint,
  callWith,
  ENDPOINTS,
  OauthClient,
  PARTNER_ENDPOINTS,
  REDIRECT,
  refused,
  type TestEndpoint,
} from '../../harness/clients/oauth-client.ts';
import { addressGroup } from '../../../src/core/text/address-group.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { takeFromWindow } from '../../../src/metering/rate-window.ts';
import { mayFetchDocument } from '../../../src/oauth/client-document.ts';
import { PUBLISHED_CLIENTS, REGISTERED_CLIENTS } from './published-clients.ts';

describe('a client that is known by its document', { skip: noCertificates }, async () => {
  if (noCertificates !== false) return;
  const documents = new Map<string, { status?: number; body: string; location?: string }>();
  const asked: string[] = [];
  const host = await startHttpsServer((request, response) => {
    asked.push(request.url ?? '');
    const { status = 200, body = '', location } = documents.get(request.url ?? '') ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
    response.end(body);
  });
  const service = await startOauthService({ settings: { EGRESS_ALLOW: host.pair } });
  const any = await OauthClient.register(service);
  const person = new Person(service, 'document@operator.example');

  /** Publishes a document about itself at a path, and gives the client's id. */
  function publish(path: string, change: Record<string, unknown> = {}): string {
    const id = host.url + path;
    const document = { client_id: id, client_name: 'Document client', redirect_uris: [REDIRECT], ...change };
    documents.set(path, { body: JSON.stringify(document) });
    return id;
  }

  const tryWith = async (clientId: string) =>
    person.open(String(await any.authorizationUrl({ client_id: clientId })));

  test('needs no registration: it is shown with the host of its document, and connected', async () => {
    const id = publish('/client.json');
    const page = await person.signIn(await tryWith(id));
    assert.match(page.text, /Document client/);
    assert.ok(page.text.includes(host.pair));
    const answer = await person.decide(page, 'approve');
    const response = await service.request('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: answer.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT,
        code_verifier: any.verifier,
        client_id: id,
        resource: `${service.baseUrl}/mcp`,
      }),
    });
    assert.equal(response.status, 200);
    const { access_token: token } = (await response.json()) as { access_token: string };
    assert.equal((await callWith(service, token)).status, 200);
  });

  test('that somebody has connected is fetched whoever asks how often, any other 60 times an hour', async () => {
    const now = service.clock.now();
    const { pool } = service.app.deps;
    const id = publish('/busy.json', { client_name: 'Busy client' });
    await (await OauthClient.published(service, id)).connect(person);
    const limit = { name: 'oauth_document/127.0.0.1', max: 60, windowMs: HOUR_MS };
    while ((await takeFromWindow(pool, limit, now)).allowed);
    assert.equal((await tryWith(publish('/strange.json'))).status, 400);
    // Another node has not seen the document yet.
    const address = addressGroup('127.0.0.1');
    assert.equal(await mayFetchDocument(service.app.deps, id, address), true);
    assert.equal(await mayFetchDocument(service.app.deps, `${host.url}/strange.json`, address), false);
    service.clock.advance(HOUR_MS);
  });

  test('is looked up once, and then remembered for a while', async () => {
    const id = publish('/remembered.json');
    for (let round = 0; round < 3; round++) assert.equal((await tryWith(id)).status, 200);
    assert.equal(asked.filter((path) => path === '/remembered.json').length, 1);
  });

  /** Signs in, uses and renews the connection and ends it. The resource is named at most at the beginning. */
  async function connectAndLeave(
    client: OauthClient,
    returnsTo: string,
    endpoint: TestEndpoint = ENDPOINTS['/mcp'],
    named: Record<string, string | null> = { resource: null, scope: null },
  ): Promise<void> {
    const asked = { redirect_uri: returnsTo, ...named };
    const answer = await person.approve(await client.authorizationUrl(asked));
    assert.ok(answer.href.startsWith(returnsTo), answer.href);
    const first = await client.exchange(answer, { redirectUri: returnsTo, resource: null });
    assert.equal(first.scope, endpoint.scope);
    assert.equal((await callEndpoint(service, endpoint, first.access_token)).status, 200);
    const second = await client.refresh(first.refresh_token, { resource: null });
    assert.equal((await callEndpoint(service, endpoint, second.access_token)).status, 200);
    // The account is asked more often here than its plan allows in a minute.
    service.clock.advance(MINUTE_MS);
    await client.revoke(second.refresh_token);
    assert.equal((await callEndpoint(service, endpoint, second.access_token)).status, 401);
    await refused(client.refresh(second.refresh_token, { resource: null }), 'invalid_grant');
  }

  // Every client meets everything in the long tier. In the quick one each meets a part, and all together everything.
  for (const [at, { host: name, clientId, returnsTo, document }] of PUBLISHED_CLIENTS.entries())
    test(`as ${name} publishes it is shown, connected, renewed and disconnected without a secret`, async () => {
      const id = publish(new URL(clientId).pathname, document);
      const client = await OauthClient.published(service, id);
      const url = await client.authorizationUrl({ redirect_uri: returnsTo });
      const page = await person.open(url.href);
      assert.equal(page.status, 200, page.text);
      assert.ok(page.text.includes(String(document['client_name'])));
      const ways = [
        () => connectAndLeave(client, returnsTo),
        ...PARTNER_ENDPOINTS.flatMap((endpoint) => {
          // A host that follows the document names the resource, one that follows the challenge the scope.
          const resource = `${service.app.deps.config.partnerUrl}${endpoint.path}`;
          return [
            () => connectAndLeave(client, returnsTo, endpoint, { resource, scope: null }),
            () => connectAndLeave(client, returnsTo, endpoint, { resource: null, scope: endpoint.scope }),
          ];
        }),
      ];
      for (const [index, connect] of ways.entries()) if (LONG || index === at % ways.length) await connect();
    });

  for (const { host: name, returnsTo, registration } of REGISTERED_CLIENTS)
    test(`as ${name} registers itself it is connected by each of its addresses`, async () => {
      const client = await OauthClient.register(service, registration);
      const endpoints = Object.values(ENDPOINTS);
      for (const [at, address] of returnsTo.entries())
        for (const endpoint of LONG ? endpoints : endpoints.slice(at % endpoints.length).slice(0, 1))
          await connectAndLeave(client, address, endpoint, { resource: null, scope: endpoint.scope });
    });

  const wrong: Record<string, () => string> = {
    'another id in it': () => publish('/other.json', { client_id: `${host.url}/client.json` }),
    'an address that it does not name': () =>
      publish('/redirect.json', { redirect_uris: ['https://a.example/'] }),
    'a secret in it': () => publish('/secret.json', { client_secret: 'x' }),
    'a way to authenticate that needs one': () =>
      publish('/post.json', { token_endpoint_auth_method: 'client_secret_post' }),
    'no way to authenticate that is ours': () =>
      publish('/signed.json', {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'],
        jwks_uri: `${host.url}/keys.json`,
      }),
    'no document': () => `${host.url}/nothing.json`,
    'no path': () => publish('/'),
    'something else than JSON': () => {
      documents.set('/text', { body: 'hello' });
      return `${host.url}/text`;
    },
    'a redirect to another place': () => {
      documents.set('/moved', { status: 302, body: '', location: `${host.url}/client.json` });
      return `${host.url}/moved`;
    },
    'more than 64 kB': () =>
      publish('/large.json', { client_uri: `https://a.example/${'x'.repeat(70_000)}` }),
    'an address inside a network': () => 'https://169.254.169.254/latest/client.json',
    'a host that is not on the internet': () => 'https://localhost/client.json',
  };
  for (const [what, clientId] of Object.entries(wrong))
    test(`is refused with ${what}`, async () => {
      const page = await tryWith(clientId());
      assert.equal(page.status, 400, page.text);
      assert.equal(page.left, undefined);
      assert.match(page.text, /The client cannot be connected/);
      assert.doesNotMatch(page.text, /hello|ECONN|ENOTFOUND/);
    });
});
