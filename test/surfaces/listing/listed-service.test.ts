import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { modernRpc, rpc } from '../../harness/clients/mcp.ts';
import { startTestService } from '../../harness/service/service.ts';

const service = await startTestService({
  settings: {
    OPERATOR_NAME: 'Example <Travel> Ltd',
    OPERATOR_ADDRESS: '1 Example Street, Exampletown',
    OPENAI_APPS_CHALLENGE: 'challenge-token-1',
    MCP_REGISTRY_AUTH: 'v=MCPv1; k=ed25519; p=abc=',
  },
});
const bare = await startTestService({
  settings: { PRIVACY_URL: 'https://legal.example/privacy', TERMS_URL: 'https://legal.example/terms' },
});

test('domain proofs are served as they were set, to whoever asks, and are absent without a setting', async () => {
  for (const [name, text] of [
    ['openai-apps-challenge', 'challenge-token-1'],
    ['mcp-registry-auth', 'v=MCPv1; k=ed25519; p=abc='],
  ]) {
    const answer = await fetch(`${service.url}/.well-known/${name}`, { headers: { 'user-agent': '' } });
    assert.deepEqual([answer.status, await answer.text()], [200, text]);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
    assert.equal((await bare.request(`/.well-known/${name}`)).status, 404);
  }
});

test('privacy, terms and support name the operator, and the footer leads to them', async () => {
  for (const path of ['/privacy', '/terms', '/support']) {
    const answer = await service.request(path);
    const page = await answer.text();
    assert.equal(answer.status, 200);
    assert.match(page, /Example &lt;Travel&gt; Ltd, 1 Example Street, Exampletown/);
    assert.match(page, /mailto:hello@waypost\.example/);
    assert.doesNotMatch(page, /set-cookie/i);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
  const home = await (await service.request('/')).text();
  for (const path of ['/privacy', '/terms', '/support']) assert.ok(home.includes(`<a href="${path}"`));
});

test('every link on these pages leads somewhere', async () => {
  const paths = new Set<string>();
  for (const path of ['/privacy', '/terms', '/support'])
    for (const [, href = ''] of (await (await service.request(path)).text()).matchAll(/href="(\/[^"#]*)/g))
      paths.add(href);
  // Some ask for a sign-in first, which is an answer too.
  for (const path of paths)
    assert.notEqual((await service.request(path, { redirect: 'manual' })).status, 404, path);
});

test('pages of the operator take the place of ours', async () => {
  const answer = await bare.request('/privacy', { redirect: 'manual' });
  assert.deepEqual([answer.status, answer.headers.get('location')], [302, 'https://legal.example/privacy']);
  assert.equal((await bare.request('/terms', { redirect: 'manual' })).status, 302);
  assert.equal((await bare.request('/support', { redirect: 'manual' })).status, 200);
});

test('the privacy page names only those who get something on this installation', async () => {
  const plain = await (await service.request('/privacy')).text();
  assert.doesNotMatch(plain, /Stripe|language model gets|telephone provider|mail provider/);
  const more = await startTestService({
    settings: {
      SMTP_URL: 'smtp://127.0.0.1:1',
      LLM_URL: 'http://127.0.0.1:1/v1/chat/completions',
      LLM_MODEL: 'small',
    },
  });
  const page = await (await more.request('/privacy')).text();
  assert.match(page, /mail provider/);
  assert.match(page, /language model gets/);
});

interface Icon {
  src: string;
  mimeType: string;
  sizes: string[];
}

test('icons are PNG files of the size that is told, and show the logo', async () => {
  const { body } = await modernRpc(service, '/mcp', 'server/discover');
  const info = (body.result?.['_meta'] as Record<string, { icons: Icon[] }>)[
    'io.modelcontextprotocol/serverInfo'
  ];
  assert.equal(info?.icons.length, 3);
  const logo = readFileSync(
    new URL('../../../src/surfaces/people/assets/pictures/favicon.svg', import.meta.url),
  );
  for (const { src, mimeType, sizes } of info.icons) {
    assert.equal(new URL(src).origin, 'https://waypost.example');
    const answer = await service.request(new URL(src).pathname);
    assert.equal(answer.headers.get('content-type'), mimeType);
    const png = Buffer.from(await answer.arrayBuffer());
    const { width, height, format } = await sharp(png).metadata();
    assert.deepEqual([format, `${width}x${height}`], ['png', sizes[0]]);
    const drawn = await sharp(logo, { density: (72 * width) / 32 })
      .resize(width, height)
      .raw()
      .toBuffer();
    const held = await sharp(png).raw().toBuffer();
    const differing = drawn.filter((byte, at) => Math.abs(byte - (held[at] ?? 0)) > 32).length;
    assert.ok(differing < drawn.length / 100, `${differing} of ${drawn.length} bytes differ`);
  }
});

test('icons come with the first answer of a client that knows them, and with no other', async () => {
  for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'])
    for (const [version, told] of [
      ['2025-11-25', true],
      ['2025-06-18', false],
    ] as const) {
      const params = {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      };
      const { body } = await rpc(service, path, { id: 1, method: 'initialize', params });
      assert.equal('icons' in (body.result?.['serverInfo'] as object), told);
    }
  const { body } = await modernRpc(service, '/mcp', 'tools/list');
  assert.doesNotMatch(JSON.stringify(body.result?.['_meta']), /icon/);
});
