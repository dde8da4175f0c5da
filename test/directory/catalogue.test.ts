import assert from 'node:assert/strict';
import { test } from 'node:test';
import zoneAt from '@photostructure/tz-lookup';
import countries from 'i18n-iso-countries';
import { CATALOGUE, type CatalogueEntry } from '../../src/directory/catalogue.ts';
import { fold } from '../../src/core/text/fold.ts';

const DESTINATIONS_MIN = 119;
const COUNTRIES_MIN = 39;
const AREAS_MIN = 4;
const APART_KM = 3;
const KINDS = ['city', 'island', 'coast', 'mountain', 'region'];

/** The longitudes of an extent, as two ranges where it crosses the date line. */
function longitudes({ bbox: [west, , east] }: CatalogueEntry): [number, number][] {
  if (west <= east) return [[west, east]];
  return [
    [west, 180],
    [-180, east],
  ];
}

function overlaps(a: CatalogueEntry, b: CatalogueEntry): boolean {
  if (a.bbox[1] >= b.bbox[3] || b.bbox[1] >= a.bbox[3]) return false;
  return longitudes(a).some(([from, to]) => longitudes(b).some(([west, east]) => from < east && west < to));
}

function covers(outer: CatalogueEntry, inner: CatalogueEntry): boolean {
  if (inner.bbox[1] < outer.bbox[1] || inner.bbox[3] > outer.bbox[3]) return false;
  return longitudes(inner).every(([from, to]) =>
    longitudes(outer).some(([west, east]) => west <= from && to <= east),
  );
}

function distanceKm(a: CatalogueEntry, b: CatalogueEntry): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  return 12_742 * Math.asin(Math.sqrt(half));
}

function offset(timeZone: string, at: string): string | undefined {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return format.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value;
}

function pairs(): [CatalogueEntry, CatalogueEntry][] {
  return CATALOGUE.flatMap((a, at) =>
    CATALOGUE.slice(at + 1).map((b): [CatalogueEntry, CatalogueEntry] => [a, b]),
  );
}

function assertDistinct(texts: readonly string[], whose: string): void {
  const folded = texts.map(fold);
  assert.ok(
    folded.every((text) => text !== ''),
    `${whose}: a text without letters`,
  );
  assert.deepEqual(
    folded.filter((text, at) => folded.indexOf(text) !== at),
    [],
    whose,
  );
}

test('The catalogue has at least 119 destinations in at least 39 countries.', () => {
  assert.ok(CATALOGUE.length >= DESTINATIONS_MIN, String(CATALOGUE.length));
  assert.ok(new Set(CATALOGUE.map(({ country }) => country)).size >= COUNTRIES_MIN);
});

test('Every slug is unique and made of lower-case words joined by hyphens.', () => {
  assert.equal(new Set(CATALOGUE.map(({ slug }) => slug)).size, CATALOGUE.length);
  for (const { slug } of CATALOGUE) assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('Entries stand in the order of country and slug, so that a change shows as one line.', () => {
  const keys = CATALOGUE.map(({ country, slug }) => `${country} ${slug}`);
  assert.deepEqual(keys, keys.toSorted());
});

test('Every country is an ISO 3166 alpha-2 code and every kind is a known one.', () => {
  for (const { slug, country, kind } of CATALOGUE) {
    assert.match(country, /^[A-Z]{2}$/, slug);
    assert.ok(countries.isValid(country), `${slug}: ${country}`);
    assert.ok(KINDS.includes(kind), `${slug}: ${kind}`);
  }
});

test('Every extent is four degrees in range and holds its centre, also across the date line.', () => {
  for (const entry of CATALOGUE) {
    const [west, south, east, north] = entry.bbox;
    assert.equal(entry.bbox.length, 4, entry.slug);
    assert.ok(Math.abs(west) <= 180 && Math.abs(east) <= 180 && west !== east, entry.slug);
    assert.ok(-90 <= south && south < entry.lat && entry.lat < north && north <= 90, entry.slug);
    assert.ok(
      longitudes(entry).some(([from, to]) => from < entry.lng && entry.lng < to),
      entry.slug,
    );
  }
});

test('Two extents overlap only where one lies wholly within the other.', () => {
  for (const [a, b] of pairs()) {
    assert.ok(!overlaps(a, b) || covers(a, b) || covers(b, a), `${a.slug} and ${b.slug}`);
  }
});

test('Every time zone is known and keeps the time of the zone at the centre, in winter and summer.', () => {
  for (const { slug, lat, lng, timezone } of CATALOGUE) {
    for (const at of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']) {
      assert.equal(offset(timezone, at), offset(zoneAt(lat, lng), at), `${slug}: ${timezone}`);
    }
  }
});

test('Every destination has at least four areas and names none of them twice.', () => {
  for (const { slug, areas } of CATALOGUE) {
    assert.ok(areas.length >= AREAS_MIN, slug);
    assertDistinct(areas, slug);
  }
});

test('Other names are all different and never repeat the name itself.', () => {
  for (const { slug, name, other_names } of CATALOGUE) {
    assertDistinct(other_names, slug);
    assert.ok(!other_names.includes(name), slug);
  }
});

test('No two destinations lie within three kilometres of each other.', () => {
  for (const [a, b] of pairs()) assert.ok(distanceKm(a, b) >= APART_KM, `${a.slug} and ${b.slug}`);
});

test('Within a country no two destinations answer to the same name.', () => {
  for (const country of new Set(CATALOGUE.map((entry) => entry.country))) {
    const inCountry = CATALOGUE.filter((entry) => entry.country === country);
    const names = inCountry.flatMap((entry) => [...new Set([entry.name, ...entry.other_names].map(fold))]);
    assertDistinct(names, country);
  }
});

test('Names and areas carry no space at either end.', () => {
  for (const { slug, name, other_names, areas } of CATALOGUE) {
    for (const text of [name, ...other_names, ...areas]) assert.equal(text, text.trim(), slug);
  }
});
