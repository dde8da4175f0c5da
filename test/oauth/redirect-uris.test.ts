import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewId } from '../../src/core/ids.ts';
import { redirectKind } from '../../src/oauth/redirect-uri.ts';
import { addClient } from '../../src/oauth/storage/client-store.ts';
import { Person, startOauthService } from '../harness/clients/oauth.ts';
import { OauthClient } from '../harness/clients/oauth-client.ts';

const service = await startOauthService();

async function register(uri: string): Promise<{ status: number; error?: string }> {
  const response = await service.request('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [uri] }),
  });
  const { error } = (await response.json()) as { error?: string };
  return { status: response.status, ...(error !== undefined && { error }) };
}

/** Addresses that hosts really register, and those of apps that follow RFC 8252. */
const TAKEN = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
  'http://127.0.0.1:33418/',
  'http://[::1]/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'cursor://anysphere.cursor-retrieval/oauth/user-files/callback',
  'vscode://publisher.extension/oauth-callback',
  'vscode-insiders://publisher.extension/did-authenticate',
  'windsurf://codeium.windsurf/oauth/callback',
  'kiro://kiro.oauth/callback',
  'claude://mcp/auth_callback',
  'warp://mcp/oauth2callback',
  'raycast://oauth?package_name=Extension',
  'com.raycast:/oauth?package_name=Extension',
  'com.example.app:/oauth2redirect',
  'com.googleusercontent.apps.123-abc:/oauth2redirect',
  'io.github.somebody.app://callback',
  'uk.co.example.app:/callback',
];

/** Schemes that systems and browsers handle themselves, that nobody can own, or that known hosts do not use. */
const NEVER = [
  ...[
    'ms-msdt',
    'search-ms',
    'search',
    'ms-officecmd',
    'ms-word',
    'ms-excel',
    'ms-settings',
    'ms-appinstaller',
  ],
  ...['ms-windows-store', 'ms-cxh', 'ms-screenclip', 'ms-gamingoverlay', 'microsoft-edge', 'windowsdefender'],
  ...[
    'intent',
    'android-app',
    'market',
    'mailto',
    'tel',
    'sms',
    'facetime',
    'feed',
    'webcal',
    'itms-services',
  ],
  ...[
    'itms-apps',
    'file',
    'javascript',
    'vbscript',
    'data',
    'blob',
    'about',
    'view-source',
    'chrome',
    'resource',
  ],
  ...[
    'ws',
    'wss',
    'ftp',
    'sftp',
    'ssh',
    'telnet',
    'smb',
    'ldap',
    'jar',
    'res',
    'mk',
    'ms-its',
    'shell',
    'zoommtg',
  ],
  ...[
    'slack',
    'steam',
    'tg',
    'whatsapp',
    'magnet',
    'bitcoin',
    'web+app',
    'x-apple-helpbasic',
    'callto',
    'skype',
  ],
]
  .map((scheme) => `${scheme}://host/oauth/callback`)
  .concat([
    'ms-msdt:/id PCWDiagnostic /skip force',
    'search-ms:query=oauth&crumb=location:%5C%5Cthief.example',
    'x-apple.systempreferences:com.apple.preference.security',
    'microsoft.windows.camera:oauth',
    'microsoft.windows.photos.crop://oauth/callback',
    'com.apple.tv://oauth/callback',
    'no-such-suffix.app:/callback',
    'http://client.example/callback',
    'http://localhost.thief.example/',
    'https://user:word@client.example/',
    'https://client.example/#a',
    'vscode:mcp/install?%7B%22name%22%3A%22x%22%7D',
    'vscode://file/etc/callback',
    'vscode://vscode-remote/ssh-remote+thief.example/oauth',
    'vscode://vscode.git/clone?url=https%3A%2F%2Fthief.example&callback=1',
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=eyJjb21tYW5kIjoiY2FsYyJ9',
    'warp://action/new_tab?path=/tmp/oauth',
    'claude:oauth',
  ]);

test('the addresses of known hosts, of the web, of this computer and of apps with a domain are taken', async () => {
  for (const uri of TAKEN) assert.deepEqual(await register(uri), { status: 201 }, uri);
});

test(`of ${NEVER.length} addresses on which systems and programs act none is taken`, async () => {
  assert.deepEqual(
    NEVER.filter((uri) => redirectKind(uri) !== 'refused'),
    [],
  );
  for (const uri of NEVER.filter((_, at) => at % 5 === 0))
    assert.deepEqual(await register(uri), { status: 400, error: 'invalid_redirect_uri' }, uri);
});

test('a client that was registered before such addresses were refused sends nobody there', async () => {
  const id = createNewId(service.clock)('ocl');
  const [bad, good] = ['ms-msdt:/id', 'https://client.example/callback'];
  const metadata = {
    client_name: 'From before',
    redirect_uris: [bad, good],
    token_endpoint_auth_method: 'none',
  };
  await addClient(service.database.pool, service.app.deps.secrets.oauth, {
    id,
    metadata,
    secret: undefined,
    fingerprint: undefined,
    from: '127.0.0.1',
    now: service.clock.now(),
  });
  const client = await OauthClient.published(service, id);
  const person = new Person(service, 'before@operator.example');
  const refused = await person.open(String(await client.authorizationUrl({ redirect_uri: bad })));
  assert.deepEqual([refused.status, refused.left], [400, undefined]);
  assert.match(refused.text, /invalid_redirect_uri/);
  const answer = await person.approve(await client.authorizationUrl({ redirect_uri: good }));
  assert.equal(answer.origin, 'https://client.example');
});
