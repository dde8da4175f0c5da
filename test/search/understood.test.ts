import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewId } from '../../src/core/ids.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { signUpAgent } from '../harness/service/service.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService();
const { pool } = service.database;
const { agentId, apiKey } = await signUpAgent(service);
await pool`update agent set plan = 'scale' where id = ${agentId}`;
const newId = createNewId(service.clock);

interface Made {
  at: string;
  name: string;
  vertical?: string;
  category: string;
  cuisine?: string[];
  areas?: string[];
  facts?: Record<string, unknown>;
  price?: string;
}

const MADE: readonly Made[] = [
  { at: 'helsinki', name: 'Vanha Apteekki', vertical: 'clinic', category: 'pharmacy', areas: ['Kamppi'] },
  { at: 'helsinki', name: 'Kulma', vertical: 'cafe', category: 'cafe', facts: { internet_access: 'free' } },
  { at: 'helsinki', name: 'Ilo', vertical: 'cafe', category: 'cafe', areas: ['Kallio'] },
  { at: 'helsinki', name: 'Trattoria Sole', category: 'restaurant', cuisine: ['italian'], price: '$' },
  {
    at: 'helsinki',
    name: 'Green Table',
    category: 'restaurant',
    facts: { wheelchair: 'yes', diets: ['vegan'] },
  },
  { at: 'helsinki', name: 'Saint Nicholas Chapel', vertical: 'attraction', category: 'place_of_worship' },
  { at: 'helsinki', name: 'Starfish Kitchen', category: 'restaurant' },
  { at: 'tokyo', name: '麺屋 一', category: 'restaurant', cuisine: ['ramen'], areas: ['渋谷'] },
  { at: 'tokyo', name: '珈琲館', vertical: 'cafe', category: 'cafe', areas: ['六本木'] },
  {
    at: 'tokyo',
    name: 'スターバックス 銀座店',
    vertical: 'cafe',
    category: 'cafe',
    facts: { brand: 'Starbucks', brand_wikidata: 'Q37158' },
  },
  { at: 'monaco', name: 'Da Vito', category: 'restaurant', cuisine: ['pizza'] },
  { at: 'monaco', name: 'Helsinki', vertical: 'bar', category: 'bar' },
];
for (const made of MADE) {
  const id = newId('plc');
  await pool`
    insert into place (id, destination_id, name, vertical, category, cuisine, areas, facts, price_range, country, lat,
      lng, source, source_ref, created_at, updated_at)
    select ${id}, d.id, ${made.name}, ${made.vertical ?? 'restaurant'}, ${made.category}, ${made.cuisine ?? []},
      ${made.areas ?? []}, ${JSON.stringify(made.facts ?? {})}::jsonb, ${made.price ?? null}, d.country, d.lat, d.lng,
      'test', ${id}, ${service.clock.now()}, ${service.clock.now()}
    from destination d where d.slug = ${made.at}`;
}
await service.app.deps.places.rebuild();
await service.app.deps.destinations.refresh();

interface Answer {
  places: { name: string; destination: string }[];
  understood?: Record<string, unknown>;
  hint?: string;
}

