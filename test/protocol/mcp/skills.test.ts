import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { countTokens } from 'gpt-tokenizer';
import { z } from 'zod';
import { ERRORS } from '../../../src/core/errors.ts';
import { OPERATIONS } from '../../../src/surfaces/operations.ts';
import { modernRpc, rpc } from '../../harness/clients/mcp.ts';
import { startTestService, USER_AGENT } from '../../harness/service/service.ts';

const EXTENSION = 'io.modelcontextprotocol/skills';
const IDENTITY = { name: 'waypost-tests', version: '1.0.0' };
const SKILLS = {
  '/mcp': 'skill://list-a-business/SKILL.md',
  '/api/partner/mcp': 'skill://plan-a-visit/SKILL.md',
  '/api/concierge/mcp': 'skill://ask-for-a-table/SKILL.md',
};

/** An entry as the extension publishes it: nothing is left out, and digests are of raw bytes. */
const skillSchema = z.strictObject({
  uri: z.string().regex(/^skill:\/\/([a-z0-9-]+\/)+SKILL\.md$/),
  frontmatter: z
    .object({
      name: z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        .max(64),
      description: z.string().min(1).max(1024),
    })
    .catchall(z.string()),
  resources: z
    .array(
      z.strictObject({ uri: z.string(), digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), size: z.int() }),
    )
    .min(1)
    .max(512),
});
const listSchema = z.looseObject({ skills: z.array(skillSchema) });
const getSchema = z.looseObject({ skill: skillSchema });

const service = await startTestService();
const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((client) => client.close())));

const CLIENTS = {
  'client 2.x in the modern era': async (path: string) => {
    const client = new Client(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StreamableHTTPClientTransport(...to(path)));
    return using(client, path);
  },
  'client 2.x in the legacy era': async (path: string) => {
    const client = new Client(IDENTITY, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new StreamableHTTPClientTransport(...to(path)));
    return using(client, path);
  },
  'sdk 1.x': async (path: string) => {
    const client = new FirstClient(IDENTITY);
    await client.connect(new FirstTransport(...to(path)));
    return using(client, path);
  },
};

function to(path: string): [URL, { requestInit: { headers: Record<string, string> } }] {
  return [new URL(service.url + path), { requestInit: { headers: { 'user-agent': USER_AGENT } } }];
}

function using(client: Client | FirstClient, path: string) {
  open.push(client);
  const request = client.request.bind(client) as <T extends z.ZodType>(
    request: { method: string; params: object },
    schema: T,
  ) => Promise<z.output<T>>;
  const capabilities = client.getServerCapabilities() as { extensions?: Record<string, unknown> } | undefined;
  return { client, path, request, extensions: capabilities?.extensions };
}

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name}: a skill is declared, listed, got and read, and its bytes are those of its digest`, async () => {
    for (const [path, uri] of Object.entries(SKILLS)) {
      const { client, request, extensions } = await connect(path);
      assert.deepEqual(extensions?.[EXTENSION], {});
      const { skills } = await request({ method: 'skills/list', params: {} }, listSchema);
      assert.deepEqual(
        skills.map((skill) => skill.uri),
        [uri],
      );
      const { skill } = await request({ method: 'skills/get', params: { uri } }, getSchema);
      assert.deepEqual(skill, skills[0]);
      const { contents } = await client.readResource({ uri });
      const [{ text } = { text: '' }] = contents as { text: string }[];
      const bytes = Buffer.from(text);
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      assert.deepEqual(skill.resources, [{ uri, digest, size: bytes.length }]);
      const { resources } = await client.listResources();
      const listed = resources.find((resource) => resource.uri === uri);
      const { frontmatter } = skill;
      assert.deepEqual(
        [listed?.name, listed?.description, listed?.mimeType],
        [frontmatter.name, frontmatter.description, 'text/markdown'],
      );
    }
  });
}

test('an address without a skill and a cursor are refused, in both eras', async () => {
  for (const path of Object.keys(SKILLS))
    for (const [method, params] of [
      ['skills/get', { uri: 'skill://another/SKILL.md' }],
      ['skills/get', {}],
      ['skills/list', { cursor: 'next' }],
    ] as const) {
      const legacy = await rpc(service, path, { id: 1, method, params });
      const modern = await modernRpc(service, path, method, params);
      assert.deepEqual([legacy.body.error?.code, modern.body.error?.code], [-32602, -32602]);
    }
});

test('a modern client may keep a skill as long as it keeps the tools', async () => {
  const { body } = await modernRpc(service, '/mcp', 'skills/list');
  assert.equal(body.result?.['resultType'], 'complete');
  assert.deepEqual([body.result['ttlMs'], body.result['cacheScope']], [3_600_000, 'public']);
});

async function textAt(path: string, uri: string, from = service): Promise<string> {
  const { body } = await rpc(from, path, { id: 1, method: 'resources/read', params: { uri } });
  const [{ text } = { text: '' }] = body.result?.['contents'] as { text: string }[];
  return text;
}

for (const [path, uri] of Object.entries(SKILLS)) {
  test(`${uri} is in the published format, short, and names only what is there`, async () => {
    const text = await textAt(path, uri);
    const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
    // Plain scalars that mean the same to every reader of YAML.
    for (const line of head.split('\n')) assert.match(line, /^[a-z-]+: [A-Za-z][^:#"'{}[\]&*!|>%@`]*$/);
    assert.equal(/^name: (.*)$/m.exec(head)?.[1], uri.split('/').at(-2));
    assert.ok(countTokens(text) < 5_000);
    const listed = await rpc(service, path, { id: 1, method: 'tools/list', params: {} });
    const names = (listed.body.result?.['tools'] as { name: string }[]).map(({ name }) => name);
    const words = new Set(Array.from(body.matchAll(/`([a-z_]+)`/g), ([, word = '']) => word));
    const used = names.filter((name) => words.has(name));
    assert.ok(used.length >= 4, used.join());
    const elsewhere = OPERATIONS.flatMap(({ name }) => [name, `svc_${name}`]).filter(
      (name) => !names.includes(name),
    );
    assert.deepEqual(
      elsewhere.filter((name) => words.has(name)),
      [],
    );
    const [, failures = ''] = body.split('## When it fails');
    for (const [, code = ''] of failures.matchAll(/^- `(\w+)`/gm)) assert.ok(code in ERRORS, code);
  });
}

test('a skill names tools by the prefix of the installation', async () => {
  const { database } = service;
  const other = await startTestService({ database, settings: { SERVICE_PREFIX: 'acme' } });
  const text = await textAt('/mcp', SKILLS['/mcp'], other);
  assert.match(text, /`acme_submit_business`/);
  assert.doesNotMatch(text, /svc_/);
});
