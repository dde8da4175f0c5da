/**
 * Other names that callers use for a member, by member. A name that leaves the unit of an amount open, such as price,
 * is in no list, because it would have to be guessed.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  q: 'query text keyword keywords search search_query search_text search_term term name what',
  query: 'q text keyword keywords search search_query search_text search_term term name what',
  question: 'query q text message prompt ask',
  city: 'location destination place town where locality city_name destination_id',
  destination: 'location city place town where locality city_name destination_id',
  country: 'country_code country_name nation',
  category: 'type kind vertical categories place_type',
  vertical: 'category type kind place_type',
  kind: 'category type vertical',
  cuisine: 'cuisines food',
  area: 'neighbourhood neighborhood district quarter suburb',
  near: 'coordinates coords latlng lat_lng point',
  radius_m: 'radius distance radius_meters radius_metres distance_m',
  open_now: 'open is_open opennow',
  wishes: 'wish features amenities',
  lang: 'language locale',
  limit: 'max_results num_results results count page_size per_page top_k max size',
  cursor: 'next_cursor page_token next_page_token page_cursor after',
  place_id: 'place id business_id venue_id venue restaurant_id business',
  booking_id: 'booking id reservation_id reservation',
  photo_id: 'photo id image_id',
  license_id: 'licence_id license licence id',
  party_size:
    'people guests party persons pax covers seats size group_size guest_count number_of_people number_of_guests num_people num_guests',
  date: 'day booking_date reservation_date',
  time: 'hour booking_time reservation_time start_time',
  at: 'date_time datetime when',
  guest_name: 'guest name customer_name reservation_name',
  notes: 'note comment comments special_requests special_request remarks',
  reason: 'note notes comment message',
  url: 'webhook_url webhook endpoint callback_url',
  since: 'changed_since updated_since from',
  updated_since: 'since changed_since',
  external_ref: 'ref reference external_id',
  address: 'street street_address',
  website: 'homepage web url',
  description: 'about summary',
  detail: 'details description text',
  hours: 'opening_hours',
  name: 'business_name',
  lat: 'latitude',
  lng: 'lon long longitude',
  agent_name: 'name agent',
  operator_name: 'operator company organisation organization',
  operator_email: 'email mail contact_email email_address',
  homepage: 'website url',
  purpose: 'description about use_case',
};

/** The members that each other name can mean. */
const MEMBERS_BY_NAME = new Map<string, string[]>();
for (const [member, names] of Object.entries(OTHER_NAMES))
  for (const name of names.split(' '))
    MEMBERS_BY_NAME.set(name, [...(MEMBERS_BY_NAME.get(name) ?? []), member]);

/** Converts `partySize`, `party-size` and `Party Size` to party_size. */
function snakeCase(name: string): string {
  return name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
}

const LENGTH_MAX = 40;

/** Returns the member that a name means; undefined for a name without a meaning here. */
export function memberForAlias(name: string, has: (member: string) => boolean): string | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  const plain = snakeCase(name);
  if (has(plain)) return plain;
  return MEMBERS_BY_NAME.get(plain)?.find(has);
}
