import assert from 'node:assert/strict';
import type { Destination } from '../../../src/directory/destinations.ts';
import type { Place } from '../../../src/directory/place/place.ts';
import { docsPage, docsSearchPage, docsIndex } from '../../../src/surfaces/people/docs/docs-page.ts';
import type { DocsPage } from '../../../src/surfaces/people/docs/docs-model.ts';
import { docsPages } from '../../../src/surfaces/people/docs/docs-pages.ts';
import type { Site } from '../../../src/surfaces/people/frame/layout.ts';
import { messagePage } from '../../../src/surfaces/people/frame/message-page.ts';
import { destinationPage } from '../../../src/surfaces/people/traveller/destination-page.ts';
import type {
  ListedCard,
  DestinationResults,
} from '../../../src/surfaces/people/traveller/destination-query.ts';
import { homePage } from '../../../src/surfaces/people/traveller/home-page.ts';
import { NO_SEARCH } from '../../../src/surfaces/people/traveller/home-search.ts';
import { baseMapOf } from '../../../src/surfaces/people/traveller/map/ground.ts';
import { placePage } from '../../../src/surfaces/people/traveller/place/place-page.ts';
import { sampleDestinations, sampleOpenApi, sampleSurfaces } from './samples.ts';

export const site: Site = {
  prefix: 'svc',
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
  samples: [],
  empty: false,
  testPayments: true,
};

export const destinations = sampleDestinations(180);
export const now = new Date('2026-11-14T12:00:00Z');

const EXTENT = { lat: -8.4, lng: 115.2, west: 114.4, south: -8.9, east: 115.7, north: -8 };
export const ground = await baseMapOf(EXTENT);

export function asDestination(sample: (typeof destinations)[number], areas: string[] = []): Destination {
  return { other_names: [], ...sample, ...EXTENT, id: 'dst_1', areas };
}

function sampleCards(name: string, amount: number): ListedCard[] {
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
    position_known: true,
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
function sampleFound(text: string): DestinationResults {
  return {
    query: {
      q: text,
      category: text,
      area: text,
      open: true,
      wishes: ['vegan'],
      reader: { languages: ['en'], lang: text },
      cursor: text,
      page: 2,
    },
    cards: sampleCards(text, 24),
    thumbnails: new Map([['plc_1', { url: '/photos/pho_1/w480', isLater: true }]]),
    nextCursor: 'x'.repeat(60),
    mapped: sampleCards(text, 200),
    total: null,
    area: text,
    kinds: [
      { name: 'restaurant', places: 12 },
      { name: 'cafe', places: 3 },
    ],
    areas: [{ name: text, places: 12 }],
    wishes: [
      { name: 'wheelchair', places: 4 },
      { name: 'vegan', places: 201 },
    ],
  };
}

function sampleFacts(text: string, url: string): Place['facts'] {
  const words = { charge: text, brand: text, operator: text, description: text, level: text, religion: text };
  return {
    ...words,
    wheelchair: 'limited',
    diets: [text, 'vegan'],
    only_diets: ['vegan'],
    payment: [text],
    stars: 4,
    rooms: 1200,
    fee: 'yes',
    denomination: text,
    image: url,
    postcode: text,
    wikipedia: `en:${text}`,
    heritage: text,
  };
}

function samplePlace(text: string): Place {
  const url = text === 'Casa Azul' ? 'https://venue.example/' : `javascript:${text}`;
  return {
    ...(sampleCards(text, 2)[1] as unknown as Place),
    id: 'plc_1',
    destination_id: 'dst_1',
    names: { [text]: text, en: `${text} of old`, 'x-other1': `${text} too` },
    latin_name: text,
    areas: [text, `${text} island`],
    facts: sampleFacts(text, url),
    filled_by: {},
    observed_at: now,
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
    field_claims: {},
    listing_photo: null,
    member_photos: [],
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
export function everyPage(text = 'Casa Azul'): Record<string, string> {
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
    home: homePage({
      site,
      destinations: named,
      results: {
        ...NO_SEARCH,
        text: text === 'Casa Azul' ? '' : text,
        destinations: named,
        places: sampleCards(text, 3),
        areas: [{ area: text, destination: text, href: `/d/${text}`, isWhole: false }],
        within: `/d/${text}`,
        isGuess: true,
        now,
      },
    }),
    front: homePage({
      site,
      destinations: named,
      featured: {
        destination: asDestination(first),
        rows: [{ title: 'See', href: '/d/bali', cards: sampleCards(text, 4) }],
        thumbnails: new Map(),
        streets: undefined,
        reader: { languages: ['en'], lang: '' },
        now,
      },
    }),
    empty: homePage({ site: named_site, destinations: [] }),
    destination: destinationPage({
      site,
      now,
      destination: asDestination(first, [text]),
      results: sampleFound(text),
      ground,
      streets: undefined,
    }),
    place: placePage({
      site,
      now,
      place: samplePlace(text),
      reader: { languages: ['en'], lang: text },
      terms: {},
      destination: asDestination(first, [text]),
      ground,
      streets: undefined,
    }),
    ...referencePages(text, named_site),
    message: messagePage({ site, status: 404, ...messages }),
  };
}

/** The first page of the reference, one of operations and one of tools, and what a search found. */
function referencePages(text: string, site: Site): Record<string, string> {
  const now = new Date('2026-11-14T12:00:00Z');
  const described = { openapi: sampleOpenApi(text), surfaces: sampleSurfaces(text) };
  const pages = docsPages({ site, ...described, prefix: 'svc', now });
  const frame = { site, pages, searchIndex: '/docs/search.json' };
  const named = (slug: string) => pages.find((one) => one.slug === slug) as DocsPage;
  return {
    docs: docsPage(frame, named('')),
    'docs operations': docsPage(frame, named('rest-photos')),
    'docs tools': docsPage(frame, named('mcp-concierge')),
    'docs search': docsSearchPage(frame, docsIndex(pages), text),
  };
}
