import { fold } from '../../core/text/fold.ts';
import { withPlaces, type DestinationSnapshot } from '../../directory/destinations.ts';
import { areasNamed } from '../areas/area-names.ts';
import { areasOfKey, type CountedArea } from '../areas/areas-in.ts';
import { findNear } from '../landmark/near-words.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { otherNames } from '../store/place-row.ts';
import { knownPhrase } from '../understand/known-phrase.ts';
import { asWritten, phraseOf, tokensOf, wordAt, type Tokens } from '../understand/tokens.ts';
import { searchNameStart } from './name-start.ts';
import { completeArea } from './spelling.ts';

/** An area of a destination, by the id of the destination. */
export interface FoundArea extends CountedArea {
  destination: string;
  /** True when the text is its whole name, in any language. */
  isWhole: boolean;
}

/** Finds areas anywhere whose name begins with a text: those of exactly this name first, then those with most places. */
export function areasStarting(index: OpenIndex, text: string, max: number): FoundArea[] {
  const whole = new Set(areasNamed(index, text));
  const keys = new Set([...whole, ...completeArea(index.store, text, max)]);
  return (
    [...keys]
      .flatMap((key) =>
        areasOfKey(index, key).map((area): FoundArea => ({ ...area, isWhole: whole.has(key) })),
      )
      // Keys are abbreviated: that of Mont Kiara begins with that of "mount".
      .filter(({ name, isWhole }) => isWhole || fold(name).startsWith(fold(text)))
      .sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.places - a.places)
      .slice(0, max)
  );
}

const TOKENS_MAX = 16;
/** Most words of a name that is being typed at the end of a text. */
const NAME_WORDS_MAX = 4;
/** A beginning of fewer characters begins too many names. */
const START_MIN = 2;
const NAMES_MAX = 2;
const TEXTS_MAX = 6;

/**
 * Completes the name that a text ends in: of a destination, of an area, or behind words for nearness of a landmark. The
 * search reads the completed texts, "pizza in Tokyo" for "pizza in tok", and tells which of them mean something.
 */
export function completeText(
  index: OpenIndex,
  raw: string,
  snapshot: DestinationSnapshot,
  now: Date,
): string[] {
  const tokens = tokensOf(raw);
  if (tokens.list.length > TOKENS_MAX) return [];
  const near = findNear(raw, tokens);
  const isNear = near !== undefined && near.form !== 'after' && near.to < tokens.list.length;
  const starts = isNear ? nameStarts(index, tokens, near.to) : lastWords(tokens);
  const texts = starts.flatMap((from) => {
    const start = phraseOf(tokens, from, tokens.list.length);
    if (start.length < START_MIN) return [];
    const before = asWritten(raw, phraseOf(tokens, 0, from));
    const names = [
      ...destinationsStarting(snapshot, start),
      ...areasStarting(index, start, NAMES_MAX).map(({ name }) => name),
      ...(isNear ? placesStarting(index, start, now) : []),
    ];
    const wholeFirst = names.toSorted((a, b) => Number(fold(b) === start) - Number(fold(a) === start));
    return wholeFirst.map((name) => `${before} ${name}`);
  });
  return [...new Map(texts.map((text) => [fold(text), text])).values()].slice(0, TEXTS_MAX);
}

/** Positions at which the name of a landmark may begin: behind the words for nearness, and behind its articles. */
function nameStarts(index: OpenIndex, tokens: Tokens, first: number): number[] {
  const starts = [first];
  for (let at = first; at + 1 < tokens.list.length && knownPhrase(index, wordAt(tokens, at)).isStopWord; at++)
    starts.push(at + 1);
  return starts;
}

/** Positions at which a name may begin that is not the whole text, the longest name first. */
function lastWords({ list }: Tokens): number[] {
  const first = Math.max(1, list.length - NAME_WORDS_MAX);
  return Array.from({ length: Math.max(0, list.length - first) }, (_, at) => first + at);
}

function destinationsStarting({ destinations }: DestinationSnapshot, start: string): string[] {
  return withPlaces(destinations)
    .flatMap(({ name, other_names, places }) => {
      const match = [name, ...other_names].find((one) => fold(one).startsWith(start));
      return match === undefined ? [] : [{ match, places }];
    })
    .sort((a, b) => b.places - a.places)
    .slice(0, NAMES_MAX)
    .map(({ match }) => match);
}

function placesStarting(index: OpenIndex, start: string, now: Date): string[] {
  return searchNameStart(index, start, NAMES_MAX, now).map(({ place: { described } }) => {
    const names = [described.name, ...otherNames(described)];
    return names.find((name) => fold(name).startsWith(start)) ?? described.name;
  });
}
