import type { Point } from '../../core/geo.ts';
import { centreOf, roundDegrees } from '../centre.ts';
import { ADDRESS_MAX, cutAtWord, NAME_MAX } from '../../core/text/limits.ts';
import { linesOf } from '../geojson/geometry-lines.ts';
import type { Tags } from '../categories.ts';
import type { PlaceDraft, ReadCounts } from '../place-draft.ts';
import { readSourceDate } from '../source-date.ts';
import { countryCode } from '../tags/address.ts';
import { CALLED_CLOSED, closedByName } from '../tags/closed-by-name.ts';
import { factsFromTags } from '../tags/facts.ts';
import { readNames } from '../tags/names.ts';
import { readPhones } from '../tags/phone.ts';
import { readProminence } from '../tags/prominence.ts';
import { limitReference, limitTags } from '../tags/tag-limits.ts';
import { readBookingUrl, readEmail, readWebsite } from '../tags/web-links.ts';
import { classifyOverture } from './category-paths.ts';
import { type OvertureAddress, type OvertureRow, entriesIn, textsIn } from './overture-row.ts';

const NO_CUISINES = new Set(['fast_food', 'theme', 'themed', 'buffet', 'breakfast_and_brunch']);
const CLOSED = new Set(['permanently_closed', 'closed']);

/** Reads a point in well-known binary: byte order, the type 1, two doubles. Readers may have decoded it already. */
export function positionOf(geometry: unknown): Point | null {
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

function tagsOf({ names, brand, addresses }: OvertureRow): Tags {
  const address = addresses?.find((entry) => entry !== null);
  const tags = new Map(entriesIn(names?.common).map(([language, name]) => [`name:${language}`, name]));
  return tags
    .set('name', names?.primary ?? '')
    .set('brand', brand?.names?.primary ?? '')
    .set('brand:wikidata', brand?.wikidata ?? '')
    .set('addr:postcode', address?.postcode ?? '')
    .set('addr:full', address?.freeform ?? '')
    .set('addr:city', address?.locality ?? '');
}

function touchedAtOf({ sources }: OvertureRow): Date | null {
  let latest: Date | null = null;
  for (const source of sources ?? []) {
    const date = readSourceDate(source?.update_time);
    if (date !== null && (latest === null || date > latest)) latest = date;
  }
  return latest;
}

function categoriesOf({ taxonomy, categories }: OvertureRow): ReturnType<typeof classifyOverture> {
  const hierarchy = textsIn(taxonomy?.hierarchy);
  const primary = categories?.primary ?? taxonomy?.primary;
  const path = hierarchy.length > 0 ? hierarchy : textsIn([primary ?? null]);
  return classifyOverture(path, [...textsIn(categories?.alternate), ...textsIn(taxonomy?.alternates)]);
}

/** Returns the country that the row states. */
export function countryOf({ addresses }: OvertureRow): string | null {
  return countryCode(addresses?.find((address) => address !== null)?.country);
}

/** Returns the cuisines of categories such as `afghan_restaurant`. */
export function cuisineIn(categories: readonly string[]): string[] {
  const kitchens = categories.map((code) => /^(.+)_restaurant$/.exec(code)?.[1]);
  return kitchens.filter((kitchen) => kitchen !== undefined && !NO_CUISINES.has(kitchen)) as string[];
}

function trimmed(text: string | null | undefined, max: number): string | null {
  const value = text?.trim() ?? '';
  return value === '' ? null : cutAtWord(value, max);
}

/** Returns the draft of one row, or null when it is not a relevant place; the reason is counted. */
export function draftFromOverture(
  row: OvertureRow,
  confidenceMin: number,
  counts: ReadCounts,
): PlaceDraft | null {
  const match = categoriesOf(row);
  const [category] = match?.categories ?? [];
  if (match === null || category === undefined) return null;
  counts.of_interest++;
  const { tags, cut } = limitTags(tagsOf(row));
  const names = readNames(tags);
  const position = positionOf(row.geometry);
  const closed = CLOSED.has(row.operating_status ?? '')
    ? `${CALLED_CLOSED}: operating_status=${row.operating_status ?? ''}.`
    : closedByName(tags, match, null);
  if (names === null) counts.unnamed++;
  else if (position === null || typeof row.id !== 'string') counts.without_position++;
  else if ((row.confidence ?? 1) < confidenceMin && closed === null) counts.doubtful++;
  else {
    counts.places++;
    if (closed !== null) counts.closed++;
    const touched_at = touchedAtOf(row);
    const { phone, ...published } = readPhones(textsIn(row.phones), counts);
    const contacts = { phone, ...contactsOf(row, tags, counts) };
    const facts = { ...factsFromTags(tags, match.vertical), ...published };
    const prominence = readProminence({
      ...{ match, tags, facts, awards: 0, squareMetres: null },
      languages: Object.keys(names.names).length,
      contacts: [contacts.website, contacts.phone].filter((contact) => contact !== null).length,
    });
    return {
      source: 'overture',
      source_ref: limitReference(row.id),
      ...names,
      ...match,
      category,
      ...position,
      ...contacts,
      cuisine: cuisineIn(match.categories),
      languages: [],
      hours_text: null,
      touched_at,
      observed_at: touched_at,
      facts,
      prominence,
      accolades: [],
      closed: closed === null ? null : { note: closed, observed_at: touched_at },
      ...(cut.length > 0 && { cut }),
    };
  }
  return null;
}

function contactsOf(row: OvertureRow, tags: Tags, counts: ReadCounts) {
  const address: OvertureAddress = row.addresses?.find((candidate) => candidate !== null) ?? {};
  const websites = textsIn(row.websites);
  const links = new Map([
    ['website', websites[0] ?? ''],
    ['email', textsIn(row.emails).join(';')],
  ]);
  for (const [at, website] of websites.entries()) links.set(`website:${at}`, website);
  return {
    address: trimmed(tags.get('addr:full'), ADDRESS_MAX),
    postcode: trimmed(address.postcode, NAME_MAX),
    city: trimmed(tags.get('addr:city'), NAME_MAX),
    area: null,
    country: countryOf(row),
    email: readEmail(links),
    website: readWebsite(links, counts),
    booking_url: readBookingUrl(links),
  };
}
