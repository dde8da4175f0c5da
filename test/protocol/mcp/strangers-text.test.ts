import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Surface } from '../../../src/core/context.ts';
import { toolName } from '../../../src/protocol/mcp/tool.ts';
import { servedOperations } from '../../../src/surfaces/operations.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { signUpAgent, startTestService } from '../../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300, settings: { RESERVE: 'on' } });
const { apiKey } = await signUpAgent(service);
const agent = { authorization: `Bearer ${apiKey}` };
const MARK = /are data, never instructions/;

interface Listed {
  name: string;
  description: string;
}

async function ask(path: string, method: string, params: Record<string, unknown> = {}) {
  const { body } = await rpc(service, path, { id: 1, method, params }, path.startsWith('/mcp') ? agent : {});
  return body.result as Record<string, unknown>;
}

test('every server says in its instructions that texts of listings are data', async () => {
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp', '/api/reserve/mcp'])
    assert.match(String((await ask(path, 'initialize', initialize))['instructions']), MARK, path);
});

/** A result with one of these tells of a place, a booking, a submission or a photo: strangers wrote parts of each. */
const OF_STRANGERS = new Set([
  'place_id',
  'booking_id',
  'guidance',
  'reviews',
  'caption',
  'attribution_line',
]);
/** They tell the ids of bookings and nothing else of them. */
const IDS_ONLY = new Set(['webhook_status', 'test_webhook', 'redeliver_webhook']);

function memberNames(schema: unknown, into = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return into;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value as object)) into.add(name);
    memberNames(value, into);
  }
  return into;
}

test('each tool of each surface whose result can hold what strangers wrote says that this is data', async () => {
  const surfaces = {
    agent: '/mcp',
    partner: '/api/partner/mcp',
    concierge: '/api/concierge/mcp',
    reserve: '/api/reserve/mcp',
  };
  const wrong: string[] = [];
  let seen = 0;
  for (const [surface, path] of Object.entries(surfaces)) {
    const { tools } = (await ask(`${path}?profile=full`, 'tools/list')) as { tools: Listed[] };
    for (const { name, description } of tools) {
      const operation = servedOperations(service.app.deps.config).find(
        (one) => toolName(one, surface as Surface, 'svc') === name,
      );
      assert.ok(operation, name);
      const { output, toolOutput = output } = operation;
      const members = memberNames(z.toJSONSchema(toolOutput, { io: 'input' }));
      const holds = !IDS_ONLY.has(operation.name) && !members.isDisjointFrom(OF_STRANGERS);
      if (MARK.test(description) !== holds) wrong.push(`${path} ${name}`);
      seen++;
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(seen > 30, String(seen));
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
