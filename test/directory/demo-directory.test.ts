import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { CATALOGUE } from '../../src/directory/catalogue.ts';
import { BOOKING_PLATFORMS } from '../../src/demo/facts/demo-booking.ts';
import { FICTION_PHONES, UNROUTABLE_PHONE } from '../../src/demo/facts/demo-contacts.ts';
import { accoladeLines, closureLines, menuLine, placeLine } from '../../src/demo/wording/demo-copy.ts';
import type { DemoDestinationRow } from '../../src/demo/demo-destinations.ts';
import { CLOSURE_KINDS } from '../../src/demo/demo-history.ts';
import { demoPlaces, type DemoPlace } from '../../src/demo/demo-places.ts';
import { tries } from '../harness/tier.ts';
import { catalogueId } from '../../src/directory/install-catalogue.ts';
import { DAY_MS } from '../../src/core/time.ts';

const NOW = new Date('2026-11-15T08:30:00Z');

const DESTINATIONS: readonly DemoDestinationRow[] = CATALOGUE.map((entry) => {
  const [west, south, east, north] = entry.bbox;
  return { ...entry, id: catalogueId(entry.slug), west, south, east, north };
});

function generate(places: number, seed = 1, destinations = DESTINATIONS): DemoPlace[] {
  return [...demoPlaces({ destinations, places, seed, now: NOW })];
}

function fingerprint(places: readonly DemoPlace[]): string {
  const hash = createHash('sha256');
  for (const place of places) {
    hash.update(placeLine(place) + closureLines(place) + menuLine(place) + accoladeLines(place));
  }
  return hash.digest('hex');
}

/** In the long tier as many as a first start loads. */
const PLACES = generate(tries({ quick: 8_000, long: 24_000 }));

const OF_ANOTHER_SEED = generate(600, 8);

function share(holds: (place: DemoPlace) => boolean): number {
  return PLACES.filter(holds).length / PLACES.length;
}

function assertBetween(value: number, low: number, high: number): void {
  assert.ok(value >= low && value <= high, `${value} is not between ${low} and ${high}`);
}

test('The same seed gives the same rows to the byte, whatever the order of the destinations.', () => {
  const once = fingerprint(generate(600, 7));
  assert.equal(fingerprint(generate(600, 7)), once);
  assert.equal(fingerprint(generate(600, 7, [...DESTINATIONS].reverse())), once);
  assert.notEqual(fingerprint(OF_ANOTHER_SEED), once);
});

