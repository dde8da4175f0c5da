import { fold } from '../../../core/text/fold.ts';
import { continentOf } from './continents.ts';

export interface HomeDestination {
  slug: string;
  name: string;
  /** Names in other languages and former names, by which it can be found too. */
  other_names?: readonly string[];
  country: string;
  country_name: string;
  timezone: string;
  lat: number;
  lng: number;
  places: number;
  verified_places: number;
}

export interface ListedDestination extends HomeDestination {
  hidden: boolean;
}

export interface CountryGroup {
  code: string;
  name: string;
  destinations: ListedDestination[];
  hidden: boolean;
}

export interface RegionGroup {
  id: string;
  name: string;
  total: number;
  countries: CountryGroup[];
  hidden: boolean;
}

const COLLATOR = new Intl.Collator('en');
const byName = (a: { name: string }, b: { name: string }): number => COLLATOR.compare(a.name, b.name);

/** Destinations by continent and country in the order of a printed index. What the query does not match is hidden. */
export function arrangeDestinations(destinations: readonly HomeDestination[], query: string): RegionGroup[] {
  const wanted = fold(query);
  return [...Map.groupBy(destinations, ({ country }) => continentOf(country))]
    .map(([name, members]) => {
      const countries = [...Map.groupBy(members, ({ country }) => country)]
        .map(([code, inCountry]) => countryGroup(code, inCountry, wanted))
        .sort(byName);
      return {
        id: name.toLowerCase().replace(' ', '-'),
        name,
        total: members.length,
        countries,
        hidden: countries.every(({ hidden }) => hidden),
      };
    })
    .sort(byName);
}

function countryGroup(code: string, members: readonly HomeDestination[], wanted: string): CountryGroup {
  const name = members[0]?.country_name ?? code;
  const whole = wanted === '' || fold(name).includes(wanted);
  const destinations = members
    .map((member) => ({ ...member, hidden: !whole && !isNamed(member, wanted) }))
    .sort(byName);
  return { code, name, destinations, hidden: destinations.every(({ hidden }) => hidden) };
}

function isNamed({ name, other_names = [] }: HomeDestination, wanted: string): boolean {
  return [name, ...other_names].some((known) => fold(known).includes(wanted));
}
