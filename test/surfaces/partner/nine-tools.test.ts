import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { runPackageBin } from '../../harness/clients/package-bin.ts';
import { roomyKey } from '../../harness/people/partner.ts';
import { assertPublished } from '../../harness/clients/published-schema.ts';
import { startTestService } from '../../harness/service/service.ts';

const TIMEOUT_MS = 60_000;
const IDENTITY = { name: 'waypost-tests', version: '1.0.0' };
const service = await startTestService({ demoPlaces: 2000 });
const url = `${service.url}/api/partner/mcp`;
const headers = await roomyKey(service);
const home = await mkdtemp(join(tmpdir(), 'waypost-inspector-'));
after(() => rm(home, { recursive: true, force: true }));

const [place] = await service.database.pool<{ id: string }[]>`
  select p.id from place p join menu m on m.place_id = p.id where p.closed_at is null order by p.id limit 1`;
const place_id = place?.id ?? '';

/** Every tool of the surface with arguments that it answers to. */
const CALLS: Readonly<Record<string, Record<string, string>>> = {
  search_places: { destination: 'bali', query: 'pizza' },
  concierge_answer: { destination: 'bali', question: 'Where can we eat in Ubud tonight?' },
  list_destinations: { country: 'ID' },
  place_details: { place_id },
  open_places: { destination: 'bali', at: '2026-11-14T20:00' },
  booking_link: { place_id, date: '2026-11-20', time: '19:30' },
  get_menu: { place_id },
  get_reviews: { place_id },
  directory_feed: { destination: 'bali' },
};

interface Listed {
  tools: {
    name: string;
    inputSchema: object;
    outputSchema?: object;
    annotations?: { readOnlyHint?: boolean };
  }[];
}
interface Called {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text?: string }[];
}
interface Caller {
  listTools(): Promise<Listed>;
  callTool(call: { name: string; arguments: Record<string, string> }): Promise<Called>;
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
  test(`${name}: all nine tools are listed as read-only and answer as their output schemas say`, async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(CALLS).sort());
    for (const tool of tools) {
      assert.equal(tool.annotations?.readOnlyHint, true, tool.name);
      const answer = await client.callTool({ name: tool.name, arguments: CALLS[tool.name] ?? {} });
      assert.notEqual(answer.isError, true, JSON.stringify(answer.content));
      assertPublished(tool.outputSchema, answer.structuredContent);
      assert.match(answer.content[0]?.text ?? '', /Place data ©/, tool.name);
      assert.ok(typeof answer.structuredContent?.['attribution'] === 'string');
      if ('booked' in answer.structuredContent) assert.equal(answer.structuredContent['booked'], false);
    }
    await client.close();
  });
}

test('the Inspector calls all nine tools in both eras', async () => {
  const key = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  for (const era of ['legacy', 'modern'])
    for (const [tool, given] of Object.entries(CALLS)) {
      const args = Object.entries(given).flatMap(([argument, value]) => [
        '--tool-arg',
        `${argument}=${value}`,
      ]);
      const target = ['--cli', url, '--transport', 'http', '--protocol-era', era, '--format', 'json'];
      const finished = await runPackageBin(
        '@modelcontextprotocol/inspector',
        'mcp-inspector',
        [...target, '--header', ...key, '--method', 'tools/call', '--tool-name', tool, ...args],
        { home, timeoutMs: TIMEOUT_MS },
      );
      assert.equal(finished.code, 0, `${tool}: ${finished.stderr}${finished.stdout}`);
      const { result } = JSON.parse(finished.stdout) as { result: Called };
      assert.ok(result.structuredContent !== undefined, tool);
    }
});
