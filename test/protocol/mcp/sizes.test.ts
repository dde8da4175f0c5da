import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { rpc } from '../../harness/clients/mcp.ts';
import { roomyKey } from '../../harness/people/partner.ts';
import { sharedService } from '../../harness/service/shared-service.ts';

const PARTNER = '/api/partner/mcp';
const service = await sharedService({ demoPlaces: 3000 });

interface Result {
  content: { text: string }[];
  structuredContent: Record<string, unknown>;
}

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

async function call(name: string, given: Record<string, unknown>): Promise<Result> {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: given } };
  const { body } = await rpc(service, PARTNER, message, await roomyKey(service));
  return body.result as unknown as Result;
}

/** The size for a model that gets both the text and the structured content as JSON. */
function sizeOf({ content, structuredContent }: Result): number {
  return Buffer.byteLength(content[0]?.text ?? '') + bytes(structuredContent);
}

test('no list of tools is larger than 12 kB', async () => {
  for (const path of ['/mcp', PARTNER, '/api/concierge/mcp']) {
    const { body } = await rpc(service, path, { id: 1, method: 'tools/list', params: {} });
    const size = bytes(body.result);
    assert.ok(size <= 12_000, `${path}: ${size}`);
  }
});

test('all destinations are told in 8 kB, each with its slug and its number of places', async () => {
  const result = await call('list_destinations', {});
  const { destinations } = service.app.deps.destinations.current;
  assert.ok(destinations.length > 150);
  assert.ok(sizeOf(result) <= 8_000, String(sizeOf(result)));
  const byCountry = result.structuredContent['by_country'] as Record<string, Record<string, number>>;
  for (const { slug, country, places } of destinations) {
    assert.ok(result.content[0]?.text.includes(`${slug} ${places}`), slug);
    assert.equal(byCountry[country]?.[slug], places);
  }
  const more = await call('list_destinations', { fields: ['id', 'timezone'] });
  const [first] = more.structuredContent['destinations'] as object[];
  assert.deepEqual(Object.keys(first ?? {}), ['slug', 'country', 'id', 'timezone']);
});

// A place whose hours are old says so in every answer: its state by them, and their date.
test('a search of 20 is told in 6.5 kB', async () => {
  const sizes: number[] = [];
  for (const { slug, places } of service.app.deps.destinations.current.destinations) {
    if (places < 40) continue;
    const result = await call('search_places', { destination: slug });
    assert.equal(result.structuredContent['count'], 20);
    sizes.push(sizeOf(result));
  }
  sizes.sort((a, b) => a - b);
  const most = sizes.at(Math.floor(sizes.length * 0.95)) ?? Infinity;
  assert.ok(sizes.length > 10);
  assert.ok(most <= 6_500, `19 of 20 searches have up to ${most} bytes`);
  // Letters of some scripts take three bytes each.
  assert.ok((sizes.at(-1) ?? Infinity) <= 7_000, `the largest has ${sizes.at(-1)} bytes`);
});

test('fields adds to what a search tells of each place', async () => {
  const given = { destination: 'bali', limit: 1 };
  const [brief] = (await call('search_places', given)).structuredContent['places'] as object[];
  const more = await call('search_places', { ...given, fields: ['lat', 'rating'] });
  const [wider] = more.structuredContent['places'] as object[];
  const names = (card: object | undefined) => Object.keys(card ?? {}).toSorted();
  assert.deepEqual(names(wider), [...names(brief), 'lat', 'position_known', 'rating'].toSorted());
  const all = await call('search_places', { ...given, fields: ['all'] });
  assert.ok(names((all.structuredContent['places'] as object[])[0]).includes('guidance'));
});

test('openapi.json has at most 8 kB for each path', async () => {
  const text = await (await service.request('/openapi.json')).text();
  const paths = Object.keys((JSON.parse(text) as { paths: object }).paths).length;
  assert.ok(Buffer.byteLength(text) <= 8_000 * paths, `${Buffer.byteLength(text)} bytes for ${paths} paths`);
});

test('llms.txt has under 2,000 tokens, and names what each route and tool takes', async () => {
  const text = await (await service.request('/llms.txt')).text();
  assert.ok(encode(text).length < 2_000, String(encode(text).length));
  assert.match(text, /POST \/api\/agent\/business: Submit a business \(relationship\*, .*\bcity\*/);
  assert.match(text, /`search_places` \(destination\*, query, /);
  assert.match(text, /`request_table` \(place_id\*, date\*, time\*, party_size\*, guest_name/);
});

test('the reference has a twin in Markdown with every operation and tool', async () => {
  const response = await service.request('/docs.md');
  assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/);
  const text = await response.text();
  assert.match(text, /^# API reference\n/);
  assert.doesNotMatch(text, /<\/?(?:p|div|section|span|code|h\d)\b/);
  for (const name of ['`/api/agent/search`', '`svc_get_place`', '`request_table`', '`venue_daily_cap`'])
    assert.ok(text.includes(name), name);
});
