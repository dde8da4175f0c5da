import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNamedPlace } from '../../../directory/named-place.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
} from '../../../harness/browser/browser.ts';
import { sharedService } from '../../../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 300 });

const tower = await addNamedPlace(service, {
  name: '提灯塔',
  names: { en: 'Lantern Tower', fr: 'Tour des Lanternes', ko: '등불탑', ar: 'برج الفوانيس' },
  latin_name: 'Chōchintō',
  areas: ['Ginza', 'Chūō', 'Tokyo'],
  facts: {
    wheelchair: 'limited',
    internet_access: 'free',
    outdoor_seating: 'yes',
    diets: ['vegan', 'halal'],
    only_diets: ['halal'],
    payment: ['cash', 'visa', 'contactless'],
    fee: 'yes',
    charge: '1200 JPY',
    stars: 4,
    rooms: 120,
    operator: 'Lantern & Sons',
    description: 'A tower of paper.',
    wikipedia: 'en:Tokyo Tower',
    image: 'https://pictures.example/tower.jpg',
  },
  observed_at: new Date('2026-03-04T05:06:07Z'),
});
const house = await addNamedPlace(service, {
  name: 'Дом бумаги',
  latin_name: 'Dom bumagi',
  facts: { diets: ['vegan'] },
});

async function open(path: string, languages?: string): Promise<{ response: Response; text: string }> {
  const headers = {
    accept: 'text/html',
    ...(languages === undefined ? {} : { 'accept-language': languages }),
  };
  const response = await service.request(path, { headers });
  return { response, text: await response.text() };
}

const heading = (text: string) => /<h1><bdi>(.*?)<\/bdi>/.exec(text)?.[1];
const also = (text: string) => /<p class="also">(.*?)<\/p>/s.exec(text)?.[1] ?? '';

test('a page is in the name that its reader knows, with the one on the sign beside it', async () => {
  const french = await open(`/p/${tower}`, 'fr-FR, en;q=0.5');
  assert.equal(heading(french.text), 'Tour des Lanternes');
  assert.match(also(french.text), /提灯塔/);
  assert.match(french.text, /<title>Tour des Lanternes, Tokyo/);
  assert.match(french.response.headers.get('vary') ?? '', /accept-language/);
  assert.equal(heading((await open(`/p/${tower}?lang=ko`, 'fr')).text), '등불탑');
  assert.equal(heading((await open(`/p/${tower}`)).text), '提灯塔');
  // A list carries the language of the address on to the places.
  const list = await open('/d/tokyo?q=lantern&lang=fr');
  assert.match(list.text, new RegExp(`href="/p/${tower}\\?lang=fr"><bdi>Tour des Lanternes</bdi>`));
  assert.match(list.text, /<input type="hidden" name="lang" value="fr"/);
});

test("only readers who cannot read the name's script get it in Latin letters", async () => {
  assert.match(also((await open(`/p/${house}`, 'de')).text), /Dom bumagi/);
  assert.doesNotMatch(also((await open(`/p/${house}`, 'ru')).text), /Dom bumagi/);
  assert.match((await open('/d/tokyo?q=Дом+бумаги', 'de')).text, /<bdi>Dom bumagi<\/bdi>/);
  assert.doesNotMatch((await open('/d/tokyo?q=Дом+бумаги', 'ar')).text, /<bdi>Dom bumagi<\/bdi>/);
  // On a Japanese sign a Japanese reader needs no Latin letters, whatever else they read.
  assert.doesNotMatch(also((await open(`/p/${tower}`, 'ja, en;q=0.5')).text), /Chōchintō/);
});

test('a language that is none is refused in words', async () => {
  for (const path of [`/p/${tower}?lang=what%20ever`, '/d/tokyo?lang=en;q=7']) {
    const { response, text } = await open(path);
    assert.equal(response.status, 422);
    assert.match(text, /must be a language tag such as en or pt-BR/);
  }
});

test('facts are told in words, with the date of the map and the areas as a path', async () => {
  const { text } = await open(`/p/${tower}`, 'en');
  for (const words of [
    'Accessible in part',
    'Free for guests',
    'Cash, visa, contactless',
    'Halal only, vegan',
    '1200 JPY',
  ])
    assert.ok(text.includes(words), words);
  assert.match(text, /From the map of 4 March 2026\./);
  assert.match(text, /Tokyo<\/a>.*Chūō<\/bdi><\/a>.*Ginza<\/bdi><\/a>/s);
  assert.match(text, /href="https:\/\/en\.wikipedia\.org\/wiki\/Tokyo_Tower"/);
  const silent = await open(`/p/${house}`, 'en');
  assert.doesNotMatch(silent.text, /From the map of \d/);
  assert.match(silent.text, /From the map of<\/dt>\s*<dd>Not known/);
});

test('a destination is filtered by what its places have', async () => {
  const all = await open('/d/tokyo');
  assert.match(all.text, /\?wishes=vegan"/);
  assert.doesNotMatch(all.text, /wishes=kosher/);
  const vegan = await open('/d/tokyo?wishes=vegan');
  assert.match(vegan.text, /2 places/);
  const both = await open('/d/tokyo?wishes=vegan,wifi&lang=en');
  assert.match(both.text, /1 place\b/);
  assert.match(both.text, /Lantern Tower/);
  assert.match(both.text, /name="wishes" value="wifi,vegan"/);
  const none = await open('/d/tokyo?wishes=vegan,kosher');
  assert.match(none.text, /Include places for which this is unknown/);
});

for (const view of LOOKS)
  test(`the pages of a place with facts are sound on ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    for (const [name, path] of [
      ['facts place', `/p/${tower}?lang=en`],
      ['facts list', '/d/tokyo?wishes=vegan&lang=en'],
    ] as const) {
      const response = await visit.page.goto(service.url + path);
      assert.equal(response?.status(), 200);
      await assertSoundPage(visit);
      await screenshot(visit.page, `${name} ${view.name}`);
    }
  });
