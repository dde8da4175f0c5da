import type { MatchRecord } from './match-record.ts';

/** Columns of a place or a draft that are used for matching. */
export interface MatchSide {
  name: string;
  names: Record<string, string>;
  latin_name: string | null;
  lat: number | null;
  lng: number | null;
  phone: string | null;
  website: string | null;
  address: string | null;
  city: string | null;
  category: string;
}

const COLUMNS = [
  'name',
  'names',
  'latin_name',
  'lat',
  'lng',
  'phone',
  'website',
  'address',
  'city',
  'category',
] as const satisfies (keyof MatchSide)[];

/** Returns the SQL of a MatchSide for a table alias. */
export function matchSide(alias: string): string {
  return `jsonb_build_object(${COLUMNS.map((column) => `'${column}', ${alias}.${column}`).join(', ')})`;
}

export function matchRecord(side: MatchSide): MatchRecord {
  const names = [side.name, ...Object.values(side.names), side.latin_name];
  return {
    names: [...new Set(names.filter((name) => name !== null))],
    lat: side.lat,
    lng: side.lng,
    phones: side.phone === null ? [] : [side.phone],
    websites: side.website === null ? [] : [side.website],
    street: side.address,
    city: side.city,
    categories: [side.category],
  };
}
