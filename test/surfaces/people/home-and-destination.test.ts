import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { destinationPage } from '../../../src/surfaces/people/traveller/destination-page.ts';
import type {
  ListedCard,
  DestinationResults,
} from '../../../src/surfaces/people/traveller/destination-query.ts';
import { homePage } from '../../../src/surfaces/people/traveller/home-page.ts';
import { NO_SEARCH } from '../../../src/surfaces/people/traveller/home-search.ts';
import { baseMapOf } from '../../../src/surfaces/people/traveller/map/ground.ts';
import { resultsMap } from '../../../src/surfaces/people/traveller/map/results-map.ts';
import { asDestination, destinations, ground, now, site } from './sample-pages.ts';

describe('home page', () => {
  test('Counts are the sums of what it was given, and one is not a plural', () => {
    const [one = assert.fail('there are no samples')] = destinations;
    const markup = homePage({ site, destinations: [{ ...one, places: 1, verified_places: 1 }] });
    assert.match(markup, /content="Places to eat, stay and see in 1 destination\."/);
    assert.match(markup.replace(/\s+/g, ' '), /lists 1 place to eat, stay and see in 1 country; 1 of them/);
  });

  test('Every destination is a link in the index and a named link on the map', () => {
    const markup = homePage({ site, destinations });
    for (const { slug, name, country_name } of destinations) {
      assert.equal(markup.split(`href="/d/${slug}"`).length, 3, slug);
      assert.ok(markup.includes(`<title>${name}, ${country_name}</title>`), name);
    }
  });

  test('The map of the world is drawn only where the destinations are on several continents', () => {
    const [one = assert.fail('there are no samples')] = destinations;
    assert.match(homePage({ site, destinations }), /aria-label="Map of the destinations"/);
    assert.doesNotMatch(homePage({ site, destinations: [one] }), /Map of the destinations/);
  });

  test('A destination that holds no place is not shown beside those that do, nor counted', () => {
    const [empty = assert.fail('there are no samples'), ...others] = destinations;
    const markup = homePage({ site, destinations: [{ ...empty, places: 0, verified_places: 0 }, ...others] });
    assert.doesNotMatch(markup, new RegExp(`href="/d/${empty.slug}"`));
    assert.match(markup, new RegExp(`see in ${others.length} destinations\\.`));
  });

  test('Results follow the box, a guess is called one, and a search without results says so', () => {
    const [one = assert.fail('there are no samples')] = destinations;
    const results = {
      ...NO_SEARCH,
      text: 'sao',
      destinations: [{ ...one, slug: 'sao-paulo', name: 'São Paulo' }],
    };
    const markup = homePage({ site, destinations, results });
    assert.match(markup, /class="home-results"[^]*1 destination[^]*href="\/d\/sao-paulo"/);
    assert.match(markup, /<meta name="robots" content="noindex" \/>/);
    assert.match(
      homePage({ site, destinations, results: { ...results, isGuess: true } }),
      /Did you mean this\?/,
    );
    const none = { ...NO_SEARCH, text: 'zzzz', isGuess: true };
    assert.match(homePage({ site, destinations, results: none }), /Nothing matches <q><bdi>zzzz<\/bdi>/);
    assert.doesNotMatch(homePage({ site, destinations }), /noindex/);
  });

  test('An empty directory says so, leads its operator to the set-up, and counts nothing', () => {
    const markup = homePage({ site, destinations: [] });
    assert.match(markup, /<h1>There are no places here yet<\/h1>/);
    assert.match(markup, /href="\/console\/set-up"/);
    assert.doesNotMatch(markup, /npx waypost/);
    assert.doesNotMatch(markup, />[^<]*\b0 (?:places|destinations|countries)/);
    const withoutPlaces = destinations.map((destination) => ({
      ...destination,
      places: 0,
      verified_places: 0,
    }));
    const before = homePage({ site, destinations: withoutPlaces });
    assert.match(before, /no places here yet/);
    assert.doesNotMatch(before, /href="\/d\//);
    assert.doesNotMatch(homePage({ site, destinations }), /no places here yet/);
  });
});

describe('destination page', () => {
  const [one = assert.fail('there are no samples')] = destinations;
  const none: DestinationResults = {
    query: {
      q: '',
      category: '',
      area: '',
      open: false,
      wishes: [],
      reader: { languages: [], lang: '' },
      cursor: '',
      page: 1,
    },
    cards: [],
    thumbnails: new Map(),
    nextCursor: null,
    mapped: [],
    total: 0,
    kinds: [],
    areas: [],
    area: undefined,
    wishes: [],
  };

  test('The local time is that of the zone at the moment it was given, with the offset', () => {
    const destination = { ...asDestination(one), timezone: 'Asia/Kathmandu', places: 0 };
    const markup = destinationPage({ site, now, destination, results: none, ground, streets: undefined });
    assert.match(markup, /Saturday 17:45|Saturday at 17:45|Saturday, 17:45/);
    assert.match(markup, /Asia\/Kathmandu \(UTC\+05:45\)/);
    assert.match(markup, /No places are listed/);
  });

  test('The region around a destination at the date line is drawn on both sides of it', () => {
    const fiji = { ...asDestination(one), name: 'Fiji', lat: -17.8, lng: 179.5 };
    const markup = destinationPage({
      site,
      now,
      destination: fiji,
      results: none,
      ground,
      streets: undefined,
    });
    const [, land = ''] = /class="land" d="([^"]*)"/.exec(markup) ?? [];
    const starts = [...land.matchAll(/M(-?\d+) /g)].map(([, x]) => Number(x));
    assert.ok(starts.some((x) => x < 240) && starts.some((x) => x > 260), land);
  });

  test('A strip of the picture is plain where it has no coast', async () => {
    const sapporo = await baseMapOf({
      lat: 43.06,
      lng: 141.35,
      west: 141.1,
      south: 42.9,
      east: 141.5,
      north: 43.2,
    });
    assert.ok(!sapporo.isPlain && !sapporo.isPlainStrip(0, 224), 'the bay of Ishikari is in the north');
    assert.ok(sapporo.isPlainStrip(256, 224), 'the south is land');
  });

  test('A ground that crosses the date line holds the places on both sides of it', async () => {
    const fiji = await baseMapOf({ lat: -17.8, lng: 179.5, west: 177, south: -19, east: -178, north: -16 });
    const [west, east] = [fiji.project(-17.8, 178)[0], fiji.project(-17.8, -179)[0]];
    assert.ok(west > 0 && west < east && east < 640, `${west} ${east}`);
    assert.match(fiji.picture.toString(), /class="land" d="M/);
  });
});

