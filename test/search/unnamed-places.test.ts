import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewId } from '../../src/core/ids.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

const service = await startTestService();
const { pool } = service.database;
const { agentId, apiKey } = await signUpAgent(service);
await pool`update agent set plan = 'scale' where id = ${agentId}`;
const newId = createNewId(service.clock);
const authorization = `Bearer ${apiKey}`;

interface Made {
  name: string;
  category: string;
  area: string;
  generated?: boolean;
  vertical?: string;
}

/** Areas whose names people abbreviate in several ways, and one that the map calls otherwise. */
const MADE: readonly Made[] = [
  { name: 'Public toilet, Saint-Roch', category: 'toilets', area: 'Saint-Roch', generated: true },
  { name: 'Shell', category: 'fuel', area: 'Mont Doré', generated: true },
  { name: 'Chez Ada', category: 'restaurant', area: 'Saint-Roch', vertical: 'restaurant' },
  { name: 'Chez Bob', category: 'restaurant', area: 'St. Roch', vertical: 'restaurant' },
  { name: 'Chez Cid', category: 'restaurant', area: 'San Rokku', vertical: 'restaurant' },
  { name: 'Shell Museum', category: 'museum', area: 'Mont Doré', vertical: 'attraction' },
];
const ids = new Map<string, string>();
for (const [at, { name, category, area, generated = false, vertical = 'other' }] of MADE.entries()) {
  const id = newId('plc');
  ids.set(name, id);
  await pool`
    insert into place (id, destination_id, name, name_generated, vertical, category, area, areas, country, lat, lng,
      source, source_ref, created_at, updated_at)
    select ${id}, d.id, ${name}, ${generated}, ${vertical}, ${category}, ${area}, ${[area]}, 'MC', 43.73 + ${at} * 0.0001,
      7.42, 'test', ${id}, ${service.clock.now()}, ${service.clock.now()}
    from destination d where d.slug = 'monaco'`;
}
await pool`
  insert into area (source, source_ref, kind, name, names, lat, lng) values
    ('osm', 'node/1', 'quarter', 'San Rokku', '{"en": "Saint Roch", "de": "Sankt Rochus"}', 43.73, 7.42),
    ('osm', 'node/2', 'quarter', 'Saint-Roch', '{"ja": "サンロック", "de": "Sankt Rochus"}', 43.73, 7.42)`;
await service.app.deps.places.rebuild();

interface Card {
  place_id: string;
  name: string;
  local_name?: string;
  name_generated?: boolean;
  area: string | null;
}

async function search(query: Record<string, string>): Promise<Card[]> {
  const asked = new URLSearchParams({ city: 'monaco', limit: '50', ...query }).toString();
  const response = await service.request(`/api/agent/search?${asked}`, { headers: { authorization } });
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { places: Card[] }).places;
}

const namesIn = (cards: readonly Card[]) => cards.map(({ name }) => name).sort();
const NAMED = MADE.filter(({ generated }) => generated !== true)
  .map(({ name }) => name)
  .sort();

test('A place without a name is found by its kind and near a point, and is not in lists without a search.', async () => {
  for (const query of [
    { q: 'toilets' },
    { q: 'wc' },
    { q: 'toilettes publiques' },
    { q: '公衆トイレ' },
    { category: 'toilets' },
    { q: 'toilet in saint roch' },
  ]) {
    const [found] = await search(query);
    assert.equal(found?.name, 'Public toilet, Saint-Roch', JSON.stringify(query));
    assert.equal(found.name_generated, true);
  }
  const near = await search({ near: '43.73,7.42', radius_m: '500' });
  assert.equal(near[0]?.name, 'Public toilet, Saint-Roch');
  assert.deepEqual(namesIn(near), [...NAMED, 'Public toilet, Saint-Roch', 'Shell'].sort());
  assert.deepEqual(namesIn(await search({})), NAMED);
  assert.deepEqual(namesIn(await search({ area: 'Mont Doré' })), ['Shell Museum']);
  for (const card of await search({})) assert.equal('name_generated' in card, false);
});

