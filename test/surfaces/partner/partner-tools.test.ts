import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { OPERATIONS } from '../../../src/surfaces/operations.ts';
import { runPackageBin } from '../../harness/clients/package-bin.ts';
import { roomyKey } from '../../harness/people/partner.ts';
import { structuredSchema } from '../../harness/clients/tool-schema.ts';
import { assertPublished } from '../../harness/clients/published-schema.ts';
import { startTestService } from '../../harness/service/service.ts';
import { PATIENCE_MS } from '../../harness/patience.ts';
import { LONG } from '../../harness/tier.ts';

const IDENTITY = { name: 'waypost-tests', version: '1.0.0' };
const service = await startTestService({ demoPlaces: 3000 });
const url = `${service.url}/api/partner/mcp`;
const headers = await roomyKey(service);
const home = await mkdtemp(join(tmpdir(), 'waypost-inspector-'));
after(() => rm(home, { recursive: true, force: true }));

const [place] = await service.database.pool<{ id: string }[]>`
  select p.id from place p join menu m on m.place_id = p.id where p.closed_at is null order by p.id limit 1`;
const place_id = place?.id ?? '';

/** Every tool of the surface with the arguments of its example, about a place that is here and on pages of full size. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = Object.fromEntries(
  OPERATIONS.filter(({ tools }) => tools.includes('partner')).map(({ name, example }) => {
    const { limit: _limit, ...given } = example.input;
    return [name, 'place_id' in given ? { ...given, place_id } : given];
  }),
);

interface Listed {
  tools: { name: string; inputSchema: object; annotations?: { readOnlyHint?: boolean } }[];
}
interface Called {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text?: string }[];
}
interface Caller {
  listTools(): Promise<Listed>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Called>;
  close(): Promise<void>;
}

const CLIENTS: Readonly<Record<string, () => Promise<Caller>>> = {
  'client 2.x in the legacy era': () => connectSecond('legacy'),
  'client 2.x in the modern era': () => connectSecond({ pin: '2026-07-28' }),
  'sdk 1.x': async () => {
    const client = new FirstClient(IDENTITY);
    await client.connect(new FirstTransport(new URL(url), { requestInit: { headers } }));
    return client as unknown as Caller;
  },
};

async function connectSecond(mode: 'legacy' | { pin: string }): Promise<Caller> {
  const client = new Client(IDENTITY, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client as unknown as Caller;
}

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name}: every tool of partners is listed as read-only and answers as its output schema says`, async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(CALLS).sort());
    for (const tool of tools) {
      assert.equal(tool.annotations?.readOnlyHint, true, tool.name);
      const answer = await client.callTool({ name: tool.name, arguments: CALLS[tool.name] ?? {} });
      assert.notEqual(answer.isError, true, JSON.stringify(answer.content));
      assertPublished(structuredSchema('/api/partner/mcp', tool.name), answer.structuredContent);
      assert.match(answer.content[0]?.text ?? '', /Place data ©/, tool.name);
      assert.ok(typeof answer.structuredContent?.['attribution'] === 'string');
      if ('booked' in answer.structuredContent) assert.equal(answer.structuredContent['booked'], false);
    }
    await client.close();
  });
}

test(`the Inspector calls ${LONG ? 'every tool of partners in both eras' : 'one tool of partners'}`, async () => {
  const key = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  for (const era of LONG ? ['legacy', 'modern'] : ['modern'])
    for (const [tool, given] of Object.entries(CALLS).slice(0, LONG ? undefined : 1)) {
      const args = Object.entries(given).flatMap(([argument, value]) => [
        '--tool-arg',
        `${argument}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const target = ['--cli', url, '--transport', 'http', '--protocol-era', era, '--format', 'json'];
      const finished = await runPackageBin(
        '@modelcontextprotocol/inspector',
        'mcp-inspector',
        [...target, '--header', ...key, '--method', 'tools/call', '--tool-name', tool, ...args],
        { home, timeoutMs: PATIENCE_MS },
      );
      assert.equal(finished.code, 0, `${tool}: ${finished.stderr}${finished.stdout}`);
      const { result } = JSON.parse(finished.stdout) as { result: Called };
      assert.ok(result.structuredContent !== undefined, tool);
    }
});
