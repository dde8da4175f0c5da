import { LRUCache } from 'lru-cache';
import type { Db } from '../../core/postgres/db.ts';
import {
  booleanColumn,
  columnsSql,
  dateColumn,
  jsonColumn,
  listColumn,
  numberColumn,
  orNull,
  rowParser,
  rowTextSql,
  textColumn,
  type RowOf,
} from '../../core/postgres/row-text.ts';
import type { BookingMethod } from '../booking-route/booking-method.ts';
import { bookingRoute } from '../booking-route/booking-route.ts';
import { bookingMethodSql } from '../booking-route/table-kinds.ts';
import type { CompiledHours } from '../hours/compile/compiled-hours.ts';
import { isOpenAt } from '../hours/open-at.ts';
import { openByHoursFields, openByOldHours, type OpenByHours } from '../hours/open-status.ts';
import { oldHoursDate, verifiedUntil, type HoursSource } from '../hours/verified-hours.ts';
import { structuredWeek, type StructuredWeek } from '../hours/weekly-hours.ts';
import type { RemovalColumns } from '../removal.ts';
import { SUBMITTED_FIELDS_SQL } from '../provenance/stored-claims.ts';
import { placePhotos } from './place-photos.ts';
import type { Place } from './place.ts';
import { alternativeNames } from './place-names.ts';
import { factsBeside, shownPhones } from './shown-phones.ts';
import type { PlaceRecord, StoredRecord } from './place-fields.ts';

/**
 * Columns from which a record is built, for a table named p. The hours stay text: most places share their hours with
 * another place, so that they are parsed once. Building the JSON in PostgreSQL was measured to be slower.
 */
const RECORD = {
  id: textColumn('p.id'),
  destination_id: textColumn('p.destination_id'),
  name: textColumn('p.name'),
  name_generated: booleanColumn('p.name_generated'),
  names: jsonColumn<Place['names']>('p.names'),
  areas: listColumn('p.areas'),
  country: textColumn('p.country'),
  facts: jsonColumn<Place['facts']>('p.facts'),
  observed_at: orNull(dateColumn('p.observed_at')),
  phone: orNull(textColumn('p.phone')),
  email: orNull(textColumn('p.email')),
  website: orNull(textColumn('p.website')),
  address: orNull(textColumn('p.address')),
  rating: orNull(numberColumn('p.rating::float8')),
  review_count: numberColumn('p.review_count'),
  area: orNull(textColumn('p.area')),
  category: textColumn('p.category'),
  cuisine: listColumn('p.cuisine'),
  about: orNull(textColumn('p.about')),
  lat: orNull(numberColumn('p.lat')),
  lng: orNull(numberColumn('p.lng')),
  price_line: orNull(jsonColumn<NonNullable<Place['price_line']>>('p.price_line')),
  badge: textColumn<Place['badge']>('p.badge'),
  booking_method: textColumn<BookingMethod>(bookingMethodSql('p.')),
  booking_url: orNull(textColumn('p.booking_url')),
  chosen_by_venue: booleanColumn('p.chosen_by_venue'),
  updated_at: dateColumn('p.updated_at'),
  listing_photo: orNull(textColumn('p.listing_photo')),
  member_photos: jsonColumn<Place['member_photos']>('p.member_photos'),
  closed: booleanColumn('p.closed_at is not null'),
  hours_text: orNull(textColumn("p.hours ->> 'text'")),
  hours_source: orNull(textColumn<HoursSource>("p.hours ->> 'source'")),
  hours_observed_at: orNull(textColumn("p.hours ->> 'observed_at'")),
  compiled: orNull(textColumn("p.hours ->> 'compiled'")),
  submitted_fields: listColumn(SUBMITTED_FIELDS_SQL),
};
/** Also the transaction that last wrote the place. */
const VERSIONED = { ...RECORD, version: textColumn('p.changed_xid::text') };

export type RecordRow = RowOf<typeof RECORD>;
export type VersionedRow = RowOf<typeof VERSIONED>;
export const RECORD_SQL = columnsSql(RECORD);
export const RECORD_TEXT_SQL = rowTextSql(VERSIONED);
/** Parses the text of a row; undefined where it has to be read by columns. */
export const rowOfText = rowParser(VERSIONED);

export async function findRecordRow(db: Db, id: string): Promise<(RecordRow & RemovalColumns) | undefined> {
  const [row] = await db.unsafe<(RecordRow & RemovalColumns)[]>(
    `select ${RECORD_SQL}, p.removed_at, p.removal_reason from place p where p.id = $1`,
    [id],
    { prepare: true },
  );
  return row;
}

