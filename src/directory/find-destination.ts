import type { Destination, DestinationSnapshot } from './destinations.ts';
import { fold, wordsOf } from '../core/text/fold.ts';
import { countryNamed } from './country/country.ts';
import { editDistance } from '../core/text/edit-distance.ts';

const SUGGESTIONS = 5;
const FAR = 6;

/**
 * A destination by its id, its slug or any of its names, in any spelling that folds to the same, also with its country behind
 * it, such as "Lisbon, Portugal".
 */
export function findDestination(snapshot: DestinationSnapshot, text: string): Destination | undefined {
  return findByName(snapshot, text) ?? findBeforeComma(snapshot, text);
}

function findByName({ destinations }: DestinationSnapshot, text: string): Destination | undefined {
  const slug = text.trim().toLowerCase();
  const exact = destinations.find((one) => one.slug === slug || one.id === text);
  if (exact !== undefined) return exact;
  const wanted = fold(text);
  return (
    destinations.find(({ name }) => fold(name) === wanted) ??
    destinations.find(({ other_names }) => other_names.some((name) => fold(name) === wanted))
  );
}

/** What stands behind the comma must be the country, or nothing that names another place. */
function findBeforeComma(snapshot: DestinationSnapshot, text: string): Destination | undefined {
  const [name = '', ...behind] = text.split(',').map((part) => part.trim());
  if (behind.length === 0) return undefined;
  const found = findByName(snapshot, name);
  const countries = behind.map((part) => countryNamed(part)).filter((code) => code !== undefined);
  return found !== undefined && countries.every((code) => code === found.country) ? found : undefined;
}

const GUESS_MIN = 4;
const LONG_NAME = 8;

/** The one destination that a misspelt name may stand for. Of two that are as near, neither is taken. */
export function guessDestination(
  names: Iterable<readonly [name: string, destination: Destination]>,
  word: string,
  isThere: (destination: Destination) => boolean = () => true,
): { destination: Destination; name: string } | undefined {
  if (word.length < GUESS_MIN || /\d/.test(word)) return undefined;
  const limit = word.length >= LONG_NAME ? 2 : 1;
  let best: { destination: Destination; name: string; distance: number } | undefined;
  let isAlone = true;
  for (const [name, destination] of names) {
    if (name.length < GUESS_MIN || !isThere(destination)) continue;
    const distance = editDistance(word, name, limit);
    if (distance > limit || (best !== undefined && distance > best.distance)) continue;
    isAlone = best === undefined || distance < best.distance || best.destination === destination;
    best = { destination, name, distance };
  }
  return isAlone ? best : undefined;
}

/** The same for what names a destination and nothing else. Answers say which one was taken. */
export function guessNamed({ destinations }: DestinationSnapshot, text: string): Destination | undefined {
  const names = destinations.flatMap((one) =>
    [one.name, ...one.other_names].map((name) => [fold(name), one] as const),
  );
  return guessDestination(names, fold(text))?.destination;
}

export interface NamedDestination {
  destination: Destination;
  /** What else was said. */
  rest: string;
}

interface Names {
  destinations: ReadonlyMap<string, Destination>;
  /** The words with which they begin. */
  firstWords: ReadonlySet<string>;
}

const byName = new WeakMap<DestinationSnapshot, Names>();

/** A destination that stands by its name somewhere in a text, such as "sushi in Monte Carlo"; the longest name wins. */
export function findNamedDestination(
  snapshot: DestinationSnapshot,
  words: readonly string[],
): NamedDestination | undefined {
  let names = byName.get(snapshot);
  if (names === undefined) byName.set(snapshot, (names = namesOf(snapshot)));
  const { destinations, firstWords } = names;
  if (!words.some((word) => firstWords.has(word))) return undefined;
  for (let length = words.length; length > 0; length--) {
    for (let from = words.length - length; from >= 0; from--) {
      const destination = destinations.get(words.slice(from, from + length).join(' '));
      if (destination === undefined) continue;
      return { destination, rest: [...words.slice(0, from), ...words.slice(from + length)].join(' ') };
    }
  }
  return undefined;
}

/** Where two share a name, the one that is really called so has it. */
function namesOf({ destinations }: DestinationSnapshot): Names {
  const names = new Map<string, Destination>();
  for (const destination of destinations)
    for (const name of destination.other_names) names.set(wordsOf(name).join(' '), destination);
  for (const destination of destinations) names.set(wordsOf(destination.name).join(' '), destination);
  return {
    destinations: names,
    firstWords: new Set([...names.keys()].map((name) => name.split(' ')[0] ?? '')),
  };
}

/** The names that come nearest to what was asked for, for a caller who mistyped one. */
export function nearestDestinations({ destinations }: DestinationSnapshot, text: string): string[] {
  const wanted = fold(text);
  return destinations
    .map(({ name, places }) => ({ name, places, distance: distanceTo(fold(name), wanted) }))
    .sort((a, b) => a.distance - b.distance || b.places - a.places)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
}

function distanceTo(name: string, wanted: string): number {
  return name.includes(wanted) || wanted.includes(name) ? 1 : editDistance(name, wanted, FAR);
}
