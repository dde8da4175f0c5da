import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool, refusal } from '../../harness/clients/call-tool.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { addNamedPlace } from '../../directory/named-place.ts';
import { signUpAgent } from '../../harness/service/service.ts';
import { sharedService } from '../../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 300 });
const { apiKey } = await signUpAgent(service);
const authorization = `Bearer ${apiKey}`;
await service.database.pool`update agent set plan = 'scale'`;

const TOWER = {
  en: 'Lantern Tower',
  ja: '提灯塔',
  fr: 'Tour des Lanternes',
  'zh-Hant': '燈籠塔',
  zh: '灯笼塔',
  no: 'Lykttårnet',
};
const tower = await addNamedPlace(service, {
  name: '提灯塔',
  names: { ...TOWER, 'x-other1': 'Chochinto Annex', ja_rm: 'Chōchintō' },
  latin_name: 'Chōchintō',
  vertical: 'attraction',
});
const nameless = await addNamedPlace(service, {
  name: '提灯茶屋',
  names: { en: 'Lantern Tea House' },
  vertical: 'cafe',
});
const single = await addNamedPlace(service, { name: 'Lantern Grill', names: { en: 'Lantern Grill' } });

interface Place {
  place_id: string;
  name: string;
  local_name?: string;
  names?: Record<string, string>;
}

async function search(query: Record<string, string>, headers: Record<string, string> = {}) {
  const asked = new URLSearchParams({ q: 'lantern', city: 'tokyo', ...query }).toString();
  const response = await service.request(`/api/agent/search?${asked}`, {
    headers: { authorization, ...headers },
  });
  assert.equal(response.status, 200, await response.clone().text());
  const { places } = (await response.json()) as { places: Place[] };
  const of = (id: string) => places.find(({ place_id }) => place_id === id) ?? assert.fail('not found');
  return { response, tower: of(tower), nameless: of(nameless), single: of(single) };
}

async function get(id: string, query: Record<string, string>, headers: Record<string, string> = {}) {
  const asked = new URLSearchParams(query).toString();
  const response = await service.request(`/api/agent/business/${id}?${asked}`, {
    headers: { authorization, ...headers },
  });
  assert.equal(response.status, 200, await response.clone().text());
  return { response, place: (await response.json()) as Place };
}

test('a card has all names by language where there is more than one, and none beside a single one', async () => {
  const found = await search({});
  assert.equal(found.tower.name, '提灯塔');
  assert.deepEqual(found.tower.names, { ...TOWER, 'ja-Latn': 'Chōchintō' });
  assert.equal(found.tower.local_name, undefined);
  assert.equal(found.single.names, undefined);
  const annex = await search({ q: 'annex' }).catch(() => undefined);
  assert.equal(annex, undefined, 'a name without a language is no name in a language');
});

test('lang chooses the name that is shown first, and the one on the sign stays beside it', async () => {
  for (const [lang, name] of [
    ['en', 'Lantern Tower'],
    ['fr-CA', 'Tour des Lanternes'],
    ['zh-Hant-TW', '燈籠塔'],
    ['zh-TW', '燈籠塔'],
    ['zh', '灯笼塔'],
    ['zh-Hans', '灯笼塔'],
    ['nb', 'Lykttårnet'],
    ['et, fr;q=0.2, en;q=0.8', 'Lantern Tower'],
  ] as const) {
    const { tower: card } = await search({ lang });
    assert.deepEqual([card.name, card.local_name], [name, '提灯塔'], lang);
    const { place } = await get(tower, { lang });
    assert.deepEqual([place.name, place.local_name], [name, '提灯塔'], lang);
    assert.deepEqual(place.names, { ...TOWER, 'ja-Latn': 'Chōchintō' });
  }
});

test('a language that the place has no name in leaves the name as it is', async () => {
  for (const lang of ['et', 'ja', '*'])
    assert.deepEqual(
      [(await search({ lang })).tower.name, (await search({ lang })).tower.local_name],
      ['提灯塔', undefined],
      lang,
    );
  // The name on the sign is in the language of the country, even where the map does not say so.
  const { nameless: card } = await search({ lang: 'ja, en;q=0.5' });
  assert.equal(card.name, '提灯茶屋');
});

test('Accept-Language chooses too, lang wins over it, and caches are told', async () => {
  const header = { 'accept-language': 'fr-FR, fr;q=0.9, en;q=0.8' };
  const french = await search({}, header);
  assert.equal(french.tower.name, 'Tour des Lanternes');
  assert.equal(french.response.headers.get('vary'), 'accept-language');
  assert.equal((await search({ lang: 'en' }, header)).tower.name, 'Lantern Tower');
  assert.equal((await search({ lang: '' }, header)).tower.name, 'Tour des Lanternes');
  assert.equal((await search({}, { 'accept-language': '!!, ;;q=x' })).tower.name, '提灯塔');
  const plain = await search({});
  assert.equal(plain.tower.name, '提灯塔');
  assert.notEqual(plain.response.headers.get('etag'), french.response.headers.get('etag'));
  // The same again, from the answers that are kept.
  assert.equal((await search({}, header)).tower.name, 'Tour des Lanternes');
  assert.equal((await search({})).tower.name, '提灯塔');
  const one = await get(tower, {}, header);
  assert.equal(one.place.name, 'Tour des Lanternes');
  assert.equal(one.response.headers.get('vary'), 'accept-language');
});

