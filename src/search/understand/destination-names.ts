import { ARTICLE } from '../areas/area-names.ts';
import { fold } from '../../core/text/fold.ts';
import { countryNamesInAllLanguages } from '../../directory/country/country-names.ts';
import type { Destination, DestinationSnapshot } from '../../directory/destinations.ts';
import { phraseOf, wordAt, type Tokens, type TokenSpan } from './tokens.ts';

/** Names of all destinations as they may occur in a text. */
interface DestinationNames {
  byName: ReadonlyMap<string, Destination>;
  bySlug: ReadonlyMap<string, Destination>;
  /** Length in words of the longest name that begins with this word. */
  longest: ReadonlyMap<string, number>;
}

const cache = new WeakMap<DestinationSnapshot, DestinationNames>();

export function destinationNames(snapshot: DestinationSnapshot): DestinationNames {
  return cache.getOrInsertComputed(snapshot, makeNames);
}

/** A destination in a text. */
export interface NamedDestination extends TokenSpan {
  destination: Destination;
}

/** Finds the longest name of a destination in a text, the last one of equal length. */
export function findNamedDestination(
  { byName, longest }: DestinationNames,
  tokens: Tokens,
  isMeant: (named: NamedDestination) => boolean = () => true,
): NamedDestination | undefined {
  let best: NamedDestination | undefined;
  for (let from = 0; from < tokens.list.length; from++) {
    const first = from + Math.max(best === undefined ? 1 : best.to - best.from, 1);
    for (
      let to = Math.min(tokens.list.length, from + (longest.get(wordAt(tokens, from)) ?? 0));
      to >= first;
      to--
    ) {
      const destination = byName.get(phraseOf(tokens, from, to));
      if (destination === undefined || !isMeant({ from, to, destination })) continue;
      best = { from, to, destination };
      break;
    }
  }
  return best;
}

/** Resolves shared names: a main name takes precedence over other names, then the destination with more places. */
function makeNames({ destinations }: DestinationSnapshot): DestinationNames {
  const byName = new Map<string, Destination>();
  const bySize = destinations.toSorted((a, b) => a.places - b.places);
  for (const one of bySize)
    for (const name of [...one.other_names, one.name]) byName.set(fold(name).replace(ARTICLE, ''), one);
  for (const one of bySize)
    for (const name of [...namesOfCountry(one), ...one.other_names]) byName.set(fold(name), one);
  for (const one of bySize) byName.set(fold(one.name), one);
  byName.delete('');
  const longest = new Map<string, number>();
  for (const name of byName.keys()) {
    const [first = '', ...rest] = name.split(' ');
    longest.set(first, Math.max(longest.get(first) ?? 0, rest.length + 1));
  }
  return { byName, longest, bySlug: new Map(destinations.map((one) => [one.slug, one])) };
}

/** Returns the names of the country in every language for a destination with the same name. */
function namesOfCountry({ name, country, country_name }: Destination): readonly string[] {
  return name === country_name ? countryNamesInAllLanguages(country) : [];
}
