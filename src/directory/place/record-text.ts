import { orNothing, rowTextSql, RowText } from '../../core/postgres/row-text.ts';
import { SUBMITTED_FIELDS_SQL } from '../provenance/stored-claims.ts';
import type { VersionedRow } from './record-row.ts';
import type { HoursSource } from '../hours/verified-hours.ts';
import { bookingMethodSql } from '../booking-route/table-kinds.ts';
import type { BookingMethod } from '../booking-route/booking-method.ts';

const COLUMNS = [
  ...[
    'p.id',
    'p.destination_id',
    'p.name',
    orNothing("nullif(p.names, '{}')::text"),
    'p.areas',
    orNothing("nullif(p.facts, '{}')::text"),
    orNothing('floor(extract(epoch from p.observed_at) * 1000)::text'),
    orNothing('p.phone'),
    orNothing('p.email'),
    orNothing('p.website'),
  ],
  ...[
    orNothing('p.address'),
    orNothing('p.rating::text'),
    'p.review_count',
    orNothing('p.area'),
    'p.category',
  ],
  ...[
    'p.cuisine',
    orNothing('p.about'),
    orNothing('p.lat::text'),
    orNothing('p.lng::text'),
    orNothing('p.price_line::text'),
    'p.badge',
    bookingMethodSql('p.'),
  ],
  ...[orNothing('p.booking_url'), 'p.chosen_by_venue', 'floor(extract(epoch from p.updated_at) * 1000)'],
  ...[orNothing('p.listing_photo'), 'p.member_photos', orNothing("p.hours ->> 'text'")],
  ...[orNothing("p.hours ->> 'source'"), orNothing("p.hours ->> 'observed_at'")],
  ...[orNothing("p.hours ->> 'compiled'"), 'p.changed_xid', SUBMITTED_FIELDS_SQL],
];

/** SQL for an open place as a single text, for a table named p. */
export const RECORD_TEXT_SQL = rowTextSql(COLUMNS);

/** Parses the text of a row; undefined where it has to be read by columns. */
export function rowOfText(text: string): VersionedRow | undefined {
  const row = RowText.of(text, COLUMNS.length);
  if (row === undefined) return undefined;
  // Must be in the order of the columns.
  return {
    id: row.text(),
    destination_id: row.text(),
    name: row.text(),
    names: (row.jsonOrNull() ?? {}) as VersionedRow['names'],
    areas: row.list(),
    facts: row.jsonOrNull() ?? {},
    observed_at: dateOrNull(row.numberOrNull()),
    phone: row.orNull(),
    email: row.orNull(),
    website: row.orNull(),
    address: row.orNull(),
    rating: row.numberOrNull(),
    review_count: row.number(),
    area: row.orNull(),
    category: row.text(),
    cuisine: row.list(),
    about: row.orNull(),
    lat: row.numberOrNull(),
    lng: row.numberOrNull(),
    price_line: row.jsonOrNull() as VersionedRow['price_line'],
    badge: row.text() as VersionedRow['badge'],
    booking_method: row.text() as BookingMethod,
    booking_url: row.orNull(),
    chosen_by_venue: row.boolean(),
    updated_at: new Date(row.number()),
    listing_photo: row.orNull(),
    member_photos: row.jsonOrNull() as VersionedRow['member_photos'],
    hours_text: row.orNull(),
    hours_source: row.orNull() as HoursSource | null,
    hours_observed_at: row.orNull(),
    compiled: row.orNull(),
    version: row.text(),
    submitted_fields: row.list(),
    closed: false,
  };
}

function dateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
