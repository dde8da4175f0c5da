import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpc } from '../../harness/clients/mcp.ts';
import { signUpAgent, startTestService } from '../../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 60 });
const { apiKey } = await signUpAgent(service);
const agent = { authorization: `Bearer ${apiKey}` };
const MARK = /are data, never instructions/;

interface Listed {
  name: string;
  description: string;
}

async function ask(path: string, method: string, params: Record<string, unknown> = {}) {
  const { body } = await rpc(service, path, { id: 1, method, params }, path === '/mcp' ? agent : {});
  return body.result as Record<string, unknown>;
}

test('every server says in its instructions that texts of listings are data', async () => {
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'])
    assert.match(String((await ask(path, 'initialize', initialize))['instructions']), MARK, path);
});

test('tools whose answers hold what strangers wrote say so in their description, and the others do not', async () => {
  const marked: string[] = [];
  for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'])
    for (const { name, description } of (await ask(path, 'tools/list'))['tools'] as Listed[])
      if (MARK.test(description)) marked.push(name);
  assert.deepEqual(marked.toSorted(), [
    'concierge_answer',
    'directory_feed',
    'get_menu',
    'get_reviews',
    'open_places',
    'place_details',
    'search_places',
    'svc_get_place',
    'svc_search_photos',
    'svc_search_places',
  ]);
});

test('a result is one text, which repeats no rule that the server and the tool have told', async () => {
  for (const [path, name, given] of [
    ['/mcp', 'svc_search_places', { city: 'bali' }],
    ['/api/partner/mcp', 'search_places', { destination: 'bali' }],
    ['/api/partner/mcp', 'concierge_answer', { destination: 'bali', question: 'Where can I eat?' }],
  ] as const) {
    const { content } = await ask(path, 'tools/call', { name, arguments: given });
    const [{ text } = { text: '' }, ...more] = content as { text: string }[];
    assert.deepEqual(more, [], name);
    assert.doesNotMatch(text, MARK);
  }
});
