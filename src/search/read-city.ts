import type { OperationDeps } from '../core/context.ts';
import { editDistance } from '../core/text/edit-distance.ts';
import { fold } from '../core/text/fold.ts';
import { countryNamed, guessCountry, readCountry } from '../directory/country/country.ts';
import type { Destination, DestinationSnapshot } from '../directory/destinations.ts';
import { findDestination, foldedNames, guessDestination } from '../directory/find-destination.ts';

/** The part of the world that a caller named as a city. */
export interface CityReading {
  destination?: Destination | undefined;
  /** A part of the destination, or an area anywhere. */
  area?: string | undefined;
  /** A town that is no destination. */
  city?: string | undefined;
  country?: string | undefined;
  /** Misspelt names, by the names as sent. */
  corrected?: Record<string, string> | undefined;
}

/**
 * Reads a city as people write it: a destination, a country, or names from the smallest to the largest, such as "Ubud,
 * Bali, Indonesia". A misspelt name is taken where it can only mean one.
 */
export function readCity(deps: OperationDeps, text: string, country?: string): CityReading {
  const { current } = deps.destinations;
  const exact = findDestination(current, text);
  if (exact !== undefined) return { destination: exact, country };
  const named = countryNamed(text);
  // A country, such as "Viet Nam", means no particular city.
  if (named !== undefined) return { country: country ?? named };
  const [first = '', ...larger] = text.split(',').map((part) => part.trim());
  if (larger.length > 0) return readParts(deps, text, first, larger, country);
  if (deps.places.hasTown(text)) return { city: text, country };
  const guessed = misspeltDestination(current, text);
  const misspelt = country === undefined ? misspeltCountry(text) : undefined;
  // "Tailand" is as close to the German name of Milan as to Thailand.
  const isForeign = guessed !== undefined && editDistance(fold(text), fold(guessed.name), FAR) >= FAR;
  if (misspelt !== undefined && (guessed === undefined || isForeign))
    return { country: misspelt.code, corrected: { [text]: misspelt.name } };
  return guessed !== undefined && (country === undefined || guessed.country === country)
    ? { destination: guessed, country, corrected: { [text]: guessed.name } }
    : { city: text, country };
}

const FAR = 3;
const LONG = 7;

/** A short name of another city differs from that of a country by a letter, too: Lagos, Cali, Chiba. */
function misspeltCountry(text: string): ReturnType<typeof guessCountry> {
  const word = fold(text);
  const guessed = word.length < LONG ? undefined : guessCountry(text);
  const name = guessed && fold(guessed.name);
  return name?.at(0) === word.at(0) && name?.at(-1) === word.at(-1) ? guessed : undefined;
}

function misspeltDestination(snapshot: DestinationSnapshot, text: string): Destination | undefined {
  const word = fold(text);
  const guessed = guessDestination(foldedNames(snapshot), word);
  return word.length >= LONG || guessed?.name.at(0) === word.at(0) ? guessed?.destination : undefined;
}

/** Reads "Ubud, Bali" and "Le Marais, Paris, France": a part of a destination, or of a country. */
function readParts(
  deps: OperationDeps,
  text: string,
  first: string,
  larger: readonly string[],
  requested: string | undefined,
): CityReading {
  const { current } = deps.destinations;
  const country = requested ?? larger.map((part) => countryNamed(part)).find((code) => code !== undefined);
  const isThere = (one: Destination | undefined) => country === undefined || one?.country === country;
  const around = larger
    .map((part) => findDestination(current, part))
    .find((one) => one !== undefined && isThere(one));
  if (around !== undefined) return { destination: around, area: first, country: requested };
  const others = larger.filter((part) => readCountry(part) === undefined && !findDestination(current, part));
  if (others.length > 0) return { city: [first, ...others].join(', '), country };
  if (deps.places.hasArea(first)) return { area: first, country };
  if (deps.places.hasTown(first)) return { city: first, country };
  const guessed = misspeltDestination(current, first);
  return guessed !== undefined && isThere(guessed)
    ? { destination: guessed, country: requested, corrected: { [first]: guessed.name } }
    : { city: text, country };
}