test('a language that is none is refused in words', async () => {
  for (const lang of [
    'english please',
    'e',
    'en;q=2',
    'fr,,en',
    'x'.repeat(300),
    Array(12).fill('en').join(),
  ]) {
    const response = await service.request(`/api/agent/search?lang=${encodeURIComponent(lang)}`, {
      headers: { authorization },
    });
    assert.equal(response.status, 422, lang);
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    assert.equal(code, 'validation_failed');
    assert.match(detail, /^\/lang: must /);
  }
  const { code } = await refusal(service, '/api/partner/mcp', 'search_places', {
    destination: 'tokyo',
    lang: '??',
  });
  assert.equal(code, 'validation_failed');
});

test('a page goes on in another language', async () => {
  const first = await service.request('/api/agent/search?city=tokyo&limit=2', { headers: { authorization } });
  const { next_cursor } = (await first.json()) as { next_cursor: string };
  const second = await service.request(
    `/api/agent/search?city=tokyo&limit=2&lang=en&cursor=${encodeURIComponent(next_cursor)}`,
    { headers: { authorization } },
  );
  assert.equal(second.status, 200);
});

test('tools take lang, and their text has the shown name with the one on the sign', async () => {
  const message = (name: string, input: object) => ({
    id: 1,
    method: 'tools/call',
    params: { name, arguments: input },
  });
  const { body } = await rpc(
    service,
    '/mcp',
    message('svc_search_places', { q: 'lantern tower', lang: 'en' }),
    { authorization },
  );
  assert.match(JSON.stringify(body.result?.['content']), /Lantern Tower \(提灯塔\)/);
  const one = await rpc(service, '/mcp', message('svc_get_place', { place_id: tower, lang: 'fr' }), {
    authorization,
  });
  assert.match(
    JSON.stringify(one.body.result?.['content']),
    /^\[\{"type":"text","text":"Tour des Lanternes \(提灯塔\) \(plc_/,
  );
});

test('the tools of partners show names in the language of the reader', async () => {
  const tool = <Answer>(name: string, input: Record<string, unknown>) =>
    callTool<Answer>(service, '/api/partner/mcp', name, input);
  const list = await tool<{ places: Place[] }>('search_places', {
    destination: 'tokyo',
    query: 'lantern',
    lang: 'en',
  });
  const card = list.places.find(({ place_id }) => place_id === tower);
  assert.deepEqual([card?.name, card?.local_name], ['Lantern Tower', '提灯塔']);
  const details = await tool<Place>('place_details', { place_id: tower, lang: 'zh-TW' });
  assert.deepEqual([details.name, details.local_name, details.names?.['fr']], ['燈籠塔', '提灯塔', TOWER.fr]);
  for (const [lang, name, local] of [
    ['en', 'Lantern Tower', '提灯塔'],
    [undefined, '提灯塔', undefined],
  ]) {
    const feed = await tool<{ places: Place[] }>('directory_feed', { destination: 'tokyo', lang });
    const record = feed.places.find(({ place_id }) => place_id === tower);
    assert.deepEqual([record?.name, record?.local_name], [name, local]);
    assert.deepEqual(record?.names, { ...TOWER, 'ja-Latn': 'Chōchintō' });
  }
});

test('a card has twelve names at most, and is still shown in a language beyond them', async () => {
  const languages = 'af bg ca cs da de el en es et fi fr ga hr hu is it ja ko lt lv mk'.split(' ');
  const names = Object.fromEntries(languages.map((tag) => [tag, `Paper “${tag}”`]));
  const id = await addNamedPlace(service, { name: '紙燈', names });
  const find = async (lang: string) => {
    const response = await service.request(`/api/agent/search?q=${encodeURIComponent('紙燈')}&lang=${lang}`, {
      headers: { authorization },
    });
    return ((await response.json()) as { places: Place[] }).places.find(({ place_id }) => place_id === id);
  };
  const english = await find('en');
  assert.equal(Object.keys(english?.names ?? {}).length, 12);
  assert.deepEqual([english?.name, english?.local_name], ['Paper “en”', '紙燈']);
  assert.equal((await find('mk'))?.name, 'Paper “mk”');
  assert.equal((await find('xx'))?.name, '紙燈');
  const { place } = await get(id, {});
  assert.deepEqual(Object.keys(place.names ?? {}).sort(), languages);
});

test('names that look like JSON stay names', async () => {
  const name = 'Bar "},"vertical":{\\';
  const odd = { en: '"},"vertical":"x', fr: '\\","names":{"en":"y"}' };
  const id = await addNamedPlace(service, { name, names: odd });
  for (const [lang, shown] of Object.entries({ en: odd.en, fr: odd.fr, et: name })) {
    const response = await service.request(`/api/agent/search?city=tokyo&q=bar+vertical&lang=${lang}`, {
      headers: { authorization },
    });
    const { places } = (await response.json()) as { places: Place[] };
    const card = places.find(({ place_id }) => place_id === id);
    assert.equal(card?.name, shown);
    assert.deepEqual(card.names, odd);
  }
});
