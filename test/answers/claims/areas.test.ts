import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNamedPlace } from '../../directory/named-place.ts';
import { callTool } from '../../harness/clients/call-tool.ts';
import { sharedService } from '../../harness/service/shared-service.ts';
import type { Answer } from '../check-facts.ts';

const service = await sharedService({ demoPlaces: 300 });
const { pool } = service.database;

// A suburb that is a point, 150 metres from its neighbour, and a quarter that has a boundary.
await pool`
  insert into area (source, source_ref, kind, name, lat, lng, west, south, east, north, shape) values
    ('osm', 'node/1', 'suburb', 'Hlemmur', 64.143, -21.915, null, null, null, null, null),
    ('osm', 'node/2', 'suburb', 'Holt', 64.1417, -21.915, null, null, null, null, null),
    ('osm', 'relation/3', 'boundary', 'Grandi', 64.155, -21.95, -21.96, 64.15, -21.94, 64.16, '\\x00000000')`;

const add = (name: string, category: string, areas: string[], at: { lat: number; lng: number }) =>
  addNamedPlace(service, { name, slug: 'reykjavik', vertical: category, category, areas, ...at });
const hotel = await add('Hótel Holt', 'hotel', ['Holt'], { lat: 64.1419, lng: -21.915 });
const far = await add('Hótel Saga', 'hotel', ['Vesturbær'], { lat: 64.139, lng: -21.952 });
await add('Hlemmur Bar', 'bar', ['Hlemmur'], { lat: 64.1431, lng: -21.915 });
await add('Bryggjan', 'bar', ['Grandi'], { lat: 64.152, lng: -21.951 });
const cafe = await add('Mokka', 'cafe', ['Holt'], { lat: 64.1301, lng: -21.9 });

const ask = (question: string) =>
  callTool<Answer>(service, '/api/partner/mcp', 'concierge_answer', { question, destination: 'reykjavik' });
const idsOf = ({ places }: Answer) => places.map(({ place_id }) => place_id);

test('around an area that is only a point, what lies near it is shown, and that it has no boundary is said', async () => {
  const answer = await ask('Where is a hotel in Hlemmur');
  assert.deepEqual(idsOf(answer), [hotel]);
  assert.match(answer.answer, /^Around Hlemmur, .*in Holt\..*The map has no boundary of Hlemmur\./);
  assert.doesNotMatch(answer.answer, /Nothing matches in/);
  assert.deepEqual([answer.outcome, answer.understood['not_in_directory']], ['answered', []]);
});

test('where nothing lies near the point either, nothing matches there', async () => {
  const answer = await ask('Where is a café in Hlemmur');
  assert.deepEqual(idsOf(answer), [cafe]);
  assert.match(answer.answer, /Nothing matches in Hlemmur itself/);
  assert.equal(answer.outcome, 'relaxed');
});

test('the places in an area with a boundary are known', async () => {
  const answer = await ask('Where is a hotel in Grandi');
  assert.deepEqual(idsOf(answer)[0], far);
  assert.match(answer.answer, /Nothing matches in Grandi itself/);
});

test('no answer says that nothing matches in an area of which the directory has no place', async () => {
  await pool`update destination set areas = '{Laugardalur}' where slug = 'reykjavik'`;
  await service.app.deps.destinations.refresh();
  const answer = await ask('Where is a hotel in Laugardalur');
  assert.deepEqual(new Set(idsOf(answer)), new Set([hotel, far]));
  assert.match(answer.answer, /The directory does not know where Laugardalur is\./);
  assert.doesNotMatch(answer.answer, /Nothing matches in/);
  assert.deepEqual(answer.understood['not_in_directory'], ['Laugardalur']);
});
