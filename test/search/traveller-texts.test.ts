import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewId } from '../../src/core/ids.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

// Searches as travellers type them, over a directory in which a rare word of a name or a number could lead astray.
const service = await startTestService();
const { pool } = service.database;
const { agentId, apiKey } = await signUpAgent(service);
await pool`update agent set plan = 'scale' where id = ${agentId}`;
const newId = createNewId(service.clock);

interface Made {
  name: string;
  vertical?: string;
  category: string;
  cuisine?: string[];
  address?: string;
  facts?: Record<string, unknown>;
}

const hotel = { vertical: 'hotel', category: 'hotel' };
const shop = { vertical: 'shop' };

const MADE: readonly Made[] = [
  { name: 'Grand Palace', ...hotel, address: "12 Avenue d'Ostende", facts: { stars: 5, postcode: '98000' } },
  { name: 'Riviera', ...hotel, address: '4 Rue Grimaldi', facts: { stars: 4, postcode: 'AD500' } },
  { name: 'Marina House', ...hotel, facts: { stars: 4.5 } },
  { name: 'Miramar', ...hotel, facts: { stars: 3 } },
  { name: 'Sport Hotel 4*', ...hotel },
  { name: 'Four Tees', ...shop, category: 'clothes', address: 'Landstrasse 19' },
  { name: 'Battlefield 4', ...shop, category: 'video_games', address: '14 Rue Grimaldi' },
  { name: 'Salle des Etoiles', vertical: 'event', category: 'theatre', address: 'Landstrasse 4' },
  { name: 'The Haunted Mansion', vertical: 'attraction', category: 'museum' },
  { name: 'Torkel', vertical: 'bar', category: 'pub' },
  { name: 'Le Petit Bar', vertical: 'bar', category: 'bar', address: 'Calle de la Unión 5' },
  {
    name: 'Marina',
    vertical: 'cafe',
    category: 'cafe',
    address: '銀座8-7-6',
    facts: { postcode: '104-0061' },
  },
  { name: 'Kulma', vertical: 'cafe', category: 'cafe', address: 'Städtle 32', facts: { postcode: '9490' } },
  { name: 'Tokyo Table', category: 'restaurant', cuisine: ['japanese'] },
  { name: 'Sushi Corner', category: 'restaurant', cuisine: ['japanese'] },
  { name: 'Hana', category: 'restaurant', cuisine: ['sushi'] },
  { name: 'La Cantina', category: 'restaurant', cuisine: ['mexican'] },
  { name: 'Hanoi', category: 'restaurant', cuisine: ['vietnamese'] },
  { name: 'Pho Viet', category: 'restaurant', cuisine: ['vietnamese'] },
  { name: 'Casa Pepe', category: 'restaurant', cuisine: ['spanish'] },
  { name: 'Da Vito', category: 'restaurant', cuisine: ['italian'] },
  { name: 'Carbonara Club', category: 'restaurant', cuisine: ['pizza'] },
  { name: 'Zum Ochsen', category: 'restaurant', cuisine: ['german'] },
  { name: 'Golden Arches', category: 'fast_food', facts: { brand: "McDonald's", brand_wikidata: 'Q38076' } },
  { name: 'Night Owl', ...shop, category: 'convenience' },
  { name: 'Casa Mercat', ...shop, category: 'supermarket' },
  { name: 'La Cave', ...shop, category: 'wine' },
  { name: 'Nettare', vertical: 'bar', category: 'wine_bar' },
  { name: 'Lux', vertical: 'event', category: 'cinema' },
  { name: 'Horlogerie', ...shop, category: 'watches' },
  { name: 'Energie', vertical: 'other', category: 'fuel' },
  { name: 'Banque', vertical: 'other', category: 'bank' },
];
for (const made of MADE) {
  const id = newId('plc');
  await pool`
    insert into place (id, destination_id, name, vertical, category, cuisine, address, facts, country, lat, lng, source,
      source_ref, created_at, updated_at)
    select ${id}, d.id, ${made.name}, ${made.vertical ?? 'restaurant'}, ${made.category}, ${made.cuisine ?? []},
      ${made.address ?? null}, ${JSON.stringify(made.facts ?? {})}::jsonb, d.country, d.lat, d.lng, 'test', ${id},
      ${service.clock.now()}, ${service.clock.now()}
    from destination d where d.slug = 'monaco'`;
}
await service.app.deps.places.rebuild();
await service.app.deps.destinations.refresh();

interface Answer {
  places: { name: string }[];
  understood?: Record<string, unknown>;
}

async function search(
  q: string,
): Promise<{ names: string[]; understood: Record<string, unknown> | undefined }> {
  const response = await service.request(
    `/api/agent/search?${new URLSearchParams({ q, city: 'monaco' }).toString()}`,
    { headers: { authorization: `Bearer ${apiKey}` } },
  );
  assert.equal(response.status, 200, await response.clone().text());
  const { places, understood } = (await response.json()) as Answer;
  return { names: places.map(({ name }) => name), understood };
}

