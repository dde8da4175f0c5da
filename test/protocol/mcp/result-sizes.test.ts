import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens } from 'gpt-tokenizer';
import { rpc } from '../../harness/clients/mcp.ts';
import { PARTNER_MCP, roomyKey } from '../../harness/people/partner.ts';
import { signUpAgent, startTestService } from '../../harness/service/service.ts';

/** What a host keeps of a result. */
const TOKENS_MAX = 25_000;

const service = await startTestService({ demoPlaces: 3000 });
const { apiKey } = await signUpAgent(service);
const agent = { authorization: `Bearer ${apiKey}` };

async function call(path: string, name: string, input: object, headers: Record<string, string>) {
  const params = { name, arguments: input };
  const { body } = await rpc(service, path, { id: 1, method: 'tools/call', params }, headers);
  assert.notEqual(body.result?.['isError'] ?? body.error, true, JSON.stringify(body).slice(0, 300));
  assert.ok(body.result !== undefined, JSON.stringify(body.error));
  const tokens = countTokens(JSON.stringify(body.result));
  assert.ok(tokens <= TOKENS_MAX, `${name} gives ${tokens} tokens`);
  return body.result['structuredContent'] as { places?: { place_id: string }[] };
}

test('lists at their longest and records stay within what a host keeps of a result', async () => {
  const partner = await roomyKey(service);
  await call('/mcp', 'svc_list_destinations', {}, agent);
  await call('/mcp', 'svc_search_places', { city: 'bali', limit: 50 }, agent);
  await call('/mcp', 'svc_search_photos', { limit: 50 }, agent);
  await call('/mcp', 'svc_list_submissions', { limit: 100 }, agent);
  await call('/mcp', 'svc_photo_wallet', {}, agent);
  await call(PARTNER_MCP, 'list_destinations', {}, partner);
  const found = await call(PARTNER_MCP, 'search_places', { destination: 'bali', limit: 50 }, partner);
  await call(PARTNER_MCP, 'open_places', { destination: 'bali', limit: 50 }, partner);
  const question = 'Where can six of us have dinner tonight with vegetarian food and a view?';
  await call(PARTNER_MCP, 'concierge_answer', { destination: 'bali', question }, partner);
  // A page of the feed is for programs; this is what fits into a conversation.
  await call(PARTNER_MCP, 'directory_feed', { destination: 'bali', limit: 60 }, partner);
  for (const { place_id } of found.places?.slice(0, 5) ?? assert.fail('no places')) {
    for (const name of ['place_details', 'get_menu', 'get_reviews', 'booking_link'])
      await call(PARTNER_MCP, name, { place_id }, partner);
    await call('/mcp', 'svc_get_place', { place_id }, agent);
  }
});
