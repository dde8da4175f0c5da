import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assetWeight } from '../../../src/surfaces/people/assets.ts';
import { docsPage } from '../../../src/surfaces/people/docs/docs-page.ts';
import type { Site } from '../../../src/surfaces/people/layout.ts';
import { messagePage } from '../../../src/surfaces/people/message-page.ts';
import type { Destination } from '../../../src/directory/destinations.ts';
import type { Place } from '../../../src/directory/place.ts';
import { destinationPage } from '../../../src/surfaces/people/traveller/destination-page.ts';
import type { Card, FoundInDestination } from '../../../src/surfaces/people/traveller/destination-query.ts';
import { homePage } from '../../../src/surfaces/people/traveller/home-page.ts';
import { groundOf } from '../../../src/surfaces/people/traveller/map/ground.ts';
import { placePage } from '../../../src/surfaces/people/traveller/place/place-page.ts';
import { contrast, readTokens, type Tokens } from './tokens.ts';
import { sampleDestinations, sampleOpenApi, sampleSurfaces } from './samples.ts';

const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;`;
const WEIGHT_MAX = 100_000;

const site: Site = {
  serviceName: 'Waypost',
  providerName: 'Mapwright',
  baseUrl: 'http://127.0.0.1:3000',
  partnerUrl: 'http://127.0.0.1:3000',
  attribution: {
    text: 'Place data © OpenStreetMap contributors (ODbL) and Mapwright, verified by Waypost.',
    links: [
      { name: 'OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
      { name: 'Mapwright', url: 'https://example.com/' },
    ],
  },
  demo: true,
};

const destinations = sampleDestinations(180);
const now = new Date('2026-11-14T12:00:00Z');

const EXTENT = { lat: -8.4, lng: 115.2, west: 114.4, south: -8.9, east: 115.7, north: -8 };
const ground = await groundOf(EXTENT);

function asDestination(sample: (typeof destinations)[number], areas: string[] = []): Destination {
  return { other_names: [], ...sample, ...EXTENT, id: 'dst_1', areas } as Destination;
}

function sampleCards(name: string, amount: number): Card[] {
  return Array.from({ length: amount }, (_, index) => ({
    place_id: `plc_${index}`,
    name: `${name} ${index}`,
    vertical: 'restaurant',
    category: name,
    cuisine: [name],
    destination: 'bali',
    country: 'ID',
    city: name,
    area: name,
    address: name,
    lat: -8.5 + index / 1000,
    lng: 115.2 + (index % 7) / 100,
    rating: index % 3 === 0 ? null : 4.2,
    review_count: index * 31,
    price_range: name,
    badge: index % 2 === 0 ? 'claimed' : 'mapped',
    open_now: index % 2 === 0,
    open_until: '2026-11-14T15:00:00Z',
    booking: { method: 'phone' },
    guidance: name,
    url: `javascript:${name}`,
  }));
}

/** A search with everything in it: a page of the list and as many places on the map as it ever holds. */
function sampleFound(text: string): FoundInDestination {
  return {
    query: { q: text, category: text, area: text, open: true, cursor: text, page: 2 },
    cards: sampleCards(text, 24),
    nextCursor: 'x'.repeat(60),
    mapped: sampleCards(text, 200),
    total: null,
    kinds: ['restaurant', 'cafe'],
    areas: [text],
  };
}

function samplePlace(text: string): Place {
  const url = text === 'Casa Azul' ? 'https://venue.example/' : `javascript:${text}`;
  return {
    ...(sampleCards(text, 2)[1] as unknown as Place),
    id: 'plc_1',
    destination_id: 'dst_1',
    phone: '+6281234567',
    email: null,
    website: url,
    languages: [text],
    price_line: { text, read_at: '2026-08-03T00:00:00Z', source_url: url },
    about: text,
    hours: { text, source: 'map', observed_at: '2026-08-03T00:00:00Z', compiled: null },
    booking_method: 'venue_system',
    booking_url: url,
    chosen_by_venue: false,
    closed_at: null,
    verified_at: null,
    source: text,
    source_ref: text,
    updated_at: now,
    evidence: [
      { kind: 'published_report', source_url: url, note: text, observed_at: '2026-08-03T00:00:00Z' },
    ],
    accolades: [{ title: text, year: 2025, source_name: text, source_url: url }],
    position_known: true,
    origins: {},
    listing_photo: null,
    submitted_by: { agent_name: text, operator_name: text, submission_id: text },
    promotions: [
      {
        promo_id: text,
        title: text,
        kind: text,
        detail: text,
        terms: text,
        discount_pct: 10,
        starts_at: null,
        ends_at: null,
      },
    ],
    menu: {
      currency: 'IDR',
      sections: Array.from({ length: 10 }, () => ({
        name: text,
        items: Array.from({ length: 20 }, () => ({
          name: text,
          description: text,
          price: text,
          notes: text,
        })),
      })),
      updated_at: '2026-08-03T00:00:00Z',
    },
  };
}

/** Every page, with a text of the caller's choice wherever data is shown. */
function everyPage(text = 'Casa Azul'): Record<string, string> {
  const named = destinations.map((destination, index) =>
    index === 0
      ? { ...destination, name: text, country_name: text, other_names: [text], slug: text }
      : destination,
  );
  const [first = assert.fail('there are no samples')] = named;
  const messages = { title: text, what: text, meaning: text, next: text };
  const named_site = {
    ...site,
    serviceName: text,
    attribution: { text, links: [{ name: text, url: `javascript:${text}` }] },
  };
  return {
    home: homePage({ site, destinations: named, query: text === 'Casa Azul' ? '' : text }),
    empty: homePage({ site: named_site, destinations: [] }),
    destination: destinationPage({
      site,
      now,
      destination: asDestination(first, [text]),
      found: sampleFound(text),
      ground,
    }),
    place: placePage({
      site,
      now,
      place: samplePlace(text),
      otherNames: [{ language: text, text }],
      destination: asDestination(first, [text]),
      ground,
    }),
    docs: docsPage({ site: named_site, openapi: sampleOpenApi(text), surfaces: sampleSurfaces(text) }),
    message: messagePage({ site, status: 404, ...messages }),
  };
}

describe('colour', () => {
  const themes = readTokens();
  const TEXT_ON: Record<string, string[]> = {
    paper: ['ink', 'ink-soft', 'good', 'warn', 'bad'],
    sheet: ['ink', 'ink-soft', 'good', 'warn', 'bad'],
    well: ['ink', 'ink-soft'],
    sea: ['ink', 'ink-soft'],
    sign: ['on-sign'],
    'sign-strong': ['on-sign'],
    'good-well': ['good'],
    'warn-well': ['warn'],
    'bad-well': ['bad'],
    'code-paper': ['code-ink', 'code-soft', 'code-key', 'code-text', 'code-value'],
  };
  const SHAPES_ON: Record<string, string[]> = {
    paper: ['edge', 'sign-line', 'ink'],
    sheet: ['edge', 'sign-line'],
    sign: ['on-sign'],
  };

  for (const [theme, tokens] of Object.entries(themes)) {
    test(`Text has a contrast of at least 4.5 : 1 in the ${theme} theme`, () => {
      assertContrast(tokens, TEXT_ON, 4.5);
    });

    test(`Edges of fields, underlines and rings have a contrast of at least 3 : 1 in the ${theme} theme`, () => {
      assertContrast(tokens, SHAPES_ON, 3);
    });
  }

  test('Every colour that dark changes is a colour that light has', () => {
    const light = Object.keys(themes.light);
    assert.deepEqual(
      Object.keys(themes.dark).filter((name) => !light.includes(name)),
      [],
    );
  });

  test('No rule outside the tokens names a colour of its own', () => {
    const folder = new URL('../../../src/surfaces/people/assets/', import.meta.url);
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.css') && name !== 'tokens.css')) {
      const rules = readFileSync(new URL(file, folder), 'utf8').replace(/\/\*[^]*?\*\//g, '');
      assert.doesNotMatch(rules, /:[^;{]*(?:#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(|\boklch\()/i, file);
    }
  });
});

function assertContrast(tokens: Tokens, pairs: Record<string, string[]>, least: number): void {
  for (const [background, foregrounds] of Object.entries(pairs)) {
    for (const foreground of foregrounds) {
      const ratio = contrast(tokens, foreground, background);
      assert.ok(ratio >= least, `${foreground} on ${background} is ${ratio.toFixed(2)} : 1`);
    }
  }
}

describe('weight', () => {
  const shared = (
    ['waypost.css', 'waypost.js', 'results-map.js', 'favicon.svg', 'display-latin.woff2'] as const
  )
    .map(assetWeight)
    .reduce((sum, weight) => sum + weight);
  // The other subsets are fetched only when a heading needs one of their letters.
  const subsets = assetWeight('display-latin-ext.woff2') + assetWeight('display-vietnamese.woff2');

  for (const [name, markup] of Object.entries(everyPage())) {
    test(`The ${name} page with all that it loads stays below 100 kB`, () => {
      const weight = gzipSync(markup).length + shared + subsets;
      assert.ok(weight < WEIGHT_MAX, `${weight} bytes`);
    });
  }
});

describe('every page', () => {
  for (const [name, markup] of Object.entries(everyPage())) {
    test(`The ${name} page has no inline script, style or handler and asks no other host for anything`, () => {
      // Blocks of data are never run, so that the policy of the pages lets them be.
      const run = markup.replace(/<script type="application\/(?:ld\+)?json">[^<]*<\/script>/g, '');
      assert.doesNotMatch(run, /<style|\sstyle=|<script(?![^>]*\ssrc="\/assets\/)[^>]*>|\son\w+=/i);
      const loaded = [...markup.matchAll(/<(?:link|script|img|use)\b[^>]*?(?:href|src)="([^"]*)"[^>]*>/g)];
      for (const [tag, url = ''] of loaded) {
        if (!tag.includes('rel="canonical"')) assert.match(url, /^[/#]/, tag);
      }
    });

    test(`The ${name} page has its language, title, landmarks, one main heading and the attribution`, () => {
      assert.match(markup, /<html lang="en">/);
      assert.match(markup, /<title>[^<]+<\/title>/);
      assert.match(markup, /<meta name="viewport" content="width=device-width, initial-scale=1"/);
      for (const landmark of ['<header', '<main id="main"', '<footer', 'href="#main"']) {
        assert.equal(
          markup.split(landmark).length,
          landmark === '<header' && name === 'docs' ? 3 : 2,
          landmark,
        );
      }
      assert.equal(markup.split('<h1').length, 2);
      assert.match(markup, /class="attribution"/);
      assert.match(markup, /Demonstration data:<\/strong> the venues here are fictional\./);
    });

    test(`The ${name} page uses no identifier twice, and its links within the page lead somewhere`, () => {
      const ids = [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
      assert.equal(new Set(ids).size, ids.length);
      for (const [, target = ''] of markup.matchAll(/href="#([^"]+)"/g))
        assert.ok(ids.includes(target), target);
      for (const [, target = ''] of markup.matchAll(/aria-labelledby="([^"]+)"/g))
        assert.ok(ids.includes(target), target);
    });
  }

  for (const [name, markup] of Object.entries(everyPage(HOSTILE))) {
    test(`The ${name} page shows a hostile name as text and makes no address of it`, () => {
      assert.doesNotMatch(markup, /<script>|<img|href="javascript:/i);
      assert.ok(markup.includes('&lt;script&gt;'));
    });
  }
});

describe('home page', () => {
  test('Counts are the sums of what it was given, and one is not a plural', () => {
    const [one = assert.fail('there are no samples')] = destinations;
    const markup = homePage({ site, destinations: [{ ...one, places: 1, verified_places: 1 }] });
    assert.match(markup, /places in 1 destination<\/h1>/);
    assert.match(markup.replace(/\s+/g, ' '), /lists 1 place to eat, stay and see in 1 country; 1 of them/);
  });

  test('Every destination is a link in the index and a named link on the map', () => {
    const markup = homePage({ site, destinations });
    for (const { slug, name, country_name } of destinations) {
      assert.equal(markup.split(`href="/d/${slug}"`).length, 3, slug);
      assert.ok(markup.includes(`<title>${name}, ${country_name}</title>`), name);
    }
  });

  test('A query hides what does not match in the index and on the map, whatever the accents and the case', () => {
    const [one = assert.fail('there are no samples')] = destinations;
    const named = [
      { ...one, slug: 'sao-paulo', name: 'São Paulo', country: 'BR', country_name: 'Brazil' },
      { ...one, slug: 'lima', name: 'Lima', country: 'PE', country_name: 'Peru' },
    ];
    const markup = homePage({ site, destinations: named, query: ' SAO' });
    assert.match(markup, /<a href="\/d\/lima" +hidden/);
    assert.doesNotMatch(markup, /<a href="\/d\/sao-paulo" +hidden/);
    assert.match(markup, /1 of 2 destinations/);
    assert.match(homePage({ site, destinations: named, query: 'peru' }), /<a href="\/d\/sao-paulo" +hidden/);
  });

  test('A query without a match says so and offers the whole list', () => {
    const markup = homePage({ site, destinations, query: 'zzzz' });
    assert.match(markup, /<div class="empty" *>/);
    assert.match(markup, /<q>zzzz<\/q>/);
  });

  test('An empty directory says what will appear and counts nothing', () => {
    const markup = homePage({ site, destinations: [] });
    assert.match(markup, /There are no destinations yet\./);
    assert.doesNotMatch(markup, />[^<]*\b0 (?:places|destinations|countries)/);
    const withoutPlaces = destinations.map((destination) => ({
      ...destination,
      places: 0,
      verified_places: 0,
    }));
    assert.match(homePage({ site, destinations: withoutPlaces }), /No places are listed yet\./);
  });
});

describe('destination page', () => {
  const [one = assert.fail('there are no samples')] = destinations;
  const none: FoundInDestination = {
    query: { q: '', category: '', area: '', open: false, cursor: '', page: 1 },
    cards: [],
    nextCursor: null,
    mapped: [],
    total: 0,
    kinds: [],
    areas: [],
  };

  test('The local time is that of the zone at the moment it was given, with the offset', () => {
    const destination = { ...asDestination(one), timezone: 'Asia/Kathmandu', places: 0 };
    const markup = destinationPage({ site, now, destination, found: none, ground });
    assert.match(markup, /Saturday 17:45|Saturday at 17:45|Saturday, 17:45/);
    assert.match(markup, /Asia\/Kathmandu \(UTC\+05:45\)/);
    assert.match(markup, /No places are listed/);
  });

  test('The region around a destination at the date line is drawn on both sides of it', () => {
    const fiji = { ...asDestination(one), name: 'Fiji', lat: -17.8, lng: 179.5 };
    const markup = destinationPage({ site, now, destination: fiji, found: none, ground });
    const [, land = ''] = /class="land" d="([^"]*)"/.exec(markup) ?? [];
    const starts = [...land.matchAll(/M(-?\d+) /g)].map(([, x]) => Number(x));
    assert.ok(starts.some((x) => x < 240) && starts.some((x) => x > 260), land);
  });

  test('A ground that crosses the date line holds the places on both sides of it', async () => {
    const fiji = await groundOf({ lat: -17.8, lng: 179.5, west: 177, south: -19, east: -178, north: -16 });
    const [west, east] = [fiji.project(-17.8, 178)[0], fiji.project(-17.8, -179)[0]];
    assert.ok(west > 0 && west < east && east < 640, `${west} ${east}`);
    assert.match(fiji.picture.toString(), /class="land" d="M/);
  });
});
