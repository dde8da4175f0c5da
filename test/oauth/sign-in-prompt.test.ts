import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { modernRpc, rpc } from '../harness/clients/mcp.ts';
import { Person, startOauthService } from '../harness/clients/oauth.ts';
import { OauthClient } from '../harness/clients/oauth-client.ts';
import { USER_AGENT } from '../harness/service/service.ts';

const service = await startOauthService();
const { partnerUrl } = service.app.deps.config;
const CHATGPT = 'openai-mcp/1.0.0 (ChatGPT)';

interface ListedTool {
  name: string;
  securitySchemes: { type: string; scopes?: string[]; name?: string }[];
  _meta: { securitySchemes: unknown };
}

async function toolsOf(path: string): Promise<ListedTool[]> {
  const { body } = await rpc(service, path, { id: 1, method: 'tools/list' });
  return body.result?.['tools'] as ListedTool[];
}

function callAs(userAgent: string, path: string, name: string, authorization?: string) {
  return rpc(
    service,
    path,
    { id: 7, method: 'tools/call', params: { name, arguments: {} } },
    { 'user-agent': userAgent, ...(authorization !== undefined && { authorization }) },
  );
}

describe('a list of tools', () => {
  const schemes = ({ securitySchemes }: ListedTool) =>
    securitySchemes.map(({ type, scopes = [], name = '' }) => [type, ...scopes, name].join(' ').trim());

  test('says of every tool what a call must carry, beside its name and in _meta', async () => {
    for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'])
      for (const tool of await toolsOf(path)) {
        assert.ok(tool.securitySchemes.length > 0, tool.name);
        assert.deepEqual(tool._meta.securitySchemes, tool.securitySchemes);
      }
  });

  test('says which tools a person signs in for, with which scope, and which need the key itself', async () => {
    const agent = Object.fromEntries((await toolsOf('/mcp')).map((tool) => [tool.name, schemes(tool)]));
    assert.deepEqual(agent['svc_list_destinations'], ['noauth']);
    assert.deepEqual(agent['svc_search_places'], ['oauth2 svc.read']);
    assert.deepEqual(agent['svc_submit_business'], ['oauth2 svc.write']);
    assert.deepEqual(agent['svc_license_photo'], ['apiKey Authorization']);
    const full = Object.fromEntries(
      (await toolsOf('/mcp?profile=full')).map((tool) => [tool.name, schemes(tool)]),
    );
    assert.deepEqual(full['svc_get_account'], ['oauth2 svc.read']);
    for (const name of ['svc_rotate_key', 'svc_change_plan'])
      assert.deepEqual(full[name], ['apiKey Authorization'], name);
    for (const tool of await toolsOf('/api/partner/mcp'))
      assert.deepEqual(schemes(tool), ['noauth', 'oauth2 svc.partner.read'], tool.name);
    for (const tool of await toolsOf('/api/concierge/mcp')) {
      const expected = tool.name === 'set_webhook' ? 'apiKey X-Partner-Key' : 'oauth2 svc.bookings';
      assert.deepEqual(schemes(tool), [expected], tool.name);
    }
  });

  test('is true: what it calls open is answered without a credential, and nothing else is', async () => {
    for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'])
      for (const tool of await toolsOf(path)) {
        const open = tool.securitySchemes.some(({ type }) => type === 'noauth');
        const { status } = await callAs(USER_AGENT, path, tool.name);
        assert.equal(status, open ? 200 : 401, `${path} ${tool.name}`);
        // Without a key there are twelve calls in a minute.
        service.clock.advance(60_000);
      }
  });
});

