import { type Point, centreOf, roundDegrees } from '../centre.ts';
import { linesOf } from '../geojson/geometry-lines.ts';
import type { PlaceDraft, ReadCounts } from '../place-draft.ts';
import { readCountry } from '../tags/address.ts';
import { readNames } from '../tags/names.ts';
import { firstPhone } from '../tags/phone.ts';
import { readBookingUrl, readEmail, readWebsite } from '../tags/web-links.ts';
import { classifyOverture } from './category-paths.ts';
import { type OvertureAddress, type OvertureRow, entriesIn, textsIn } from './overture-row.ts';

const NO_CUISINES = new Set(['fast_food', 'theme', 'themed', 'buffet', 'breakfast_and_brunch']);
const CLOSED = new Set(['permanently_closed', 'closed']);

/** A point in well-known binary: byte order, the type 1, two doubles. Readers may have decoded it already. */
function positionOf(geometry: unknown): Point | null {
  if (!(geometry instanceof Uint8Array)) return centreOf(linesOf(geometry));
  if (geometry.length < 21) return null;
  const view = new DataView(geometry.buffer, geometry.byteOffset, geometry.byteLength);
  const little = view.getUint8(0) === 1;
  // The extended form flags a reference system in the high bits and puts its number before the position.
  const type = view.getUint32(1, little);
  const at = (type & 0x20000000) === 0 ? 5 : 9;
  if ((type & 0xff) !== 1 || geometry.length < at + 16) return null;
  const [lng, lat] = [view.getFloat64(at, little), view.getFloat64(at + 8, little)];
  if (!(Math.abs(lng) <= 180 && Math.abs(lat) <= 90)) return null;
  return { lat: roundDegrees(lat), lng: roundDegrees(lng) };
}

function namesOf({ names }: OvertureRow): ReturnType<typeof readNames> {
  const tags = new Map(entriesIn(names?.common).map(([language, name]) => [`name:${language}`, name]));
  tags.set('name', names?.primary ?? '');
  return readNames(tags);
}

function touchedAtOf({ sources }: OvertureRow): Date | null {
  let latest: Date | null = null;
  for (const source of sources ?? []) {
    const written = source?.update_time;
    // Some datasets leave out the zone; the theme is in universal time, and never in that of this machine.
    const zoned =
      typeof written === 'string' && !/(Z|[+-]\d\d:?\d\d)$/.test(written) ? `${written}Z` : written;
    const date = new Date(zoned ?? NaN);
    if (!Number.isNaN(date.getTime()) && (latest === null || date > latest)) latest = date;
  }
  return latest;
}

function categoriesOf({ taxonomy, categories }: OvertureRow): ReturnType<typeof classifyOverture> {
  const hierarchy = textsIn(taxonomy?.hierarchy);
  const primary = categories?.primary ?? taxonomy?.primary;
  const path = hierarchy.length > 0 ? hierarchy : textsIn([primary ?? null]);
  return classifyOverture(path, [...textsIn(categories?.alternate), ...textsIn(taxonomy?.alternates)]);
}

/** An `afghan_restaurant` serves afghan food. */
function cuisineIn(categories: readonly string[]): string[] {
  const kitchens = categories.map((code) => /^(.+)_restaurant$/.exec(code)?.[1]);
  return kitchens.filter((kitchen) => kitchen !== undefined && !NO_CUISINES.has(kitchen)) as string[];
}

function trimmed(text: string | null | undefined): string | null {
  const value = text?.trim() ?? '';
  return value === '' ? null : value;
}

/** The draft of one row, or null when it is no place for us; the reason is counted. */
export function draftFromOverture(
  row: OvertureRow,
  confidenceMin: number,
  counts: ReadCounts,
): PlaceDraft | null {
  const match = categoriesOf(row);
  const [category] = match?.categories ?? [];
  if (match === null || category === undefined) return null;
  counts.of_interest++;
  const names = namesOf(row);
  const position = positionOf(row.geometry);
  const closed = CLOSED.has(row.operating_status ?? '');
  if (names === null) counts.unnamed++;
  else if (position === null || typeof row.id !== 'string') counts.without_position++;
  else if ((row.confidence ?? 1) < confidenceMin && !closed) counts.doubtful++;
  else {
    counts.places++;
    if (closed) counts.closed++;
    const identity = {
      source: 'overture' as const,
      source_ref: row.id,
      ...names,
      ...match,
      category,
      ...position,
    };
    const touched_at = touchedAtOf(row);
    return {
      ...identity,
      ...contactsOf(row, counts),
      cuisine: cuisineIn(match.categories),
      languages: [],
      hours_text: null,
      touched_at,
      observed_at: touched_at,
      facts: {},
      prominence: 0,
      accolades: [],
      closed: closed ? { kind: 'disused', observed_at: touched_at } : null,
    };
  }
  return null;
}

type Contacts = Pick<
  PlaceDraft,
  'address' | 'postcode' | 'city' | 'area' | 'country' | 'phone' | 'email' | 'website' | 'booking_url'
>;

function contactsOf(row: OvertureRow, counts: ReadCounts): Contacts {
  const address: OvertureAddress = row.addresses?.find((candidate) => candidate !== null) ?? {};
  const websites = textsIn(row.websites);
  const tags = new Map([
    ['website', websites[0] ?? ''],
    ['email', textsIn(row.emails).join(';')],
  ]);
  for (const [at, website] of websites.entries()) tags.set(`website:${at}`, website);
  return {
    address: trimmed(address.freeform),
    postcode: trimmed(address.postcode),
    city: trimmed(address.locality),
    area: null,
    country: readCountry(address.country),
    phone: firstPhone(textsIn(row.phones), counts),
    email: readEmail(tags),
    website: readWebsite(tags, counts),
    booking_url: readBookingUrl(tags),
  };
}
