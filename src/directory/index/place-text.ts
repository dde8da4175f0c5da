import type { HoursSource } from '../hours/verified-hours.ts';
import type { BookingMethod, PlaceRow } from './document.ts';

const FIELD = '\u001f';
const NOTHING = '\u001e';

/**
 * A place as one text: to read it takes half of what as many columns take. $1 is the moment since which a check counts
 * as a verification.
 */
export const PLACE_TEXT_SQL = `concat_ws(E'\\x1f',
  id, destination_id, name, names, ${orNothing('latin_name')}, vertical, category, categories, cuisine, country,
  ${orNothing('city')}, ${orNothing('area')}, ${orNothing('address')}, lat, lng, ${orNothing('rating::text')},
  review_count, ${orNothing('price_range')}, badge, booking_method, phone is not null, ${orNothing("hours->>'source'")},
  ${orNothing("hours->>'observed_at'")}, ${orNothing("hours->>'compiled'")}, coalesce(verified_at > $1, false))`;

function orNothing(sql: string): string {
  return `coalesce(${sql}, E'\\x1e')`;
}

const FIELDS = 25;

/**
 * The place that a text tells of, or only its id where its columns must be asked for: whoever wrote a name may have put
 * a separator into it, and then there are too many fields.
 */
export function placeOf(text: string): PlaceRow | string {
  const fields = text.split(FIELD);
  const [id = '', destination_id = '', name = '', names = '', latin_name, vertical = '', category = ''] =
    fields;
  const [categories, cuisine] = [listOf(fields[7]), listOf(fields[8])];
  const [country = '', city, area, address, lat, lng, rating, review_count, price_range] = fields.slice(
    9,
    18,
  );
  const [badge = '', booking_method, has_phone, source, observed_at, compiled, verified] = fields.slice(18);
  if (fields.length !== FIELDS || categories === undefined || cuisine === undefined) return id;
  return {
    ...{ id, destination_id, name, vertical, category, categories, cuisine, country, badge },
    names: names === '{}' ? null : (JSON.parse(names) as Record<string, string>),
    latin_name: orNull(latin_name),
    city: orNull(city),
    area: orNull(area),
    address: orNull(address),
    lat: Number(lat),
    lng: Number(lng),
    rating: rating === NOTHING ? null : Number(rating),
    review_count: Number(review_count),
    price_range: orNull(price_range),
    booking_method: booking_method as BookingMethod,
    has_phone: has_phone === 't',
    hours_source: orNull(source) as HoursSource | null,
    hours_observed_at: orNull(observed_at),
    hours_compiled: orNull(compiled),
    verified: verified === 't',
  };
}

function orNull(field: string | undefined): string | null {
  return field === undefined || field === NOTHING ? null : field;
}

const NONE: string[] = [];

/** The members of a list as PostgreSQL writes it; undefined where one of them had to be quoted. */
function listOf(field = ''): string[] | undefined {
  if (field === '{}') return NONE;
  return field.includes('"') ? undefined : field.slice(1, -1).split(',');
}