test('a client that was allowed to hand in listings can end neither the key nor a paid plan', async () => {
  const client = await OauthClient.register(service, { client_name: 'Writer' });
  const { access_token: token } = await client.connect(new Person(service, 'payer@operator.example'));
  const { pool } = service.database;
  const held = () => pool`select plan from agent where operator_email = 'payer@operator.example'`;
  await pool`
    update agent set plan = 'growth', plan_until = '2027-12-31' where operator_email = 'payer@operator.example'`;
  for (const [name, given] of Object.entries({ svc_change_plan: { plan: 'free' }, svc_rotate_key: {} })) {
    const call = { id: 1, method: 'tools/call', params: { name, arguments: given } };
    const { body } = await rpc(service, '/mcp?profile=full', call, { authorization: `Bearer ${token}` });
    assert.match(JSON.stringify(body.result?.['content']), /key_required/, name);
  }
  assert.deepEqual([...(await held())], [{ plan: 'growth' }]);
});

describe('a host that asks its user to sign in for what stands in a result', () => {
  const gated: [path: string, tool: string, base: string, scope: string][] = [
    ['/mcp', 'svc_list_submissions', service.baseUrl, 'svc.read svc.write'],
    ['/api/concierge/mcp', 'booking_status', partnerUrl, 'svc.bookings'],
  ];
  for (const [path, tool, base, scope] of gated) {
    const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource${path}", scope="${scope}"`;

    test(`finds the challenge there on ${path}, and every other host finds it in a 401`, async () => {
      const { status, headers, body } = await callAs(CHATGPT, path, tool);
      assert.equal(status, 200);
      assert.equal(headers.get('www-authenticate'), `Bearer ${metadata}`);
      assert.equal(body.id, 7);
      assert.equal(body.result?.['isError'], true);
      assert.match(JSON.stringify(body.result['content']), /missing_credentials/);
      assert.equal(body.result['structuredContent'], undefined);
      const [challenge = ''] = metaOf(body.result)['mcp/www_authenticate'] ?? [];
      assert.ok(
        challenge.startsWith(`Bearer ${metadata}, error="insufficient_scope", error_description="`),
        challenge,
      );
      for (const other of [
        'Claude-User/1.0',
        'vscode/1.130',
        'Cursor/3.1',
        'my-openai-mcp/1.0.0',
        USER_AGENT,
      ]) {
        const refused = await callAs(other, path, tool);
        assert.equal(refused.status, 401, other);
        assert.equal(refused.headers.get('www-authenticate'), `Bearer ${metadata}`);
      }
    });

    test(`meets 401 on ${path} with a token that is not good any more, so that it renews it`, async () => {
      const { status, headers } = await callAs(CHATGPT, path, tool, 'Bearer svc_at_nonsense');
      assert.equal(status, 401);
      assert.equal(headers.get('www-authenticate'), `Bearer error="invalid_token", ${metadata}`);
    });

    test(`finds it in the form of the newest protocol on ${path} too`, async () => {
      const params = { name: tool, arguments: {} };
      const { status, body } = await modernRpc(service, path, 'tools/call', params, {
        'user-agent': CHATGPT,
      });
      assert.equal(status, 200);
      assert.equal(body.result?.['resultType'], 'complete');
      assert.equal(metaOf(body.result)['mcp/www_authenticate']?.length, 1);
    });
  }

  test('asks for one more scope in the same way', async () => {
    const client = await OauthClient.register(service, { client_name: 'Reader' });
    const person = new Person(service, 'reader@operator.example');
    const { access_token: token } = await client.connect(person, { scope: 'svc.read' });
    const call = (agent: string) => callAs(agent, '/mcp', 'svc_submit_business', `Bearer ${token}`);
    const { status, body } = await call(CHATGPT);
    assert.equal(status, 200);
    const [challenge = ''] = metaOf(body.result)['mcp/www_authenticate'] ?? [];
    assert.match(challenge, /scope="svc\.write", error="insufficient_scope"/);
    assert.equal((await call(USER_AGENT)).status, 403);
  });
});

function metaOf(result: Record<string, unknown> = {}): Record<string, string[]> {
  return result['_meta'] as Record<string, string[]>;
}
