import { withPlaces, type Destination, type DestinationSnapshot } from './destinations.ts';
import { fold } from '../core/text/fold.ts';
import { countryNamed } from './country/country.ts';
import { editDistance } from '../core/text/edit-distance.ts';

const SUGGESTIONS = 5;
const FAR = 6;
/** Distance at which the other destinations of a named country are listed. */
const OF_COUNTRY = 2;

/** Finds a destination by id, slug or name in any spelling, with or without its country: "Lisbon, Portugal". */
export function findDestination(snapshot: DestinationSnapshot, text: string): Destination | undefined {
  return findByName(snapshot, text) ?? findBeforeComma(snapshot, text);
}

interface Finder {
  /** By slug and by id. */
  exact: ReadonlyMap<string, Destination>;
  /** By folded name: a main name takes precedence over other names, then the first destination. */
  named: ReadonlyMap<string, Destination>;
}

const finders = new WeakMap<DestinationSnapshot, Finder>();

function finderOf(snapshot: DestinationSnapshot): Finder {
  return finders.getOrInsertComputed(snapshot, ({ destinations }) => {
    const named = new Map<string, Destination>();
    for (const one of destinations.toReversed())
      for (const name of one.other_names) named.set(fold(name), one);
    for (const one of destinations.toReversed()) named.set(fold(one.name), one);
    return {
      exact: new Map(
        destinations.flatMap(
          (one) =>
            [
              [one.slug, one],
              [one.id, one],
            ] as const,
        ),
      ),
      named,
    };
  });
}

/** Finds a destination by its slug or its id. */
export function destinationOf(snapshot: DestinationSnapshot, key: string): Destination | undefined {
  return finderOf(snapshot).exact.get(key);
}

function findByName(snapshot: DestinationSnapshot, text: string): Destination | undefined {
  const { exact, named } = finderOf(snapshot);
  return exact.get(text.trim().toLowerCase()) ?? exact.get(text) ?? named.get(fold(text));
}

/** Finds a destination by the text before a comma. The rest must be its country, or not name a country. */
function findBeforeComma(snapshot: DestinationSnapshot, text: string): Destination | undefined {
  const [name = '', ...rest] = text.split(',').map((part) => part.trim());
  if (rest.length === 0) return undefined;
  const destination = findByName(snapshot, name);
  const countries = rest.map((part) => countryNamed(part)).filter((code) => code !== undefined);
  return destination !== undefined && countries.every((code) => code === destination.country)
    ? destination
    : undefined;
}

const GUESS_MIN = 4;
const LONG_NAME = 8;

/** Returns the single destination that a misspelt name may mean; undefined when two are equally near. */
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

/** Returns every name of every destination, folded. */
export function foldedNames({ destinations }: DestinationSnapshot): (readonly [string, Destination])[] {
  return destinations.flatMap((destination) =>
    [destination.name, ...destination.other_names].map((name) => [fold(name), destination] as const),
  );
}

/** Guesses a destination from a text that names nothing else. Answers state which one was used. */
export function guessNamed(snapshot: DestinationSnapshot, text: string): Destination | undefined {
  return guessDestination(foldedNames(snapshot), fold(text))?.destination;
}

function distanceOf(name: string, folded: string): number {
  return name.includes(folded) || folded.includes(name) ? 1 : editDistance(name, folded, FAR);
}

/**
 * Names nearest to the text, for a caller who mistyped one. Of "Chiang Rai, Thailand" each part is compared, and the
 * destinations of its country come before similar names elsewhere.
 */
function nearestDestinations(
  { destinations }: DestinationSnapshot,
  text: string,
): { name: string; isClose: boolean }[] {
  const parts = [text, ...text.split(',')].map(fold).filter((part) => part !== '');
  const country = text
    .split(',')
    .map(countryNamed)
    .find((code) => code !== undefined);
  return withPlaces(destinations)
    .map(({ name, places, country: own }) => {
      const distances = parts.map((part) => distanceOf(fold(name), part));
      return { name, places, distance: Math.min(...distances, own === country ? OF_COUNTRY : FAR + 1) };
    })
    .sort((a, b) => a.distance - b.distance || b.places - a.places)
    .slice(0, SUGGESTIONS)
    .map(({ name, distance }) => ({
      name,
      isClose: distance <= Math.max(OF_COUNTRY, Math.floor(name.length / 3)),
    }));
}

/** Sentence that names the destinations nearest to a text that names none. */
export function suggestDestinations(snapshot: DestinationSnapshot, text: string): string {
  const nearest = nearestDestinations(snapshot, text);
  if (nearest.length === 0) return 'The directory has no places yet.';
  const names = (some: typeof nearest) => some.map(({ name }) => name).join(', ');
  const close = nearest.filter(({ isClose }) => isClose);
  return close.length > 0
    ? `The closest names are: ${names(close)}.`
    : `No name is close to it; the directory has places in ${names(nearest)}.`;
}

/** Sentence for a destination that is known and has no places. */
export function emptyDestinationWords(name: string): string {
  return `The directory has no places in ${name} yet.`;
}
