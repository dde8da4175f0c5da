import { BOOKING_METHODS, type BookingMethod } from '../../directory/booking-route/booking-method.ts';
import { phoneRoute } from '../../directory/booking-route/booking-route.ts';
import { PHONE_ROUTES } from '../../directory/booking-route/guidance.ts';
import { bookingMethodSql } from '../../directory/booking-route/table-kinds.ts';
import { lastVerifiedDay, type HoursSource } from '../../directory/hours/verified-hours.ts';
import { DAY_MS } from '../../core/time.ts';
import type { Place } from '../../directory/place/place.ts';
import {
  booleanColumn,
  columnsSql,
  jsonColumn,
  listColumn,
  numberColumn,
  orNull,
  rowParser,
  rowTextSql,
  textColumn,
  type RowOf,
} from '../../core/postgres/row-text.ts';

/** Booking routes by their number in the index. */
export const INDEXED_ROUTES = [...new Set([...BOOKING_METHODS, ...PHONE_ROUTES])];

/** Columns that a place is searched by. */
const DESCRIBED = {
  name: textColumn('name'),
  /** True for a place whose source has no name. */
  name_generated: booleanColumn('name_generated'),
  /** Null when the place has no other names. */
  names: orNull(jsonColumn<Place['names']>("nullif(names, '{}')")),
  latin_name: orNull(textColumn('latin_name')),
  vertical: textColumn('vertical'),
  category: textColumn('category'),
  categories: listColumn('categories'),
  cuisine: listColumn('cuisine'),
  country: textColumn('country'),
  city: orNull(textColumn('city')),
  area: orNull(textColumn('area')),
  /** Areas that contain the place, smallest first. */
  areas: listColumn('areas'),
  address: orNull(textColumn('address')),
  /** Null when the source has none. */
  facts: orNull(jsonColumn<Place['facts']>("nullif(facts, '{}')")),
  lat: orNull(numberColumn('lat')),
  lng: orNull(numberColumn('lng')),
};
/** Columns read for the index; $1 is the time since which a check counts as a verification. */
const PLACE_ROW = {
  id: textColumn('id'),
  destination_id: textColumn('destination_id'),
  ...DESCRIBED,
  rating: orNull(numberColumn('rating::float8')),
  review_count: numberColumn('review_count'),
  price_range: orNull(textColumn('price_range')),
  badge: textColumn('badge'),
  booking_method: textColumn<BookingMethod>(bookingMethodSql()),
  prominence: numberColumn('prominence'),
  phone: orNull(textColumn('phone')),
  /** True when only an agent submitted the number. */
  phone_submitted: booleanColumn(
    "phone is not null and coalesce(field_claims #>> '{phone,0,by}' = 'agent', source = 'submission')",
  ),
  hours_source: orNull(textColumn<HoursSource>("hours->>'source'")),
  hours_observed_at: orNull(textColumn("hours->>'observed_at'")),
  /** The compiled hours as JSON text. Most places share theirs, so few texts need to be parsed. */
  hours_compiled: orNull(textColumn("hours->>'compiled'")),
  verified: booleanColumn('coalesce(verified_at > $1, false)'),
};

export type Described = RowOf<typeof DESCRIBED>;
export type PlaceRow = RowOf<typeof PLACE_ROW>;
export const PLACE_ROW_SQL = columnsSql(PLACE_ROW);
export const PLACE_TEXT_SQL = rowTextSql(PLACE_ROW);
export const parsePlaceText = rowParser(PLACE_ROW);

/** Epoch day in the distant future, for hours set by an owner, which do not expire. */
const FOR_EVER_DAY = 2_000_000;
export function methodOf(place: PlaceRow): number {
  const { booking_method, facts } = place;
  return INDEXED_ROUTES.indexOf(
    booking_method === 'phone' ? phoneRoute({ ...place, facts: facts ?? {} }) : booking_method,
  );
}

/** Returns all names except the first. */
export function otherNames({
  name,
  names,
  latin_name,
}: Pick<PlaceRow, 'name' | 'names' | 'latin_name'>): Iterable<string> {
  if (names === null && latin_name === null) return [];
  const others = new Set(Object.values(names ?? {}));
  if (latin_name !== null) others.add(latin_name);
  others.delete(name);
  return others;
}

/** The epoch days from which hours date, and until which they count as verified; both 0 for hours that never do. */
export function daysOfHours(
  { hours_source: source, hours_observed_at }: PlaceRow,
  understood: boolean,
): { hoursFrom: number; hoursUntil: number } {
  if (source === null || hours_observed_at === null) return { hoursFrom: 0, hoursUntil: 0 };
  const observed_at = new Date(hours_observed_at);
  const day = lastVerifiedDay({ source, observed_at, parsed: understood });
  const hoursFrom = Math.max(0, Math.floor(observed_at.getTime() / DAY_MS));
  return day < 0 ? { hoursFrom: 0, hoursUntil: 0 } : { hoursFrom, hoursUntil: Math.min(day, FOR_EVER_DAY) };
}
