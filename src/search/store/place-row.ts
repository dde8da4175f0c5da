import { BOOKING_METHODS } from '../../directory/booking-route/booking-method.ts';
import { bookingMethodSql } from '../../directory/booking-route/table-kinds.ts';
import { lastVerifiedDay, type HoursSource } from '../../directory/hours/verified-hours.ts';
import { DAY_MS } from '../../core/time.ts';
import type { Facts } from '../../directory/place/facts.ts';
import type { PlaceBasics } from '../../directory/place/place.ts';

/** A place row as read for the index. */
export interface PlaceRow extends PlaceBasics {
  /** Null when the place has no other names. */
  names: Record<string, string> | null;
  latin_name: string | null;
  categories: string[];
  /** Areas that contain the place, smallest first. */
  areas: string[];
  /** Null when the source has none. */
  facts: Facts | null;
  prominence: number;
  badge: string;
  phone: string | null;
  /** True when only an agent submitted the number. */
  phone_submitted: boolean;
  hours_source: HoursSource | null;
  hours_observed_at: string | null;
  /** The compiled hours as JSON text. Most places share theirs, so few texts need to be parsed. */
  hours_compiled: string | null;
  verified: boolean;
}

/**
 * Booking routes by their number in the index. A phone route depends on whether the number is known and who submitted
 * it.
 */
export const INDEXED_ROUTES = [...BOOKING_METHODS, 'unknown_phone', 'submitted_phone'] as const;

/** True when only an agent submitted the number of a place. */
export const PHONE_SUBMITTED_SQL =
  "phone is not null and coalesce(field_claims #>> '{phone,0,by}' = 'agent', source = 'submission')";

/** Columns of a PlaceRow; $1 is the time since which a check counts as a verification. */
export const PLACE_ROW_SQL = `
  id, destination_id, name, nullif(names, '{}') as names, latin_name, vertical, category, categories, cuisine, country, city, area, address,
  lat, lng, rating::float8 as rating, review_count, price_range, badge, ${bookingMethodSql()} as booking_method,
  areas, nullif(facts, '{}') as facts, prominence,
  phone, ${PHONE_SUBMITTED_SQL} as phone_submitted, hours->>'source' as hours_source, hours->>'observed_at' as hours_observed_at,
  hours->>'compiled' as hours_compiled,
  coalesce(verified_at > $1, false) as verified`;

/** Hours set by an owner do not expire. */
const FOR_EVER_DAY = 2_000_000;
/** Returns the number of a place's booking route in the index. */
export function methodOf({ booking_method, phone, phone_submitted }: PlaceRow): number {
  const phoneRoute = phone === null ? 'unknown_phone' : phone_submitted ? 'submitted_phone' : 'phone';
  return INDEXED_ROUTES.indexOf(booking_method === 'phone' ? phoneRoute : booking_method);
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

/** Returns the last epoch day on which the hours count as verified, or 0. */
export function verifiedUntilDay(
  { hours_source: source, hours_observed_at }: PlaceRow,
  understood: boolean,
  now: Date,
): number {
  if (source === null || hours_observed_at === null) return 0;
  const day = lastVerifiedDay({ source, observed_at: new Date(hours_observed_at), parsed: understood });
  return day < Math.floor(now.getTime() / DAY_MS) ? 0 : Math.min(day, FOR_EVER_DAY);
}