test('hotel stars are a wish in many languages: exactly so many', async () => {
  const texts = [
    ...[
      '4 star hotel',
      'four star hotel',
      'four-star hotels',
      'hotel 4*',
      'hotel ★★★★',
      'hotel ⭐⭐⭐⭐',
      'hotel ****',
    ],
    ...[
      'hôtel 4 étoiles',
      'quatre étoiles hôtel',
      'vier sterne hotel',
      'hotel mit vier Sternen',
      'hotel de 4 estrellas',
    ],
    ...[
      'hotel quattro stelle',
      'hotel de quatro estrelas',
      'vier sterren hotel',
      'hotel bintang 4',
      '四つ星ホテル',
    ],
    ...[
      '4つ星ホテル',
      '四星级酒店',
      '4성급 호텔',
      '4-звёздочный отель',
      'neljän tähden hotelli',
      'hotell med fyra stjärnor',
    ],
    ...['Viersternehotel', 'viersterrenhotel', '4-Sterne-Hotel'],
  ];
  for (const text of texts) {
    const { names, understood } = await search(text);
    assert.deepEqual(names, ['Riviera'], text);
    assert.equal(understood?.['stars'], '4', text);
  }
});

test('“at least” so many stars includes more', async () => {
  const texts = [
    ...[
      'hotel with at least 4 stars',
      'hotel 4 stars or more',
      'hôtel 4 étoiles ou plus',
      'hotel ab 4 sterne',
    ],
    ...[
      'hotel al menos 4 estrellas',
      'hotel almeno 4 stelle',
      'hotel minstens 4 sterren',
      '4つ星以上のホテル',
    ],
  ];
  for (const text of texts) {
    const { names, understood } = await search(text);
    assert.deepEqual(names.toSorted(), ['Grand Palace', 'Marina House', 'Riviera'], text);
    assert.equal(understood?.['stars'], '4+', text);
  }
});

test('stars that no hotel has are left out, and the kind stays', async () => {
  const { names, understood } = await search('2 star hotel');
  assert.ok(names.includes('Riviera') && !names.includes('Four Tees'), names.join(', '));
  assert.deepEqual(understood, { kind: 'hotel', left_out: ['2 star'] });
});

test('of two kinds side by side, the last one is kept: a cinema hotel is a hotel', async () => {
  for (const [text, category] of [
    ['cinema hotel', 'hotel'],
    ['hotel cinema', 'cinema'],
    ['hotel with cinema', 'hotel'],
  ] as const) {
    const { names, understood } = await search(text);
    assert.equal(understood?.['kind'], category, text);
    assert.ok(names.length > 0, text);
  }
});

test('a name with a star or a number is found as it is written', async () => {
  assert.equal((await search('Sport Hotel 4*')).names[0], 'Sport Hotel 4*');
  assert.equal((await search('battlefield 4')).names[0], 'Battlefield 4');
  assert.equal((await search('four tees')).names[0], 'Four Tees');
});

test('the kind is kept where a describing word, a number or a rare word leads elsewhere', async () => {
  const hotels = MADE.filter(({ category }) => category === 'hotel').map(({ name }) => name);
  const texts = [
    ...[
      'haunted hotel',
      'very best hotel',
      'really nice hotel',
      '4 hotels',
      'tees hotel',
      'gemütliches Hotel',
    ],
    ...[
      'ein sehr schönes Hotel',
      'hôtel vraiment charmant',
      'hotel muy bonito',
      'hotel davvero bello',
      'Familienhotel',
    ],
  ];
  for (const text of texts) {
    const { names, understood } = await search(text);
    assert.ok(
      names.length > 0 && names.every((name) => hotels.includes(name)),
      `${text}: ${names.join(', ')}`,
    );
    assert.equal(understood?.['kind'], 'hotel', text);
  }
});

test('a place is found by its whole name although the map has another kind', async () => {
  const { names, understood } = await search('restaurant torkel');
  assert.deepEqual(names, ['Torkel']);
  assert.deepEqual(understood, { left_out: ['restaurant'] });
});

test('house number and street find the place, in usual abbreviations and both spellings', async () => {
  for (const [text, name] of [
    ['12 avenue d’ostende', 'Grand Palace'],
    ["12 av. d'Ostende", 'Grand Palace'],
    ['12 ave d ostende monaco', 'Grand Palace'],
    ['4 r. grimaldi', 'Riviera'],
    ['14 rue Grimaldi', 'Battlefield 4'],
    ['Landstr. 19', 'Four Tees'],
    ['landstraße 4', 'Salle des Etoiles'],
    ['C/ de la Unión 5', 'Le Petit Bar'],
    ['carrer de la unio 5', 'Le Petit Bar'],
    ['Staedtle 32', 'Kulma'],
    ['銀座8-7-6', 'Marina'],
  ] as const) {
    const { names } = await search(text);
    assert.equal(names[0], name, `${text}: ${names.join(', ')}`);
  }
});

