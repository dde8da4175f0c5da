import type { Destination } from '../../../directory/destinations.ts';
import words from './words.json' with { type: 'json' };

export type HomeDestination = Pick<
  Destination,
  'slug' | 'name' | 'country' | 'country_name' | 'timezone' | 'lat' | 'lng' | 'places' | 'verified_places'
>;

export interface CountryGroup {
  code: string;
  name: string;
  destinations: HomeDestination[];
}

export interface RegionGroup {
  id: string;
  name: string;
  total: number;
  countries: CountryGroup[];
}

const COLLATOR = new Intl.Collator('en');
const byName = (a: { name: string }, b: { name: string }): number => COLLATOR.compare(a.name, b.name);

/** Groups destinations by continent and country, sorted by name. */
export function arrangeDestinations(destinations: readonly HomeDestination[]): RegionGroup[] {
  return [...Map.groupBy(destinations, ({ country }) => continentOf(country))]
    .map(([name, members]) => ({
      id: name.toLowerCase().replace(' ', '-'),
      name,
      total: members.length,
      countries: [...Map.groupBy(members, ({ country }) => country)]
        .map(([code, inCountry]) => countryGroup(code, inCountry))
        .sort(byName),
    }))
    .sort(byName);
}

function countryGroup(code: string, members: readonly HomeDestination[]): CountryGroup {
  return { code, name: members[0]?.country_name ?? code, destinations: [...members].sort(byName) };
}

/** Continent under which a traveller looks for a country, by ISO 3166 country code. */
const CONTINENT_OF = new Map(
  Object.entries(words.continents).flatMap(([continent, codes]) =>
    codes.split(' ').map((code) => [code, continent] as const),
  ),
);

/** Returns the continent of a country. Unknown codes get a heading of their own. */
function continentOf(country: string): string {
  return CONTINENT_OF.get(country) ?? 'Elsewhere';
}