test('Ids have the form that the database demands, and none occurs twice, not even under another seed.', () => {
  const ids = [...PLACES, ...OF_ANOTHER_SEED].map(({ id }) => id);
  for (const id of ids) assert.match(id, /^plc_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(new Set(PLACES.map(({ source_ref }) => source_ref)).size, PLACES.length);
});

test('A first start shows every vertical, booking method, platform, kind of closure and badge.', () => {
  const seen = (values: (place: DemoPlace) => unknown): number => new Set(PLACES.map(values)).size;
  assert.equal(
    seen(({ vertical }) => vertical),
    22,
  );
  assert.equal(
    seen(({ badge }) => badge),
    2,
  );
  assert.deepEqual([...new Set(PLACES.map(({ booking_method }) => booking_method))].sort(), [
    'not_through',
    'phone',
    'request',
    'venue_system',
  ]);
  const platforms = new Set(PLACES.map(({ booking_platform }) => booking_platform));
  for (const platform of BOOKING_PLATFORMS) assert.ok(platforms.has(platform), `${platform} is missing`);
  const kinds = new Set(PLACES.flatMap(({ closures }) => closures.map(({ kind }) => kind)));
  for (const kind of CLOSURE_KINDS) assert.ok(kinds.has(kind), `${kind} is missing`);
});

test('The shares are those of a real directory.', () => {
  assertBetween(
    share(({ vertical }) => vertical === 'restaurant'),
    0.27,
    0.33,
  );
  assertBetween(
    share(({ closed_at }) => closed_at !== null),
    0.015,
    0.025,
  );
  assertBetween(
    share(({ hours }) => hours === null),
    0.1,
    0.25,
  );
  assertBetween(
    share(({ rating }) => rating === null),
    0.1,
    0.25,
  );
  assertBetween(
    share(({ verified_at }) => verified_at === null),
    0.1,
    0.25,
  );
  const yearAgo = new Date(NOW.getTime() - 365 * DAY_MS).toISOString();
  assertBetween(
    share(({ verified_at }) => verified_at !== null && verified_at < yearAgo),
    0.08,
    0.2,
  );
  const eating = PLACES.filter(({ vertical }) => ['restaurant', 'cafe', 'bar'].includes(vertical));
  assertBetween(eating.filter(({ menu }) => menu !== null).length / eating.length, 0.1, 0.14);
  const counts = new Map<string, number>();
  for (const { destination_id } of PLACES) counts.set(destination_id, (counts.get(destination_id) ?? 0) + 1);
  assert.equal(counts.size, DESTINATIONS.length);
  assertBetween(Math.max(...counts.values()) / PLACES.length, 0.02, 0.1);
});

const TAVEUNI: DemoDestinationRow = {
  id: 'dst_00000000000000000000000000',
  slug: 'taveuni',
  name: 'Taveuni',
  country: 'FJ',
  timezone: 'Pacific/Fiji',
  lat: -16.85,
  lng: -179.97,
  west: 179.7,
  south: -17.1,
  east: -179.8,
  north: -16.6,
  areas: ['Waiyevo', 'Matei', 'Somosomo'],
};

test('Every place lies inside the extent of its destination, also across the date line.', () => {
  const rows = new Map([...DESTINATIONS, TAVEUNI].map((row) => [row.id, row]));
  const across = generate(200, 1, [TAVEUNI]);
  assert.ok(across.some(({ lng }) => lng > 0) && across.some(({ lng }) => lng < 0));
  for (const { destination_id, lat, lng, area, country } of [...PLACES, ...across]) {
    const row = rows.get(destination_id);
    assert.ok(row);
    assert.ok(lat >= row.south && lat <= row.north);
    assert.ok(row.west <= row.east ? lng >= row.west && lng <= row.east : lng >= row.west || lng <= row.east);
    assert.ok(area === null || row.areas.includes(area));
    assert.equal(country, row.country);
  }
});

test('A phone is E.164 and lies in a range that is kept for fiction or routed nowhere.', () => {
  let held = 0;
  for (const { phone, country } of PLACES) {
    if (phone === null) continue;
    held++;
    assert.match(phone, /^\+[1-9][0-9]{6,14}$/);
    const ranges = FICTION_PHONES[country] ?? [UNROUTABLE_PHONE];
    const kept = ranges.some(
      ([prefix, digits]) => phone.startsWith(prefix) && phone.length === prefix.length + digits,
    );
    assert.ok(kept, `${phone} in ${country}`);
  }
  assertBetween(held / PLACES.length, 0.5, 0.95);
});

const RESERVED_HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.(?:example|test)$/;

test('Sites, mailboxes and sources stand under reserved domains only.', () => {
  for (const { website, email, closures, accolades } of PLACES) {
    if (email !== null) assert.match(email.split('@')[1] ?? '', RESERVED_HOST);
    const sources = closures.flatMap(({ source_url }) => source_url ?? []);
    for (const url of [
      ...sources,
      ...accolades.map(({ source_url }) => source_url),
      ...(website ? [website] : []),
    ]) {
      const { hostname, protocol } = new URL(url);
      assert.equal(protocol, 'https:');
      assert.match(hostname, RESERVED_HOST);
      for (const label of hostname.split('.')) assert.ok(label.length <= 63, hostname);
    }
  }
});

/** Patterns of each platform's booking pages, written by somebody who knows them. */
const PLATFORM_PAGES: Readonly<Record<string, RegExp>> = {
  opentable:
    /^https:\/\/www\.opentable\.(?:com|co\.uk|com\.au|es|ae)\/(?:restref\/client\/\?rid=(\d+)&restref=\1|restaurant\/profile\/\d+|r\/demo-[a-z0-9-]+)$/,
  resy: /^https:\/\/resy\.com\/cities\/[a-z0-9-]+\/venues\/demo-[a-z0-9-]+$/,
  tock: /^https:\/\/www\.exploretock\.com\/demo-[a-z0-9-]+$/,
  sevenrooms: /^https:\/\/www\.sevenrooms\.com\/(?:reservations|explore)\/demo[a-z0-9]+$/,
  tablecheck: /^https:\/\/www\.tablecheck\.com\/(?:ja|en)\/shops\/demo-[a-z0-9-]+\/reserve$/,
  chope: /^https:\/\/(?:book\.chope\.co\/booking|booking\.chope\.co\/booking_index)\?rid=demo[a-z0-9]+$/,
  resdiary: /^https:\/\/booking\.resdiary\.com\/widget\/Standard\/demo[a-z0-9]+\/\d+$/,
  designmynight: /^https:\/\/bookings\.designmynight\.com\/book\?venue_id=[0-9a-f]{24}&source=partner$/,
  yelp: /^https:\/\/www\.yelp\.com\/reservations\/demo-[a-z0-9-]+$/,
  zenchef: /^https:\/\/bookings\.zenchef\.com\/results\?rid=\d+&pid=1001$/,
  ikyu: /^https:\/\/restaurant\.ikyu\.com\/\d+$/,
  pocket_concierge: /^https:\/\/pocket-concierge\.jp\/en\/restaurants\/\d+$/,
  synxis: /^https:\/\/be\.synxis\.com\/\?hotel=\d+&chain=\d+$/,
  thefork:
    /^https:\/\/(?:www\.thefork\.(?:com|fr|it|es)\/restaurant\/demo-[a-z0-9-]+-r\d+|widget\.thefork\.com\/en\/[0-9a-f-]{36})$/,
  quandoo:
    /^https:\/\/(?:www\.quandoo\.com\/place\/demo-[a-z0-9-]+|booking-widget\.quandoo\.com\/iframe\.html\?agentId=2&merchantId=\d+)$/,
  eatapp: /^https:\/\/eatapp\.co\/reserve\/demo-[a-z0-9-]+$/,
  covermanager:
    /^https:\/\/www\.covermanager\.com\/(?:reserve|reservation)\/module_restaurant\/demo-[a-z0-9-]+\/english$/,
  nowbookit:
    /^https:\/\/booking\.nowbookit\.com\/steps\/sitting-details\?accountid=[0-9a-f-]{36}&venueid=\d+$/,
};

test('A booking page has the shape of its platform, or stands on the venue’s own reserved domain.', () => {
  for (const { booking_method, booking_url, booking_platform, chosen_by_venue, phone } of PLACES) {
    assert.equal(booking_url !== null, booking_method === 'venue_system');
    if (booking_method === 'not_through') assert.ok(chosen_by_venue);
    if (booking_method === 'request') assert.ok(phone !== null);
    if (booking_url === null) assert.equal(booking_platform, null);
    else if (booking_platform === null) assert.match(new URL(booking_url).hostname, RESERVED_HOST);
    else assert.match(booking_url, PLATFORM_PAGES[booking_platform] ?? /^never$/);
  }
});

test('Hours count as verified only while their source still vouches for them.', () => {
  for (const { hours, badge } of PLACES) {
    if (hours === null) continue;
    const days = (NOW.getTime() - Date.parse(hours.observed_at)) / DAY_MS;
    assert.ok(days > 0);
    if (hours.source === 'owner') assert.ok(badge === 'claimed' && hours.verified);
    else {
      // The generator counts calendar days, so a moment may lie a day to either side.
      const limit = hours.source === 'map' ? 730 : 180;
      assert.ok(hours.verified ? days < limit + 1 : days > limit - 1);
    }
  }
});

test('A place is added first, then confirmed and changed, and closes last; nothing lies in the future.', () => {
  for (const { created_at, updated_at, verified_at, closed_at, closures } of PLACES) {
    assert.ok(created_at < updated_at && updated_at < NOW.toISOString());
    if (verified_at !== null) assert.ok(created_at < verified_at && verified_at < NOW.toISOString());
    if (closed_at === null) assert.equal(closures.length, 0);
    else {
      assert.ok(updated_at < closed_at && closed_at < NOW.toISOString());
      assert.equal(closures[0]?.observed_at, closed_at);
    }
  }
});
