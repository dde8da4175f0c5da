import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchDestinations } from '../../src/directory/search-destinations.ts';
import { sharedService } from '../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 300 });

function slugs(text: string): string[] {
  return searchDestinations(service.app.deps.destinations.current, text).destinations.map(({ slug }) => slug);
}

function countriesOf(text: string): string[] {
  const { destinations } = searchDestinations(service.app.deps.destinations.current, text);
  return [...new Set(destinations.map(({ country }) => country))];
}

test('a country is found by every name: codes, long and short forms, other languages', () => {
  for (const name of [
    'USA',
    'U.S.A.',
    'america',
    'United States of America',
    'Estados Unidos',
    'Vereinigte Staaten',
  ])
    assert.deepEqual(countriesOf(name), ['US'], name);
  for (const name of ['UK', 'Great Britain', 'United Kingdom'])
    assert.deepEqual(countriesOf(name), ['GB'], name);
  for (const name of ['UAE', 'Emirates']) assert.deepEqual(countriesOf(name), ['AE'], name);
  for (const name of ['日本', 'Japón', 'japan']) assert.deepEqual(countriesOf(name), ['JP'], name);
  assert.equal(countriesOf('us')[0], 'US');
  assert.deepEqual(countriesOf('Türkiye'), ['TR']);
  assert.deepEqual(countriesOf('Turkey'), ['TR']);
});

test('a destination is found by the beginning of its names, with its country, and with a slip', () => {
  for (const text of ['bali', 'BALI', 'bali, Indonesia', 'bali indonesia', 'balli', 'bal'])
    assert.equal(slugs(text)[0], 'bali', text);
  assert.equal(slugs('lisboa')[0], 'lisbon');
  assert.equal(slugs('barcelnoa')[0], 'barcelona');
  assert.deepEqual(countriesOf('portugall'), ['PT']);
  assert.equal(searchDestinations(service.app.deps.destinations.current, 'balli').isGuess, true);
  assert.equal(searchDestinations(service.app.deps.destinations.current, 'bali').isGuess, false);
});

test('an empty query and a text like no name find nothing', () => {
  for (const text of ['', '   ', 'zzzzzz', '!!!', '<script>']) assert.deepEqual(slugs(text), [], text);
});

test("the suggestions of the home page's script are among the results of the page itself", async () => {
  for (const text of ['USA', 'balli', 'zzzzzz']) {
    const asked = `q=${encodeURIComponent(text)}`;
    const part = await (await service.request(`/find?${asked}`)).text();
    const whole = await (await service.request(`/?${asked}`)).text();
    const links = [...part.matchAll(/href="([^"]+)"/g)].map(([link]) => link);
    assert.ok(links.length > 0, text);
    for (const link of links) assert.ok(whole.includes(link), `${text}: ${link}`);
  }
});
