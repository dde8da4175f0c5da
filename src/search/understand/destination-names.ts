import { ARTICLE } from '../areas/area-names.ts';
import { fold } from '../../core/text/fold.ts';
import { editDistance } from '../../core/text/edit-distance.ts';
import type { Destination, DestinationSnapshot } from '../../directory/destinations.ts';

/** The names of all destinations, as they may stand in a text. */
export interface DestinationNames {
  byName: ReadonlyMap<string, Destination>;
  bySlug: ReadonlyMap<string, Destination>;
  /** How many words a name has at most that begins with this one. */
  longest: ReadonlyMap<string, number>;
}

const made = new WeakMap<DestinationSnapshot, DestinationNames>();
const GUESS_MIN = 4;
const LONG_NAME = 8;

export function destinationNames(snapshot: DestinationSnapshot): DestinationNames {
  let names = made.get(snapshot);
  if (names === undefined) made.set(snapshot, (names = makeNames(snapshot)));
  return names;
}

/** Where two share a name, the one that is really called so has it, and of those the one with more places. */
function makeNames({ destinations }: DestinationSnapshot): DestinationNames {
  const byName = new Map<string, Destination>();
  const bySize = destinations.toSorted((a, b) => a.places - b.places);
  for (const one of bySize)
    for (const name of [...one.other_names, one.name]) byName.set(fold(name).replace(ARTICLE, ''), one);
  for (const one of bySize)
    for (const name of [...countryNames(one), ...one.other_names]) byName.set(fold(name), one);
  for (const one of bySize) byName.set(fold(one.name), one);
  byName.delete('');
  const longest = new Map<string, number>();
  for (const name of byName.keys()) {
    const [first = '', ...rest] = name.split(' ');
    longest.set(first, Math.max(longest.get(first) ?? 0, rest.length + 1));
  }
  return { byName, longest, bySlug: new Map(destinations.map((one) => [one.slug, one])) };
}

const LANGUAGES =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id is it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv th tr uk vi zh zh-Hant'.split(
    ' ',
  );
const namesOfCountries = new Map<string, readonly string[]>();

/** A destination that is called as its country has the names of the country in every language. */
function countryNames({ name, country, country_name }: Destination): readonly string[] {
  if (name !== country_name) return [];
  let names = namesOfCountries.get(country);
  if (names === undefined) {
    names = LANGUAGES.flatMap(
      (language) => new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? [],
    );
    namesOfCountries.set(country, names);
  }
  return names;
}

/** The one destination that a misspelt name may stand for. Of two that are as near, neither is taken. */
export function guessDestination(
  { byName }: DestinationNames,
  word: string,
  isThere: (destination: Destination) => boolean,
): { destination: Destination; name: string } | undefined {
  if (word.length < GUESS_MIN || /\d/.test(word)) return undefined;
  const limit = word.length >= LONG_NAME ? 2 : 1;
  let best: { destination: Destination; name: string; distance: number } | undefined;
  let isAlone = true;
  for (const [name, destination] of byName) {
    if (name.length < GUESS_MIN || !isThere(destination)) continue;
    const distance = editDistance(word, name, limit);
    if (distance > limit || (best !== undefined && distance > best.distance)) continue;
    isAlone = best === undefined || distance < best.distance || best.destination === destination;
    best = { destination, name, distance };
  }
  return isAlone ? best : undefined;
}
