import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNamedPlace } from '../directory/named-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService();
const agent = await SubmittingAgent.signUp(service);
await addNamedPlace(service, { slug: 'bali', name: 'Warung Sawah', areas: ['Ubud'] });
await addNamedPlace(service, { slug: 'bali', name: 'Warung Pantai', areas: ['Canggu'] });
await addNamedPlace(service, { slug: 'paris', name: 'Chez Rosier', areas: ['Le Marais'] });
await addNamedPlace(service, { slug: 'bangkok', name: 'Rot Fai' });
await addNamedPlace(service, { slug: 'tokyo', name: 'Sushi Ichi' });
await service.database.pool`update place set cuisine = '{sushi}' where name = 'Sushi Ichi'`;
await service.app.deps.places.rebuild();
await service.app.deps.destinations.refresh();

interface Found {
  places: { name: string }[];
  query: Record<string, unknown>;
  understood?: {
    area?: string;
    destination?: string;
    corrected?: Record<string, string>;
    left_out?: string[];
  };
  hint?: string;
}

async function search(query: Record<string, string>): Promise<Found> {
  const text = new URLSearchParams(query).toString();
  return (await agent.get<Found & Record<string, unknown>>(`/api/agent/search?${text}`)).body;
}

const names = ({ places }: Found) => places.map(({ name }) => name);

test('a city with its destination and country is read from the smallest name to the largest', async () => {
  const ubud = await search({ city: 'Ubud, Bali, Indonesia' });
  assert.deepEqual(names(ubud), ['Warung Sawah']);
  assert.deepEqual([ubud.query['destination'], ubud.query['area']], ['bali', 'Ubud']);
  assert.deepEqual(names(await search({ city: 'Le Marais, Paris, France' })), ['Chez Rosier']);
  assert.deepEqual(names(await search({ city: 'Canggu, ID' })), ['Warung Pantai']);
  assert.deepEqual(names(await search({ city: 'Paris, France' })), ['Chez Rosier']);
});

test('a part of a destination that it does not have is refused with its areas', async () => {
  const { places, hint } = await search({ city: 'Zzyzx, Bali, Indonesia' });
  assert.deepEqual(places, []);
  assert.match(hint ?? '', /Bali has no area with this name\..*(Ubud|Canggu)/);
});

test('a larger part that nobody knows is not dropped, and a city is not corrected to a country', async () => {
  for (const city of ['Ubud, Zzyzx', 'Lagos', 'Chiba', 'Cali']) {
    const found = await search({ city });
    assert.deepEqual(found.places, [], city);
    assert.equal(found.understood?.corrected, undefined, city);
    assert.match(found.hint ?? '', /No destination or city with this name/, city);
  }
});

test('a destination of another country is not meant', async () => {
  const found = await search({ city: 'Ubud, Paris, Indonesia' });
  assert.deepEqual(names(found), ['Warung Sawah'], JSON.stringify(found.hint));
});

test('a misspelt country is taken as a city, and refused as a country with the closest names', async () => {
  const found = await search({ city: 'Tailand' });
  assert.deepEqual(names(found), ['Rot Fai']);
  assert.deepEqual(found.understood?.corrected, { Tailand: 'Thailand' });
  const response = await agent.get('/api/agent/search?q=food&country=Tailand');
  assert.equal(response.status, 422, JSON.stringify(response.body));
  assert.match(JSON.stringify(response.body), /the closest names are: .*Thailand/);
});

test('an unknown destination is refused with names that its text has', async () => {
  const answer = await rpc(service, PARTNER_MCP, {
    id: 1,
    method: 'tools/call',
    params: { name: 'search_places', arguments: { destination: 'Seminyakk, Bali, Indonesia' } },
  });
  assert.match(JSON.stringify(answer.body), /The closest names are: Bali/);
  assert.match(
    (await search({ city: 'Qxwzvbrookly, NY' })).hint ?? '',
    /No name is close to it; the directory has places in /,
  );
});

test('the end of a text may name the destination with its country', async () => {
  for (const q of ['warung Ubud, Bali, Indonesia', 'restaurant ubud bali indonesia']) {
    const found = await search({ q });
    assert.deepEqual(names(found), ['Warung Sawah'], q);
    assert.equal(found.understood?.left_out, undefined, q);
  }
});

test('an area in a text keeps the places of all others out, also without a destination', async () => {
  const none = await search({ q: 'sushi in Ubud' });
  assert.deepEqual(none.places, []);
  assert.deepEqual(names(await search({ q: 'restaurant in Ubud' })), ['Warung Sawah']);
});

test('a line of a search without a city says where each place is, and one in a city does not', async () => {
  const text = async (args: Record<string, unknown>) => {
    const answer = await rpc(
      service,
      '/mcp',
      { id: 1, method: 'tools/call', params: { name: 'svc_search_places', arguments: args } },
      agent.authorization,
    );
    const { content } = (answer.body as { result: { content: { text: string }[] } }).result;
    return content[0]?.text ?? '';
  };
  assert.match(
    await text({ q: 'Warung Sawah' }),
    /1\. Warung Sawah \(plc_\w+\) restaurant, Ubud, Bali, Indonesia/,
  );
  assert.doesNotMatch(await text({ q: 'Warung Sawah', city: 'bali' }), /Indonesia/);
  const listed = await callTool<{ places: unknown[] }>(service, PARTNER_MCP, 'search_places', {
    destination: 'bali',
    query: 'warung',
  });
  assert.equal(listed.places.length, 2);
});
