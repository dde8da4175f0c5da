import { continentOf } from './continents.ts';

export interface HomeDestination {
  slug: string;
  name: string;
  country: string;
  country_name: string;
  timezone: string;
  lat: number;
  lng: number;
  places: number;
  verified_places: number;
}

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
