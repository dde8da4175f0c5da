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

function first(tags: Tags, ...parts: string[]): string {
  const values = parts.map((part) => tags.get(`addr:${part}`)?.trim() ?? '');
  return values.find((value) => value !== '') ?? '';
}

/** Returns an ISO 3166 alpha-2 code, or null for anything else: a country is not guessed from its name. */
export function countryCode(text: string | null | undefined): string | null {
  const code = (text ?? '').trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && !NOT_COUNTRIES.has(code) && iso1A2Code(code) === code ? code : null;
}

function streetLine(tags: Tags, country: string | null, lat: number, lng: number): string {
  const full = first(tags, 'full');
  if (full !== '') return full;
  const street = first(tags, 'street', 'place', 'housename');
  const number = first(tags, 'housenumber');
  if (street === '' || number === '') return street;
  // The position decides only the order: the draft keeps the country that the source states.
  const order = country ?? iso1A2Code([lng, lat], { level: 'territory' });
  return order !== null && NUMBER_FIRST.has(order) ? `${number} ${street}` : `${street} ${number}`;
}

export function readAddress(tags: Tags, lat: number, lng: number): AddressTags {
  const country = countryCode(tags.get('addr:country'));
  const part = (...parts: string[]) => cutAtWord(first(tags, ...parts), NAME_MAX) || null;
  return {
    address: cutAtWord(streetLine(tags, country, lat, lng), ADDRESS_MAX) || null,
    postcode: part('postcode'),
    city: part('city', 'town', 'village', 'hamlet'),
    area: part('suburb', 'quarter', 'neighbourhood', 'district'),
    country,
  };
}
