import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpc } from '../harness/clients/mcp.ts';
import { BASE_URL, PARTNER_URL, startTestService } from '../harness/service/service.ts';

const service = await startTestService({ settings: { SERVICE_PREFIX: 'way' } });

async function read(path: string): Promise<Record<string, unknown>> {
  const response = await service.request(path, { headers: { 'user-agent': 'node' } });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  return (await response.json()) as Record<string, unknown>;
}

test('a refused call leads to the resource, and the resource to its authorization server', async () => {
  const { status, headers } = await rpc(service, '/mcp', {
    id: 1,
    method: 'tools/call',
    params: { name: 'way_list_submissions', arguments: {} },
  });
  assert.equal(status, 401);
  const resourceMetadata = `${BASE_URL}/.well-known/oauth-protected-resource/mcp`;
  assert.equal(
    headers.get('www-authenticate'),
    `Bearer resource_metadata="${resourceMetadata}", scope="way.read way.write"`,
  );
  const resource = await read(new URL(resourceMetadata).pathname);
  assert.deepEqual(await read('/.well-known/oauth-protected-resource'), resource);
  assert.equal(resource['resource'], `${BASE_URL}/mcp`);
  assert.deepEqual(resource['authorization_servers'], [BASE_URL]);
  assert.deepEqual(resource['scopes_supported'], ['way.read', 'way.write']);
  assert.deepEqual(resource['bearer_methods_supported'], ['header']);
});

const partnerEndpoints: [path: string, tool: string, scope: string][] = [
  ['/api/partner/mcp', 'get_usage', 'way.partner.read'],
  ['/api/concierge/mcp', 'booking_status', 'way.bookings'],
];
for (const [path, tool, scope] of partnerEndpoints)
  test(`a refused call of ${path} leads to a document of its own, on the host of partners`, async () => {
    const call = { id: 1, method: 'tools/call', params: { name: tool, arguments: {} } };
    const metadata = `${PARTNER_URL}/.well-known/oauth-protected-resource${path}`;
    const challenge = `resource_metadata="${metadata}", scope="${scope}"`;
    if (path.includes('concierge')) {
      const anonymous = await rpc(service, path, call);
      assert.equal(anonymous.status, 401);
      assert.equal(anonymous.headers.get('www-authenticate'), `Bearer ${challenge}`);
    }
    const wrong = await rpc(service, path, call, { authorization: 'Bearer nonsense' });
    assert.equal(wrong.status, 401);
    assert.equal(wrong.headers.get('www-authenticate'), `Bearer error="invalid_token", ${challenge}`);
    const resource = await read(new URL(metadata).pathname);
    assert.equal(resource['resource'], PARTNER_URL + path);
    assert.deepEqual(resource['authorization_servers'], [BASE_URL]);
    assert.deepEqual(resource['scopes_supported'], [scope]);
  });

test('no address of OAuth asks for a User-Agent', async () => {
  const { status } = await service.request('/oauth/authorize', { headers: { 'user-agent': '' } });
  assert.equal(status, 400);
  for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke'])
    for (const agent of ['', 'node', 'python-requests/2.32']) {
      const answer = await service.request(path, {
        method: 'POST',
        headers: { 'user-agent': agent, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'client_id=x',
      });
      assert.notEqual(answer.status, 403, `${path} ${agent}`);
    }
});

test('the authorization server says where everything is, under both names that clients look for', async () => {
  const server = await read('/.well-known/oauth-authorization-server');
  assert.deepEqual(await read('/.well-known/openid-configuration'), server);
  const expected = {
    issuer: BASE_URL,
    authorization_endpoint: `${BASE_URL}/oauth/authorize`,
    token_endpoint: `${BASE_URL}/oauth/token`,
    registration_endpoint: `${BASE_URL}/oauth/register`,
    revocation_endpoint: `${BASE_URL}/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    response_types_supported: ['code'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ['way.read', 'way.write', 'way.partner.read', 'way.bookings'],
    protected_resources: [
      `${BASE_URL}/mcp`,
      `${PARTNER_URL}/api/partner/mcp`,
      `${PARTNER_URL}/api/concierge/mcp`,
    ],
  };
  const named = Object.fromEntries(Object.keys(expected).map((name) => [name, server[name]]));
  assert.deepEqual(named, expected);
});

test('over https every cookie of the flow is for https only', async () => {
  const registered = await service.request('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://client.example/callback'] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: 'https://client.example/callback',
    response_type: 'code',
    resource: `${BASE_URL}/mcp`,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const answer = await service.request(`/oauth/authorize?${query.toString()}`, { redirect: 'manual' });
  assert.equal(answer.status, 303);
  assert.match(answer.headers.get('location') ?? '', /^\/oauth\/connect\//);
  const cookies = answer.headers.getSetCookie();
  assert.ok(cookies.length > 0);
  for (const cookie of cookies) assert.match(cookie, /; secure/i);
  for (const cookie of cookies) assert.match(cookie, /; httponly/i);
});

test('an address that cannot be kept is refused, and so is a method that is none of ours', async () => {
  assert.equal((await service.request('/oauth/authorize?state=%00')).status, 400);
  assert.equal((await service.request('/oauth/token?client_id=%00')).status, 405);
  const token = await service.request('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: '\u0000', refresh_token: '\u0000' }),
  });
  assert.equal(token.status, 401);
  assert.equal(((await token.json()) as { error: string }).error, 'invalid_client');
});
