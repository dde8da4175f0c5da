import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../../harness/clients/call-tool.ts';
import { addNamedPlace } from '../../directory/named-place.ts';
import { signUpAgent } from '../../harness/service/service.ts';
import { startTestService } from '../../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300 });
const { apiKey } = await signUpAgent(service);
const authorization = `Bearer ${apiKey}`;
await service.database.pool`update agent set plan = 'scale'`;

const facts = { wheelchair: 'yes', diets: ['vegan'], payment: ['cash'], stars: 4.5 } as const;
const areas = ['Ginza', 'Chūō', 'Tokyo'];
const known = await addNamedPlace(service, {
  name: 'Blue Heron Kitchen',
  areas,
  facts: { ...facts, diets: [...facts.diets], payment: [...facts.payment] },
  observed_at: new Date('2026-03-04T05:06:07Z'),
});
const barred = await addNamedPlace(service, { name: 'Blue Heron Cellar', facts: { wheelchair: 'no' } });
const unknown = await addNamedPlace(service, { name: 'Blue Heron House' });

interface Full {
  facts: Record<string, unknown>;
  areas: string[];
  observed_at?: string | null;
  sources: { name: string; fields: string[]; observed_at: string | null }[];
}

async function ask(path: string): Promise<Response> {
  return service.request(path, { headers: { authorization } });
}

test('the full answer has the facts, whose word they are, how old they are, and the areas', async () => {
  const place = (await (await ask(`/api/agent/business/${known}`)).json()) as Full;
  assert.deepEqual(place.facts, facts);
  assert.deepEqual(place.areas, areas);
  const [source] = place.sources;
  assert.equal(source?.name, 'OpenStreetMap');
  assert.ok(source.fields.includes('facts'));
  assert.equal(source.observed_at, '2026-03-04T05:06:07.000Z');
});

test('a fact that another source filled has that source and its date', async () => {
  const id = await addNamedPlace(service, {
    name: 'Grey Heron Tea',
    facts: { wheelchair: 'yes', takeaway: 'yes' },
  });
  await service.database.pool`
    update place set cuisine = '{tea}', filled_by = '{"takeaway": {"ref": "geojson", "at": "2026-02-02T00:00:00.000Z"},
      "cuisine": {"ref": "geojson", "at": "2026-02-02T00:00:00.000Z"}}' where id = ${id}`;
  const { sources } = (await (await ask(`/api/agent/business/${id}`)).json()) as Full;
  assert.ok(sources[0]?.fields.includes('facts'));
  const { name, fields, observed_at } = sources[1] ?? {};
  assert.deepEqual(
    [name, fields?.toSorted(), observed_at],
    ['Imported map data', ['cuisine', 'facts'], '2026-02-02T00:00:00.000Z'],
  );
});

test('a place without a date gets none, and a place without facts names no source of them', async () => {
  const place = (await (await ask(`/api/agent/business/${unknown}`)).json()) as Full;
  assert.deepEqual(place.facts, {});
  assert.equal(place.sources[0]?.observed_at, null);
  assert.ok(!place.sources[0].fields.includes('facts'));
});

test('partners get the same in details and in the feed', async () => {
  const tool = <Answer>(name: string, input: Record<string, unknown>) =>
    callTool<Answer>(service, '/api/partner/mcp', name, input);
  const details = await tool<Full>('place_details', { place_id: known });
  const feed = await tool<{ places: (Full & { place_id: string })[] }>('directory_feed', {
    destination: 'tokyo',
  });
  for (const record of [details, feed.places.find(({ place_id }) => place_id === known)]) {
    assert.deepEqual(record?.facts, facts);
    assert.deepEqual(record.areas, areas);
    assert.equal(record.observed_at, '2026-03-04T05:06:07.000Z');
  }
  assert.equal(feed.places.find(({ place_id }) => place_id === unknown)?.observed_at, null);
});

test('wishes find only places that are known to fulfil all of them', async () => {
  const search = async (wishes: string) => {
    const response = await ask(`/api/agent/search?q=blue+heron&city=tokyo&wishes=${wishes}`);
    assert.equal(response.status, 200, await response.clone().text());
    const { places, query } = (await response.json()) as {
      places: { place_id: string }[];
      query: { wishes?: string[] };
    };
    return { ids: places.map(({ place_id }) => place_id), query };
  };
  assert.deepEqual((await search('')).ids.sort(), [known, barred, unknown].sort());
  const found = await search('wheelchair,vegetarian');
  assert.deepEqual(found.ids, [known]);
  assert.deepEqual(found.query.wishes, ['wheelchair', 'vegetarian']);
  assert.deepEqual((await search('wheelchair,wifi')).ids, []);
  const list = await callTool<{ places: { place_id: string }[] }>(
    service,
    '/api/partner/mcp',
    'search_places',
    { destination: 'tokyo', wishes: ['vegan'] },
  );
  assert.deepEqual(
    list.places.map(({ place_id }) => place_id),
    [known],
  );
});

test('a wish that nobody knows is refused, with those that there are', async () => {
  const response = await ask('/api/agent/search?wishes=wheelchair,helipad');
  assert.equal(response.status, 422);
  const { detail } = (await response.json()) as { detail: string };
  assert.match(detail, /^\/wishes\/1: must be one of wheelchair, wifi,/);
});

test('the description tells that wishes are a list with commas', async () => {
  const document = (await (await ask('/openapi.json')).json()) as {
    paths: Record<string, { get: { parameters: { name: string; style?: string; explode?: boolean }[] } }>;
  };
  const parameters = document.paths['/api/agent/search']?.get.parameters ?? [];
  const { style, explode } = parameters.find(({ name }) => name === 'wishes') ?? assert.fail('no wishes');
  assert.deepEqual([style, explode], ['form', false]);
});
