import { iso1A2Code } from '@rapideditor/country-coder';
import { ADDRESS_MAX, cutAtWord, NAME_MAX } from '../../core/text/limits.ts';
import type { Tags } from '../categories.ts';

export interface AddressTags {
  address: string | null;
  postcode: string | null;
  city: string | null;
  area: string | null;
  /** ISO 3166 alpha-2, only when the source states it. */
  country: string | null;
}

// Countries where the house number comes before the street. Elsewhere it follows.
const NUMBER_FIRST = new Set(
  'AD AE AU BB BH BM BS CA CI DZ EG FJ FR GB GG GP HK IE IL IM IN JE JM KE KH LA LB LK LU MA MC MG MM MQ MT MU MY NC NG NZ OM PF PG PH PK RE SA SC SG SN TH TN TT TW US VN VU ZA ZW'.split(
    ' ',
  ),
);

// Unions and reserved codes that the country coder also accepts.
const NOT_COUNTRIES = new Set(['EU', 'UN', 'AC', 'CP', 'CQ', 'DG', 'EA', 'FX', 'IC', 'TA']);

function first(tags: Tags, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = tags.get(key)?.trim() ?? '';
    if (value !== '') return value;
  }
  return null;
}

/** Returns an ISO 3166 alpha-2 code, or null for anything else: a country is not guessed from its name. */
export function countryCode(text: string | null | undefined): string | null {
  const code = (text ?? '').trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && !NOT_COUNTRIES.has(code) && iso1A2Code(code) === code ? code : null;
}

function streetLine(tags: Tags, country: string | null, lat: number, lng: number): string | null {
  const full = first(tags, ['addr:full']);
  if (full !== null) return full;
  const street = first(tags, ['addr:street', 'addr:place', 'addr:housename']);
  if (street === null) return null;
  const number = first(tags, ['addr:housenumber']);
  if (number === null) return street;
  // The position decides only the order: the draft keeps the country that the source states.
  const order = country ?? iso1A2Code([lng, lat], { level: 'territory' });
  return order !== null && NUMBER_FIRST.has(order) ? `${number} ${street}` : `${street} ${number}`;
}

/** Truncates a part of an address that is too long. */
export function truncate(text: string | null, max: number): string | null {
  return text === null ? null : cutAtWord(text, max);
}

export function readAddress(tags: Tags, lat: number, lng: number): AddressTags {
  const country = countryCode(tags.get('addr:country'));
  return {
    address: truncate(streetLine(tags, country, lat, lng), ADDRESS_MAX),
    postcode: truncate(first(tags, ['addr:postcode']), NAME_MAX),
    city: truncate(first(tags, ['addr:city', 'addr:town', 'addr:village', 'addr:hamlet']), NAME_MAX),
    area: truncate(
      first(tags, ['addr:suburb', 'addr:quarter', 'addr:neighbourhood', 'addr:district']),
      NAME_MAX,
    ),
    country,
  };
}
