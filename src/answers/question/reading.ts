import { ASKED_WISHES } from '../search/wishes.ts';
import { LEXICON, type Language } from './lexicon.ts';
import type { Match } from './match-phrases.ts';
import type { Mentions } from './names/mentions.ts';
import type { Clock } from './time/read-clock.ts';
import type { Kinds } from './read-kinds.ts';
import type { Negations } from './read-negations.ts';
import type { AskedCount, AskedParty } from './read-party.ts';
import type { AskedPrice } from './figures/read-price.ts';
import type { AskedRating } from './figures/read-rating.ts';
import { asWritten, phraseOf, type Span, type Units } from './units.ts';

/** A question as far as it was understood. */
export interface Reading {
  language: Language;
  text: string;
  units: Units;
  price: AskedPrice;
  rating: AskedRating;
  /** Words for a price that the levels stand for. */
  priceWords: ReadonlySet<string>;
  clock: Clock;
  /** Words of time that the moment or the kinds stand for. */
  timeWords: ReadonlySet<string>;
  /** Whether the clock time and the date were looked at. */
  timed: boolean;
  party: AskedParty | undefined;
  count: AskedCount | undefined;
  mentions: Mentions;
  negations: Negations;
  /** Negated words that are the name of a place. */
  deniedNames: readonly Span[];
  kinds: Kinds;
}

/** The words of some units as the question writes them. */
export function speller({ text, units }: Reading): (span: Span) => string {
  return ({ from, to }) => asWritten(text, phraseOf(units, from, to));
}

/** Whether every place of the answer keeps to what a phrase says, or the answer speaks about it. */
export function isHonoured(match: Match, reading: Reading): boolean {
  const { negations, kinds, timeWords, priceWords } = reading;
  if (negations.unknown.includes(match)) return false;
  switch (match.section) {
    case 'category':
      return !kinds.facilities.includes(match) && !isAllergen(match, reading);
    case 'grammar':
      if (match.value === 'kitchen') return kinds.serves;
      return match.value !== 'party_after' || isSmall(match, reading);
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

/** Who leaves seafood restaurants out has not kept seafood off the table. */
function isAllergen(match: Match, { mentions, negations }: Reading): boolean {
  return (
    !negations.wanted.includes(match) &&
    mentions.matches.some(({ section, value }) => section === 'ask' && value === 'allergy')
  );
}

/** "with friends" says nothing about places; "adults only" does. */
function isSmall({ from, to }: Match, { units, language }: Reading): boolean {
  return LEXICON.find(phraseOf(units, from, to))?.small.has(language) === true;
}
