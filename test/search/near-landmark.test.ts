import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNamedPlace } from '../directory/named-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import {
  bridgeEast,
  castle,
  type Found,
  fort,
  helsinki,
  inn,
  LAT,
  LNG,
  type Near,
  names,
  north,
  search,
  service,
} from './landmark-town.ts';

function assertNearFort(found: Found, text: string, first = 'Inn'): void {
  assert.equal(found.understood?.near?.place_id, fort, `${text}: ${JSON.stringify(found.understood)}`);
  assert.equal(names(found)[0], first, `${text}: ${names(found).join(', ')}`);
}

test('the kind near a landmark is found, nearest first, with its distance, and the landmark is no result', async () => {
  const found = await search('restaurants near Fort St. Elmo');
  assertNearFort(found, 'near');
  assert.deepEqual(names(found), ['Inn', 'Far Inn', 'Third Inn']);
  const metres = found.places.map(({ distance_m = NaN }) => distance_m);
  assert.ok(Math.abs((metres[0] ?? 0) - 80) <= 2, String(metres[0]));
  assert.deepEqual(
    metres,
    metres.toSorted((a, b) => a - b),
  );
  assert.deepEqual(found.understood, {
    kind: 'restaurant',
    near: { place_id: fort, name: 'Fort St. Elmo', lat: LAT, lng: LNG },
  });
  const all = await search('near Fort St. Elmo');
  assert.ok(
    names(all).includes('Quick Bite') && !names(all).includes('Fort St. Elmo'),
    names(all).join(', '),
  );
});

test('a landmark is read in many languages, in front of the words for nearness and behind them', async () => {
  const texts = [
    'restaurant next to Fort St Elmo',
    'restaurants around fort st elmo',
    'restaurants close to the Fort St Elmo',
    'restaurants within walking distance of fort st elmo',
    'restaurants 5 minutes from Fort St. Elmo',
    '10 min walk from fort st elmo restaurant',
    'restaurant 500m from fort st elmo',
    'nearest restaurant to fort st elmo',
    'near Fort St Elmo restaurants',
    'restaurant près du Fort Saint-Elme',
    'restaurant à côté de Fort Saint-Elme',
    'Restaurant in der Nähe von Fort St. Elmo',
    'Restaurants nahe Fort St. Elmo',
    'restaurantes cerca de fort st elmo',
    'ristoranti vicino a fort st elmo',
    'restaurante perto de fort st elmo',
    'restaurant in de buurt van fort st elmo',
    'restoran dekat Fort St Elmo',
    'ресторан рядом с Форт Святого Эльма',
    '聖エルモ砦の近くのレストラン',
    '聖エルモ砦周辺 レストラン',
    'ร้านอาหารใกล้ ป้อมเซนต์เอลโม',
    'restaurang nära Fort St Elmo',
    'ravintola lähellä Elmon linna',
    'Elmon linna lähellä ravintola',
    'Fort St Elmo yakınında restaurant',
    'restauracja w pobliżu Fort St Elmo',
  ];
  for (const text of texts) assertNearFort(await search(text), text);
});

test('a misspelt landmark, or one without accents, articles and dots, is found', async () => {
  for (const text of [
    'restaurants near fort saint elmo',
    'restaurants near fort st. elmoo',
    'restaurants near the fort elmo',
    'restaurant pres du fort saint elme',
  ])
    assertNearFort(await search(text), text);
});

test('wishes and other words keep their meaning beside a landmark', async () => {
  const found = await search('wheelchair accessible restaurant near fort st elmo');
  assert.deepEqual(names(found), ['Inn']);
  assert.deepEqual(found.understood?.wishes, ['wheelchair']);
  assert.equal(found.places[0]?.place_id, inn);
  const behind = await search('restaurant near fort st elmo wheelchair accessible');
  assert.deepEqual(names(behind), ['Inn']);
});

