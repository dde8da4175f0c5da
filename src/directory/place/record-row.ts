import type { Db } from '../../core/postgres/db.ts';
import { bookingRoute } from '../booking-route/booking-route.ts';
import { bookingMethodSql } from '../booking-route/table-kinds.ts';
import type { CompiledHours } from '../hours/compile/compiled-hours.ts';
import { isOpenAt } from '../hours/open-at.ts';
import { verifiedUntil, type HoursSource } from '../hours/verified-hours.ts';
import { structuredWeek, type StructuredWeek } from '../hours/weekly-hours.ts';
import type { RemovalColumns } from '../removal/removal.ts';
import { SUBMITTED_FIELDS_SQL } from '../word/stored-words.ts';
import { placePhotos } from './place-photos.ts';
import type { Place } from './place.ts';
import { toldNames } from './place-names.ts';
import type { PlaceRecord } from './place-record.ts';

/** What a record is made of. The hours stay text: most places keep hours that some other place has been seen with. */
export interface RecordRow extends Pick<
  Place,
  | 'id'
  | 'destination_id'
  | 'name'
  | 'names'
  | 'areas'
  | 'facts'
  | 'observed_at'
  | 'phone'
  | 'email'
  | 'website'
  | 'address'
  | 'rating'
  | 'review_count'
  | 'area'
  | 'category'
  | 'cuisine'
  | 'about'
  | 'lat'
  | 'lng'
  | 'price_line'
  | 'badge'
  | 'booking_method'
  | 'booking_url'
  | 'chosen_by_venue'
  | 'updated_at'
  | 'listing_photo'
  | 'member_photos'
> {
  hours_text: string | null;
  hours_source: HoursSource | null;
  hours_observed_at: string | null;
  compiled: string | null;
  closed: boolean;
  submitted_fields: string[];
}

export interface VersionedRow extends RecordRow {
  /** The transaction that wrote the place last. */
  version: string;
}

/** The columns of a RecordRow, for a table named p. Building the JSON in PostgreSQL was measured: it takes longer. */
export const RECORD_SQL = `
  p.id, p.destination_id, p.name, p.names, p.areas, p.facts, p.observed_at, p.phone, p.email, p.website, p.address, p.rating::float8 as rating, p.review_count,
  p.area, p.category, p.cuisine, p.about, p.lat, p.lng, p.price_line, p.badge, ${bookingMethodSql('p.')} as booking_method, p.booking_url,
  p.chosen_by_venue, p.updated_at, p.listing_photo, p.member_photos, p.closed_at is not null as closed,
  p.hours ->> 'text' as hours_text, p.hours ->> 'source' as hours_source,
  p.hours ->> 'observed_at' as hours_observed_at, p.hours ->> 'compiled' as compiled,
  ${SUBMITTED_FIELDS_SQL} as submitted_fields`;

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

/** The record of a place. `closed` is what is told of one that closed. */
export function recordOf(
  row: RecordRow,
  moment: RecordMoment,
  closed: PlaceRecord['closed'] = null,
): PlaceRecord {
  const week = row.compiled === null ? undefined : readWeek(row.compiled);
  const said = hoursSaid(row);
  const verified = moment.now.getTime() <= verifiedUntilOf(row, week);
  const isOpen = verified ? (week?.isOpenAt(moment.timezone, moment.now) ?? null) : null;
  return {
    ...standingRecord(row, moment, closed),
    hours: said === null ? null : { structured: week?.structured ?? null, ...said, verified },
    open_now: row.closed ? false : isOpen,
    timezone: moment.timezone,
  };
}

/** What of a record stays as it is for as long as the place does. */
export function standingRecord(
  row: RecordRow,
  moment: Omit<RecordMoment, 'timezone' | 'now'>,
  closed: PlaceRecord['closed'] = null,
): Omit<PlaceRecord, 'hours' | 'open_now' | 'timezone'> {
  const { phone, email, website, address, lat, lng } = row;
  const booking = bookingRoute(row, {}, moment.prefix);
  return {
    place_id: row.id,
    name: row.name,
    names: toldNames(row.name, row.names),
    contact: { phone, email, website, address },
    rating: row.rating,
    review_count: row.review_count,
    area: row.area,
    areas: row.areas,
    category: row.category,
    cuisine: row.cuisine,
    about: row.about,
    facts: row.facts,
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

/** What a source said about the hours, and when; null where none did. */
export function hoursSaid({
  hours_text: text,
  hours_source: source,
  hours_observed_at,
}: RecordRow): HoursSaid | null {
  if (source === null || hours_observed_at === null) return null;
  return { text, source, observed_at: new Date(hours_observed_at).toISOString() };
}

/** Until when the hours of a place count as verified, in milliseconds. */
export function verifiedUntilOf(
  { hours_source: source, hours_observed_at }: RecordRow,
  week: Week | undefined,
): number {
  if (source === null || hours_observed_at === null || week === undefined) return -Infinity;
  const parsed = week.structured !== null;
  return verifiedUntil({ source, observed_at: new Date(hours_observed_at), parsed });
}

export class Week {
  readonly compiled: CompiledHours;
  readonly structured: StructuredWeek | null;
  #structuredJson: string | undefined;

  constructor(text: string) {
    this.compiled = JSON.parse(text) as CompiledHours;
    this.structured = structuredWeek(this.compiled);
  }

  /** The week in an answer, as text. */
  get structuredJson(): string {
    this.#structuredJson ??= JSON.stringify(this.structured);
    return this.#structuredJson;
  }

  isOpenAt(timezone: string, now: Date): boolean | null {
    return isOpenAt(this.compiled, timezone, now);
  }
}

/** Many places keep the same hours: a city has some thousand weeks. */
const WEEKS_MAX = 10_000;
const weeks = new Map<string, Week>();

export function readWeek(text: string): Week {
  const known = weeks.get(text);
  if (known !== undefined) return known;
  const week = new Week(text);
  if (weeks.size >= WEEKS_MAX) weeks.clear();
  weeks.set(text, week);
  return week;
}