test('No mark on the map of the results covers another, together they count every place, and a number means one', () => {
  const [south, west, north, east] = ground.bounds;
  // Twenty crowds at places that have no common measure: the edges of squares go through some of them.
  const crowd = (at: number, step: number) =>
    0.1 + 0.8 * (((at % 20) * step) % 1) + 0.04 * ((at * 0.732) % 1);
  const cards = Array.from({ length: 200 }, (_, at) => ({
    name: 'Casa Azul',
    place_id: `plc_${at}`,
    category: 'cafe',
    position_known: true,
    lat: south + (north - south) * crowd(at, 0.618),
    lng: west + (east - west) * crowd(at, 0.414),
  }));
  const listed = ['plc_7', 'plc_107', 'plc_30'];
  const drawn = { listed, ground, streets: false } as const;
  const markup = resultsMap('Bali', cards as ListedCard[], false, drawn).toString();
  assert.match(
    markup,
    /class="spot numbered[^>]*>\s*<circle r="14" \/><text y="5">1</,
    'the first of the list',
  );
  const shown = [...markup.matchAll(/<text y="5">([^<]*)</g)].map(([, number]) => Number(number));
  assert.equal(new Set(shown).size, shown.length, 'a number means one place');
  assert.ok(shown.every((number) => number >= 1 && number <= listed.length));
  const marks = [
    ...markup.matchAll(/data-places="(\d+)" transform="translate\((\d+) (\d+)\)"[^<]*<circle r="(\d+)"/g),
  ].map(([, size, x, y, radius]) => ({
    x: Number(x),
    y: Number(y),
    radius: Number(radius),
    size: Number(size),
  }));
  assert.equal(
    marks.reduce((sum, { size }) => sum + size, 0),
    cards.length,
  );
  assert.ok(marks.length > 3);
  for (const one of marks)
    for (const other of marks)
      if (one !== other)
        // Centres are rounded to whole units.
        assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > one.radius + other.radius - 2);
});