test('the circle grows when nothing of the kind is near, and an empty answer is honest', async () => {
  const museum = await search('museum near fort st elmo');
  assert.deepEqual(names(museum), ['Remote Museum']);
  assert.ok((museum.places[0]?.distance_m ?? 0) > 8_000);
  const none = await search('casino near fort st elmo');
  assert.deepEqual(none.places, []);
  assert.equal(none.understood?.near?.place_id, fort);
  assert.match(none.hint ?? '', /50 km of Fort St\. Elmo/);
});

test('without a destination the landmark is looked for in all of them', async () => {
  assertNearFort(await search('restaurants near Fort St. Elmo', {}), 'the world');
  assertNearFort(await search('restaurants near Fort St. Elmo Helsinki', {}), 'with its town');
});

test('of several landmarks of one name the most prominent is taken and the others are listed', async () => {
  const { understood } = await search('restaurant near old bridge');
  assert.equal(understood?.near?.place_id, bridgeEast);
  assert.equal(understood.near_others?.length, 1);
  assert.equal(understood.near_others[0]?.name, 'Old Bridge');
});

test('a landmark that nobody knows is named among the words left out, and the kind is kept', async () => {
  const found = await search('pharmacy near Zzyzx Palace');
  assert.deepEqual(names(found), ['Elmo Chemist']);
  assert.equal(found.understood?.near, undefined);
  assert.deepEqual(found.understood?.left_out, ['Zzyzx Palace']);
  assert.equal(found.places[0]?.distance_m, undefined);
});

test('an area, a street, a corner and a station are landmarks too', async () => {
  const area = await search('restaurant near Kallio');
  assert.equal(area.understood?.near?.name, 'Kallio');
  assert.equal(area.understood.near.place_id, undefined);
  const street = await search('bookshop near rue longue');
  assert.equal(street.understood?.near?.name, 'Rue Longue');
  const corner = await search('books near the corner of rue longue and quai neuf');
  assert.equal(corner.understood?.near?.name, 'Rue Longue / Quai Neuf');
  assert.deepEqual(
    (await search('books corner of rue longue and quai neuf')).understood?.near,
    corner.understood.near,
  );
  assert.ok(['Lehti', 'Sanat'].includes(names(corner)[0] ?? ''), names(corner).join(', '));
  const station = await search('restaurant near ruoholahti station');
  assert.equal(station.understood?.near?.name, 'Ruoholahti');
  const kind = await search('restaurant near the train station');
  assert.equal(kind.understood?.near?.name, 'Ruoholahti', 'the only one in town');
  const japanese = await search('ルオホラハティ駅 レストラン');
  assert.equal(japanese.understood?.near?.name, 'Ruoholahti');
});

test('a name that contains such words is still found as a name', async () => {
  const found = await search('The Bar Near the Fort');
  assert.equal(names(found)[0], 'The Bar Near the Fort');
  assert.equal(found.understood, undefined);
});

test('the pages of a search near a landmark continue where the last one ended', async () => {
  const first = await search('restaurants near Fort St. Elmo', { city: 'helsinki', limit: '1' });
  const second = await search('restaurants near Fort St. Elmo', {
    ...{ city: 'helsinki', limit: '5' },
    cursor: first.next_cursor ?? '',
  });
  assert.deepEqual([...names(first), ...names(second)], ['Inn', 'Far Inn', 'Third Inn']);
});

test('a kind that its area has not is found nearest to the area, on every page', async () => {
  const first = await search('restaurant in Kallio', { city: 'helsinki', limit: '2' });
  assert.equal(first.understood?.near?.name, 'Kallio', JSON.stringify(first.understood));
  assert.equal(first.understood.left_out, undefined);
  const second = await search('restaurant in Kallio', {
    ...{ city: 'helsinki', limit: '5' },
    cursor: first.next_cursor ?? '',
  });
  assert.deepEqual([...names(first), ...names(second)], ['Inn', 'Far Inn', 'Quick Bite']);
  assert.deepEqual(names(await search('cafe in Kallio')), ['Kahvi']);
});