async function search(query: Record<string, string>): Promise<Answer> {
  const response = await service.request(`/api/agent/search?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Answer;
}

const names = ({ places }: Answer) => places.map(({ name }) => name);

test('destination, area, kind, cuisine, brand and wishes are read from the text, in any order and language', async () => {
  const expected: [text: string, first: string, understood: Record<string, unknown>][] = [
    ['pharmacy helsinki', 'Vanha Apteekki', { destination: 'helsinki', kind: 'pharmacy' }],
    ['helsinki apotheke', 'Vanha Apteekki', { destination: 'helsinki', kind: 'pharmacy' }],
    ['аптека helsinki', 'Vanha Apteekki', { destination: 'helsinki', kind: 'pharmacy' }],
    ['cafés in kallio', 'Ilo', { area: 'kallio', kind: 'cafe' }],
    ['italian restaurant helsinki', 'Trattoria Sole', { destination: 'helsinki', cuisine: 'italian' }],
    ['cafe with wifi', 'Kulma', { kind: 'cafe', wishes: ['wifi'] }],
    ['wheelchair accessible restaurant', 'Green Table', { kind: 'restaurant', wishes: ['wheelchair'] }],
    [
      'cheap restaurant helsinki',
      'Trattoria Sole',
      { destination: 'helsinki', kind: 'restaurant', wishes: ['cheap'] },
    ],
    ['渋谷ラーメン', '麺屋 一', { area: '渋谷', cuisine: 'ramen' }],
    ['六本木 カフェ', '珈琲館', { area: '六本木', kind: 'cafe' }],
    ['星巴克', 'スターバックス 銀座店', { brand: 'Starbucks' }],
    ['東京のスターバックス', 'スターバックス 銀座店', { destination: 'tokyo', brand: 'Starbucks' }],
    ['🍕 monaco', 'Da Vito', { destination: 'monaco', cuisine: 'pizza' }],
    ['cafe HEL', 'Ilo', { destination: 'helsinki', kind: 'cafe' }],
    ['монако пицца', 'Da Vito', { destination: 'monaco', cuisine: 'pizza' }],
  ];
  for (const [text, first, understood] of expected) {
    const answer = await search({ q: text });
    assert.ok(names(answer).includes(first), `${text}: ${names(answer).join(', ')}`);
    assert.deepEqual(answer.understood, understood, text);
  }
});

test('a text that is a name as it stands comes first, and nothing is said about it', async () => {
  const answer = await search({ q: 'Trattoria Sole' });
  assert.equal(names(answer)[0], 'Trattoria Sole');
  assert.equal(answer.understood, undefined);
  assert.equal(names(await search({ q: 'helsinki' }))[0], 'Helsinki', 'a bar in Monaco');
});

test('a destination in the text keeps the places of all others out', async () => {
  const { places } = await search({ q: 'restaurant helsinki' });
  assert.ok(places.length > 0 && places.every(({ destination }) => destination === 'helsinki'));
});

test('words that no place fulfils with the others are left out, the least telling first, and named', async () => {
  const romantic = await search({ q: 'amazing italian restaurant helsinki' });
  assert.deepEqual(names(romantic), ['Trattoria Sole']);
  assert.deepEqual(romantic.understood?.['left_out'], ['amazing']);
  const open = await search({ q: 'pharmacy helsinki open now' });
  assert.deepEqual(names(open), ['Vanha Apteekki']);
  assert.deepEqual(open.understood?.['left_out'], ['open now']);
  assert.equal(open.understood['open_now'], undefined);
  const page = await search({ q: 'amazing cafe', limit: '1' });
  assert.deepEqual(page.understood?.['left_out'], ['amazing']);
});

test('an empty answer names the word that stood in the way', async () => {
  const { places, understood, hint } = await search({ q: 'xyzzyq', city: 'helsinki' });
  assert.deepEqual(places, []);
  assert.deepEqual(understood, { left_out: ['xyzzyq'] });
  assert.match(hint ?? '', /“xyzzyq”/);
});

test('a misspelt destination is taken where there is one good guess, and said', async () => {
  const { places, understood } = await search({ q: 'helsinkii pharmacy' });
  assert.deepEqual(
    places.map(({ name }) => name),
    ['Vanha Apteekki'],
  );
  assert.deepEqual(understood, {
    destination: 'helsinki',
    kind: 'pharmacy',
    corrected: { helsinkii: 'Helsinki' },
  });
});

test('abbreviated, joined and split words find each other', async () => {
  for (const text of ['st nicholas chapel', 'saint nicholas chapel', 'star fish kitchen', 'starfishkitchen'])
    assert.match(names(await search({ q: text, city: 'helsinki' }))[0] ?? '', /Nicholas|Starfish/, text);
});

test('numbers in a text bring no place of another destination', async () => {
  const { deps } = service.app;
  const { searchPlaces } = await import('../../src/search/search-places.ts');
  for (const destination of deps.destinations.current.destinations.filter(({ places }) => places > 0))
    for (let number = 0; number < 200; number++) {
      const text = number % 2 === 0 ? `No. ${number}` : `cafe ${number}`;
      const { hits } = searchPlaces(deps, { text, destination, limit: 20 });
      const foreign = hits.filter(({ place }) => place.readCard().destination !== destination.slug);
      assert.deepEqual(foreign, [], `${text} in ${destination.slug}`);
    }
});

test('partners and travellers are told the same', async () => {
  const { body } = await rpc(service, '/api/partner/mcp', {
    id: 1,
    method: 'tools/call',
    params: { name: 'search_places', arguments: { destination: 'helsinki', query: 'amazing apotheke' } },
  });
  const told = body.result?.['structuredContent'] as Answer | undefined;
  assert.deepEqual(told?.understood, { kind: 'pharmacy', left_out: ['amazing'] });
  const page = await (await service.request('/d/helsinki?q=amazing+apotheke')).text();
  assert.match(page, /Understood as <bdi>Pharmacy<\/bdi>/);
  assert.match(page, /left out: “amazing”/);
  assert.match(page, /<title>“amazing apotheke” · Helsinki, Finland · /);
});

test('a search of all destinations that finds nothing leads to the destination that it names', async () => {
  for (const text of ['qwertzuiop helsinki', 'Helsinki qwertzuiop']) {
    const page = await (await service.request(`/?q=${encodeURIComponent(text)}`)).text();
    assert.match(page, /Nothing matches <q>/);
    assert.match(page, /href="\/d\/helsinki"><bdi>Helsinki<\/bdi>/);
    assert.match(page, /href="\/d\/helsinki\?q=restaurants"/);
  }
  const page = await (await service.request('/?q=qwertzuiop')).text();
  assert.match(page, /<title>“qwertzuiop” · [^]*Nothing matches[^]*href="\/\?q=restaurants"/);
});

test('of the nearest places, what fits every word comes before what is nearer and does not', async () => {
  const [helsinki] = service.app.deps.destinations.current.destinations.filter(
    ({ slug }) => slug === 'helsinki',
  );
  assert.ok(helsinki);
  const { lat, lng } = helsinki;
  await pool`update place set lat = lat + 0.01 where name = 'Trattoria Sole'`;
  await service.app.deps.places.follow();
  const near = `${lat},${lng}`;
  const answer = await search({ q: 'italian restaurant', near, radius_m: '5000' });
  assert.deepEqual(names(answer), ['Trattoria Sole']);
  assert.equal(answer.understood?.['left_out'], undefined);
  const loose = await search({ q: 'amazing pharmacy', near, radius_m: '5000' });
  assert.deepEqual(loose.understood, { kind: 'pharmacy', left_out: ['amazing'] });
});
