import { ASKED_WISHES, type Language } from '../lexicon/lexicon.ts';
import type { PhraseLookup } from './joints.ts';
import type { Match } from './match-phrases.ts';
import type { Mentions } from './names/mentions.ts';
import type { ClockTime } from './time/read-clock.ts';
import type { Kinds } from './read-kinds.ts';
import type { Negations } from './read-negations.ts';
import type { AskedParty } from './read-party.ts';
import type { AskedPrice } from './figures/read-price.ts';
import type { AskedRating } from './figures/read-rating.ts';
import { asWritten, phraseOf, type TokenSpan, type Tokens } from '../tokens.ts';

export interface Reading {
  language: Language;
  lookup: PhraseLookup;
  text: string;
  tokens: Tokens;
  price: AskedPrice;
  rating: AskedRating;
  /** Price words that the levels cover. */
  priceWords: ReadonlySet<string>;
  clock: ClockTime;
  /** Time words that the requested time or the kinds cover. */
  timeWords: ReadonlySet<string>;
  /** True when the clock time and the date were taken into account. */
  timed: boolean;
  party: AskedParty | undefined;
  count: AskedParty | undefined;
  mentions: Mentions;
  negations: Negations;
  /** Negated words that are the name of a place. */
  deniedNames: readonly TokenSpan[];
  kinds: Kinds;
}

/** Returns a function that gives the words of a span as written in the question. */
export function speller({ text, tokens }: Reading): (span: TokenSpan) => string {
  return ({ from, to }) => asWritten(text, phraseOf(tokens, from, to));
}

/** True when every place of the answer satisfies a phrase, or the answer mentions it. */
export function isHonoured(match: Match, reading: Reading): boolean {
  const { negations, kinds, timeWords, priceWords } = reading;
  if (negations.unknown.includes(match)) return false;
  switch (match.section) {
    case 'category':
      return !kinds.facilities.includes(match) && !isAllergen(match, reading);
    case 'grammar':
      if (match.value === 'kitchen') return kinds.serves;
      return match.value !== 'party_after' || isStopPhrase(match, reading);
    case 'price':
      return priceWords.has(match.value) || !negations.wanted.includes(match);
    case 'time':
      return timeWords.has(match.value);
    case 'intent':
      return match.value !== 'here';
    case 'cuisine':
    case 'dish':
    case 'diet':
    case 'area':
    case 'destination':
      return true;
    case 'ask':
      return ASKED_WISHES[match.value] !== undefined;
    case 'number':
      return match.from === reading.count?.from;
    default:
      return false;
  }
}

/**
 * True for a negated kind in a question about an allergy: excluding seafood restaurants does not keep seafood off the
 * table.
 */
function isAllergen(match: Match, { mentions, negations }: Reading): boolean {
  return (
    !negations.wanted.includes(match) &&
    mentions.matches.some(({ section, value }) => section === 'ask' && value === 'allergy')
  );
}

/** True for a stop phrase: "with friends" does not constrain places, "adults only" does. */
function isStopPhrase({ from, to }: Match, { tokens, language, lookup }: Reading): boolean {
  return lookup(phraseOf(tokens, from, to)).senses?.small.has(language) === true;
}