export interface RecordMoment {
  timezone: string;
  now: Date;
  prefix: string;
  baseUrl: string;
  serviceName: string;
}

/** Builds the record of a place. `closed` describes its closure, if it has closed. */
export function recordOf(
  row: RecordRow,
  moment: RecordMoment,
  closed: PlaceRecord['closed'] = null,
): PlaceRecord {
  const week = row.compiled === null ? undefined : readWeek(row.compiled);
  const hours = sourcedHours(row);
  const verified = moment.now.getTime() <= verifiedUntilOf(row, week);
  const isOpen = verified ? (week?.isOpenAt(moment.timezone, moment.now) ?? null) : null;
  return {
    place_id: row.id,
    name: row.name,
    ...storedRecord(row, moment, closed),
    hours: hours === null ? null : { structured: week?.structured ?? null, ...hours, verified },
    open_now: row.closed ? false : isOpen,
    ...openByHoursFields(row.closed ? null : openByHoursIn(row, week, moment)),
    timezone: moment.timezone,
  };
}

/** Fields of a record that do not depend on the time or the reader. */
export function storedRecord(
  row: RecordRow,
  moment: Omit<RecordMoment, 'timezone' | 'now'>,
  closed: PlaceRecord['closed'] = null,
): StoredRecord {
  const { email, website, address, lat, lng } = row;
  const booking = bookingRoute(row, {}, moment.prefix);
  return {
    name_generated: row.name_generated || undefined,
    names: alternativeNames(row.name, row.names),
    contact: { ...shownPhones(row), email, website, address },
    rating: row.rating,
    review_count: row.review_count,
    area: row.area,
    areas: row.areas,
    category: row.category,
    cuisine: row.cuisine,
    about: row.about,
    facts: factsBeside(row.facts),
    coordinates: { lat, lng },
    position_known: lat !== null,
    booking: { method: booking.method },
    booking_platform: booking.platform,
    booking_page: booking.chosen_by_venue ? booking.url : null,
    price_line: row.price_line,
    photos: placePhotos(row, moment),
    badge: row.badge,
    closed,
    submitted_fields: row.submitted_fields,
    observed_at: row.observed_at?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
  };
}

type HoursSaid = Pick<NonNullable<PlaceRecord['hours']>, 'text' | 'source' | 'observed_at'>;

/** Text, source and date of the hours; null where there are none. */
export function sourcedHours({
  hours_text: text,
  hours_source: source,
  hours_observed_at,
}: RecordRow): HoursSaid | null {
  if (source === null || hours_observed_at === null) return null;
  return { text, source, observed_at: new Date(hours_observed_at).toISOString() };
}

/** Time until which the hours of a place count as verified, in milliseconds. */
export function verifiedUntilOf(
  { hours_source: source, hours_observed_at }: RecordRow,
  week: RecordWeek | undefined,
): number {
  if (source === null || hours_observed_at === null || week === undefined) return -Infinity;
  const parsed = week.structured !== null;
  return verifiedUntil({ source, observed_at: new Date(hours_observed_at), parsed });
}

/** Returns the open state by hours that are too old to be verified; null where a record has none. */
function openByHoursIn(
  { hours_source: source, hours_observed_at }: Pick<RecordRow, 'hours_source' | 'hours_observed_at'>,
  week: RecordWeek | undefined,
  { timezone, now }: Pick<RecordMoment, 'timezone' | 'now'>,
): OpenByHours | null {
  if (source === null || hours_observed_at === null || week === undefined) return null;
  const parsed = week.structured !== null;
  const date = oldHoursDate({ source, observed_at: new Date(hours_observed_at), parsed }, now);
  return openByOldHours(week.compiled, timezone, date, now);
}

export class RecordWeek {
  readonly compiled: CompiledHours;
  readonly structured: StructuredWeek | null;
  #structuredJson: string | undefined;

  constructor(text: string) {
    this.compiled = JSON.parse(text) as CompiledHours;
    this.structured = structuredWeek(this.compiled);
  }

  /** The structured week as JSON text. */
  get structuredJson(): string {
    this.#structuredJson ??= JSON.stringify(this.structured);
    return this.#structuredJson;
  }

  isOpenAt(timezone: string, now: Date): boolean | null {
    return isOpenAt(this.compiled, timezone, now);
  }
}

/** Cache size. Many places share the same hours: a city has some thousand weeks. */
const WEEKS_MAX = 10_000;
const weeks = new LRUCache<string, RecordWeek>({ max: WEEKS_MAX });

function readWeek(text: string): RecordWeek {
  const cached = weeks.get(text);
  if (cached !== undefined) return cached;
  const week = new RecordWeek(text);
  weeks.set(text, week);
  return week;
}