test('a kind beside the whole name of a station is found near it, when no place has both', async () => {
  for (const text of ['pharmacy in Ruoholahti', 'pharmacy Ruoholahti']) {
    const found = await search(text);
    assert.equal(found.understood?.near?.name, 'Ruoholahti', text);
    assert.deepEqual(names(found), ['Elmo Chemist'], text);
  }
  for (const text of ['pharmacy ruoho', 'spa Fort St. Elmo'])
    assert.equal((await search(text)).understood?.near, undefined, text);
});

test('a café is no ice cream parlour while there is another one', async () => {
  assert.deepEqual(names(await search('cafe near Fort St. Elmo')), ['Kahvi', 'Gelato']);
  assert.deepEqual(names(await search('cafe')).slice(0, 2), ['Kahvi', 'Gelato']);
});

test('partners and concierge answers read a landmark as agents do', async () => {
  const listed = await callTool<Found>(service, PARTNER_MCP, 'search_places', {
    destination: 'helsinki',
    query: 'restaurants near Fort St. Elmo',
  });
  assertNearFort(listed, 'partner');
  const answer = await callTool<{ understood: { near: Near | null }; places: { name: string }[] }>(
    service,
    PARTNER_MCP,
    'concierge_answer',
    { destination: 'helsinki', question: 'Which restaurants are near Fort Saint Elmo?' },
  );
  assert.equal(answer.understood.near?.place_id, fort);
  assert.equal(answer.understood.near.lat, LAT);
});

test('a word for a kind means the place of that kind, not a shop that is called so', async () => {
  await addNamedPlace(service, {
    ...helsinki,
    name: 'Casino',
    vertical: 'shop',
    category: 'supermarket',
    ...north(3_000),
  });
  const casino = await addNamedPlace(service, {
    ...helsinki,
    name: 'Grand Casino Helsinki',
    vertical: 'attraction',
    category: 'casino',
    ...north(150),
  });
  await service.app.deps.places.follow();
  const answer = await search('restaurants near casino');
  assert.equal(answer.understood?.near?.place_id, casino);
});

test('a place of another kind or another name is not taken for a landmark that is missing', async () => {
  for (const name of ['National Museum', 'Helsinki Tower', 'Elmo Police Station']) {
    const found = await search(`pharmacy near ${name}`);
    assert.equal(found.understood?.near, undefined, `${name}: ${JSON.stringify(found.understood)}`);
    assert.deepEqual(found.understood?.left_out, [name]);
    assert.deepEqual(names(found), ['Elmo Chemist']);
  }
  const station = await search('pharmacy near Helsinki railway station');
  assert.equal(station.understood?.near?.name, 'Ruoholahti', 'the only one in town');
});

test('a kind that is wanted nearby is near the traveller, not near a place of that kind', async () => {
  for (const text of ['nearby pharmacy', 'nearby pharmacies open now', 'dekat apotek']) {
    const found = await search(text);
    assert.equal(found.understood?.near, undefined, `${text}: ${JSON.stringify(found.understood)}`);
  }
  assert.deepEqual(names(await search('nearby pharmacy')), ['Elmo Chemist']);
  assertNearFort(await search('restaurants nearby Fort St Elmo'), 'nearby a name');
});

test('a text of far too many words is no search near a landmark', async () => {
  const found = await search(`restaurants near fort ${'st '.repeat(55)}elmo`);
  assert.equal(found.understood?.near, undefined, JSON.stringify(found.understood));
});

test('a kind names the most prominent place of the kind, not one that has the word in its name', async () => {
  for (const text of [
    'restaurant near the castle',
    'Restaurant in der Nähe der Burg',
    'restaurant près du château',
  ]) {
    const { understood } = await search(text);
    assert.equal(understood?.near?.place_id, castle, `${text}: ${JSON.stringify(understood)}`);
    const others = understood.near_others?.map(({ name }) => name);
    assert.equal(others?.[0], 'Lower Castle', JSON.stringify(others));
  }
});