test('a street without a number finds its places, and a number that it lacks is left out', async () => {
  assert.deepEqual((await search('rue grimaldi')).names.toSorted(), ['Battlefield 4', 'Riviera']);
  const { names, understood } = await search('99 rue grimaldi');
  assert.deepEqual(names.toSorted(), ['Battlefield 4', 'Riviera']);
  assert.deepEqual(understood?.['left_out'], ['99']);
});

test('a postcode finds its places, alone, with a kind, with its country, in one word or in two', async () => {
  for (const [text, name] of [
    ['9490', 'Kulma'],
    ['cafe 9490', 'Kulma'],
    ['FL-9490', 'Kulma'],
    ['AD500', 'Riviera'],
    ['hotel AD 500', 'Riviera'],
    ['〒104-0061', 'Marina'],
  ] as const)
    assert.deepEqual((await search(text)).names, [name], text);
});

test('a changed address is found by its new number only', async () => {
  await pool`update place set address = 'Landstrasse 8' where name = 'Salle des Etoiles'`;
  await service.app.deps.places.follow();
  assert.equal((await search('landstrasse 8')).names[0], 'Salle des Etoiles');
  assert.deepEqual((await search('landstrasse 4')).understood?.['left_out'], ['4']);
});

test('a dish finds its own places first, then those whose cuisine it implies', async () => {
  const { names, understood } = await search('sushi');
  assert.deepEqual(names.slice(0, 2).toSorted(), ['Hana', 'Sushi Corner']);
  assert.deepEqual(names.slice(2), ['Tokyo Table']);
  assert.equal(understood?.['kind'], 'sushi');
  const elsewhere = await search('sushi xyzzyq');
  assert.deepEqual(
    elsewhere.names.toSorted(),
    ['Hana', 'Sushi Corner'],
    'a word is left out, the dish stays',
  );
  const carbonara = await search('spaghetti alla carbonara');
  assert.deepEqual(carbonara.names, ['Da Vito']);
  assert.deepEqual((await search('carbonara')).names, ['Carbonara Club', 'Da Vito'], 'its name first');
});

test('dishes in many languages find the kitchens that cook them', async () => {
  for (const [text, name] of [
    ['tacos', 'La Cantina'],
    ['taquería', 'La Cantina'],
    ['quesadillas', 'La Cantina'],
    ['dónde comer paella', 'Casa Pepe'],
    ['パエリア', 'Casa Pepe'],
    ['where can i get a good lasagna', 'Da Vito'],
    ['ラザニア', 'Da Vito'],
    ['bratwurst', 'Zum Ochsen'],
    ['wo gibt es Schweinshaxe', 'Zum Ochsen'],
  ] as const) {
    const { names } = await search(text);
    assert.equal(names[0], name, `${text}: ${names.join(', ')}`);
  }
});

test('a dish with the name of a chain that has no place here is the dish', async () => {
  assert.deepEqual((await search('pho')).names, ['Pho Viet', 'Hanoi'], 'its name first');
  for (const text of ['pho soup', 'フォー'])
    assert.deepEqual((await search(text)).names.toSorted(), ['Hanoi', 'Pho Viet'], text);
});

test('nicknames find chains', async () => {
  for (const text of ['maccas', 'mcdo', 'mäkki', 'マック', 'McDonalds'])
    assert.equal((await search(text)).names[0], 'Golden Arches', text);
});

test('a supermarket is not a convenience store, in any language', async () => {
  for (const text of [
    'supermercado',
    'supermarket',
    'supermarché',
    'Supermarkt',
    'supermercato',
    'grand supermarché',
  ])
    assert.deepEqual((await search(text)).names, ['Casa Mercat'], text);
});

test('activities name a kind, in nine languages', async () => {
  for (const [name, texts] of [
    [
      'Lux',
      'somewhere to watch a film|où voir un film|film schauen|dónde ver una película|guardare un film|assistir um filme|film kijken|nonton film|映画を見たい',
    ],
    [
      'Energie',
      'where can I fill up the car|faire le plein|wo kann man tanken|repostar gasolina|fare benzina|abastecer o carro|auto tanken|isi bensin|ガソリンを入れる',
    ],
    [
      'Banque',
      "withdraw cash|retirer de l'argent|wo kann ich Geld abheben|donde sacar dinero|prelevare contanti|levantar dinheiro|geld opnemen|tarik tunai|お金をおろす",
    ],
  ] as const)
    for (const text of texts.split('|')) {
      const { names } = await search(text);
      assert.equal(names[0], name, `${text}: ${names.join(', ')}`);
    }
});

test('goods beside a word for buying name a shop, in nine languages, and otherwise keep their meaning', async () => {
  const texts =
    'where can I buy wine|buy a nice bottle of wine|où acheter du vin|Wein kaufen|wo kann ich Wein kaufen|comprar vino|comprare vino|comprar vinho|wijn kopen|beli anggur|ワインを買う';
  for (const text of texts.split('|')) {
    const { names, understood } = await search(text);
    assert.deepEqual(names, ['La Cave', 'Casa Mercat'], text);
    assert.equal(understood?.['kind'], 'wine', text);
  }
  assert.equal((await search('vin')).names[0], 'Nettare');
});
