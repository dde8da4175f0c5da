import { orNothing, rowTextSql, RowText } from '../../core/postgres/row-text.ts';
import type { HoursSource } from '../../directory/hours/verified-hours.ts';
import { bookingMethodSql } from '../../directory/booking-route/table-kinds.ts';
import { PHONE_SUBMITTED_SQL, type PlaceRow } from '../store/place-row.ts';
import type { BookingMethod } from '../../directory/booking-route/booking-method.ts';

const COLUMNS = [
  ...[
    'id',
    'destination_id',
    'name',
    orNothing("nullif(names, '{}')::text"),
    orNothing('latin_name'),
    'vertical',
    'category',
  ],
  ...[
    'categories',
    'cuisine',
    'country',
    orNothing('city'),
    orNothing('area'),
    orNothing('address'),
    orNothing('lat::text'),
    orNothing('lng::text'),
  ],
  ...[orNothing('rating::text'), 'review_count', orNothing('price_range'), 'badge', bookingMethodSql()],
  ...['areas', orNothing("nullif(facts, '{}')::text"), 'prominence'],
  ...[
    orNothing('phone'),
    PHONE_SUBMITTED_SQL,
    orNothing("hours->>'source'"),
    orNothing("hours->>'observed_at'"),
  ],
  ...[orNothing("hours->>'compiled'"), 'coalesce(verified_at > $1, false)'],
];

/** Selects a place as one text. $1 is the time since which a check counts as a verification. */
export const PLACE_TEXT_SQL = rowTextSql(COLUMNS);

/** Parses a place, or returns only its id when its columns must be read separately. */
export function parsePlaceText(text: string): PlaceRow | string {
  const row = RowText.of(text, COLUMNS.length);
  if (row === undefined) return RowText.idOf(text);
  // In column order.
  return {
    id: row.text(),
    destination_id: row.text(),
    name: row.text(),
    names: row.jsonOrNull() as PlaceRow['names'],
    latin_name: row.orNull(),
    vertical: row.text(),
    category: row.text(),
    categories: row.list(),
    cuisine: row.list(),
    country: row.text(),
    city: row.orNull(),
    area: row.orNull(),
    address: row.orNull(),
    lat: row.numberOrNull(),
    lng: row.numberOrNull(),
    rating: row.numberOrNull(),
    review_count: row.number(),
    price_range: row.orNull(),
    badge: row.text(),
    booking_method: row.text() as BookingMethod,
    areas: row.list(),
    facts: row.jsonOrNull() as PlaceRow['facts'],
    prominence: row.number(),
    phone: row.orNull(),
    phone_submitted: row.boolean(),
    hours_source: row.orNull() as HoursSource | null,
    hours_observed_at: row.orNull(),
    hours_compiled: row.orNull(),
    verified: row.boolean(),
  };
}
