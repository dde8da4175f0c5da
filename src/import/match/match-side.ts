import type { MatchRecord } from './match-record.ts';

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

const COLUMNS = 'name names latin_name lat lng phone website address city category'.split(' ');

export function matchSide(alias: string): string {
  return `jsonb_build_object(${COLUMNS.map((column) => `'${column}', ${alias}.${column}`).join(', ')})`;
}

type Loose<Side> = { [Key in keyof Side]?: Side[Key] | null | undefined };

export function matchRecord(
  side: Loose<Omit<MatchSide, 'name' | 'names'>> & Pick<MatchSide, 'name' | 'names'>,
): MatchRecord {
  const { name, names, latin_name, lat = null, lng = null, phone, website, address, city, category } = side;
  return {
    names: [...new Set([name, ...Object.values(names), ...(latin_name == null ? [] : [latin_name])])],
    lat,
    lng,
    phones: phone == null ? [] : [phone],
    websites: website == null ? [] : [website],
    street: address ?? null,
    city: city ?? null,
    categories: category == null ? [] : [category],
  };
}
