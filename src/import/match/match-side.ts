import type { MatchRecord } from './match-record.ts';

export interface MatchSide {
  name: string;
  name_generated: boolean;
  /** True when the name is only its kind and area, which other places have too. */
  nameless: boolean;
  names: Record<string, string>;
  latin_name: string | null;
  lat: number | null;
  lng: number | null;
  phone: string | null;
  website: string | null;
  address: string | null;
  city: string | null;
  category: string;
  vertical?: string;
  country: string | null;
  areas: string[];
  destination_id: string | null;
  /** Names of the destination and of the towns nearby, in all languages, where they have been looked up. */
  destination?: readonly string[];
  towns?: readonly string[];
}

const COLUMNS =
  'name name_generated names latin_name lat lng phone website address city category vertical country areas destination_id'.split(
    ' ',
  );

export function matchSide(alias: string): string {
  const nameless = `${alias}.name_generated and ${alias}.name is distinct from ${alias}.facts->>'brand'
    and ${alias}.name is distinct from ${alias}.facts->>'operator'`;
  return `jsonb_build_object('nameless', ${nameless}, ${COLUMNS.map((column) => `'${column}', ${alias}.${column}`).join(', ')})`;
}

type Loose<Side> = { [Key in keyof Side]?: Side[Key] | null | undefined };

export function matchRecord(
  side: Loose<Omit<MatchSide, 'name' | 'names'>> & Pick<MatchSide, 'name' | 'names'>,
): MatchRecord {
  const { name, names, latin_name, lat = null, lng = null, phone, website, address, city, category } = side;
  const { vertical, country, areas, destination, towns } = side;
  const allNames = [name, ...Object.values(names), ...(latin_name == null ? [] : [latin_name])];
  return {
    names: side.nameless === true ? [] : [...new Set(allNames)],
    lat,
    lng,
    phones: phone == null ? [] : [phone],
    websites: website == null ? [] : [website],
    street: address ?? null,
    city: city ?? null,
    vertical: vertical ?? null,
    country: country ?? null,
    areas: areas ?? [],
    ...(destination != null && { destination }),
    ...(towns != null && { towns }),
    categories: category == null ? [] : [category],
  };
}