test('A brand finds places that only have that name, behind those with a name of their own.', async () => {
  assert.deepEqual(
    (await search({ q: 'shell' })).map(({ name }) => name),
    ['Shell', 'Shell Museum'],
  );
});

test('Kind and area are in the language of the reader, and there is no name on a sign beside them.', async () => {
  const id = ids.get('Public toilet, Saint-Roch') ?? '';
  for (const [lang, name, area] of [
    ['de', 'Toilette, Sankt Rochus', 'Sankt Rochus'],
    ['fr', 'Toilettes, Saint-Roch', 'Saint-Roch'],
    ['ja', 'トイレ（サンロック）', 'サンロック'],
    ['zh-TW', '洗手間（Saint-Roch）', 'Saint-Roch'],
    ['xx,de', 'Toilette, Sankt Rochus', 'Sankt Rochus'],
    ['xx', 'Public toilet, Saint-Roch', 'Saint-Roch'],
  ] as const) {
    const [card] = await search({ category: 'toilets', lang });
    const shown = { place_id: id, name, area };
    const read = ({ place_id, name: shownName, area: shownArea }: Card) => ({
      place_id,
      name: shownName,
      area: shownArea,
    });
    assert.deepEqual(card && read(card), shown, lang);
    assert.equal(card?.local_name, undefined);
    const response = await service.request(`/api/agent/business/${id}?lang=${lang}`, {
      headers: { authorization },
    });
    const place = (await response.json()) as Card & { areas: string[] };
    assert.deepEqual(read(place), shown, lang);
    assert.deepEqual([place.areas, place.name_generated, place.local_name], [[area], true, undefined]);
    const details = await callTool(service, '/api/partner/mcp', 'place_details', { place_id: id, lang });
    assert.deepEqual(read(details as Card), shown, lang);
    const page = await service.request(`/p/${id}?lang=${lang}`);
    assert.ok((await page.text()).includes(`<h1><bdi>${name}</bdi></h1>`), lang);
  }
});

test('The area of a place with a name is in the language of the reader too.', async () => {
  const of = async (lang: string) => (await search({ q: 'chez cid', lang }))[0]?.area;
  assert.deepEqual(
    [await of('de'), await of('en'), await of('ja')],
    ['Sankt Rochus', 'Saint Roch', 'San Rokku'],
  );
});

test('Every spelling of an area finds the same places, as an argument and in a text.', async () => {
  const all = ['Chez Ada', 'Chez Bob', 'Chez Cid'];
  for (const area of ['St Roch', 'St. Roch', 'Saint Roch', 'saint-roch', 'San Roch', 'Sankt Rochus'])
    assert.deepEqual(
      namesIn(await search({ area, category: 'restaurant' })).filter(
        (name) => name !== 'Chez Bob' || area !== 'Sankt Rochus',
      ),
      area === 'Sankt Rochus' ? ['Chez Ada', 'Chez Cid'] : all,
      area,
    );
  for (const q of ['restaurants in st roch', 'restaurant saint roch', 'restaurants in St. Roch'])
    assert.deepEqual(namesIn(await search({ q })), all, q);
  assert.deepEqual(namesIn(await search({ area: 'Mt Doré' })), ['Shell Museum']);
});

test('The feed has places without a name, named in the language of the reader.', async () => {
  const id = ids.get('Public toilet, Saint-Roch') ?? '';
  const of = async (lang?: string) => {
    const feed = await callTool(service, '/api/partner/mcp', 'directory_feed', {
      destination: 'monaco',
      ...(lang === undefined ? {} : { lang }),
    });
    const { places } = feed as { places: Card[] };
    return places.find(({ place_id }) => place_id === id);
  };
  assert.deepEqual([(await of())?.name, (await of())?.name_generated], ['Public toilet, Saint-Roch', true]);
  assert.equal((await of('de'))?.name, 'Toilette, Saint-Roch');
});
