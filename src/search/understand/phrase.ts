import type { Senses } from './lexicon/senses.ts';

/** Possible meanings of a phrase. */
export interface KnownPhrase {
  /** Each kind is followed by broader ones. */
  kinds: readonly (readonly string[])[];
  cuisines: readonly string[];
  /** Kinds and cuisines that a dish implies, the closest first. */
  implied: readonly string[];
  /** Kinds that sell the thing, each followed by broader ones. */
  soldAt: readonly (readonly string[])[];
  /** True for words for buying. */
  isBuying: boolean;
  /** Kinds that are meant when no place has the phrase in its name. */
  weak: readonly string[];
  brands: readonly string[];
  wishes: readonly string[];
  /** Other forms of the same word. */
  same: readonly string[];
  price: string | undefined;
  /** Hotel stars: 4 means exactly four, 4+ at least four. */
  stars: string | undefined;
  /** Slug of a destination. */
  code: string | undefined;
  /** Openings that it requests: `now`, a weekday, `late` and others (opening.ts). */
  openings: readonly string[];
  isStopWord: boolean;
  /** True for words such as best, cosy or seven, which describe any place. */
  isPraise: boolean;
  /** True for words such as street and avenue. */
  isStreet: boolean;
  joins: boolean;
  /** Length in words of the longest phrase that begins with this one. */
  longest: number;
  /** Meanings in the languages in which questions are understood. */
  senses: Senses | undefined;
  /** Length in tokens of the longest phrase with senses that begins with this one. */
  longestSense: number;
}

/** A group of words in a text, and what they request. */
export interface Part {
  /** The words, folded. */
  text: string;
  /** Words as indexed for names. */
  words: readonly string[];
  /** Terms of which a place must have one to match by more than its name. */
  terms: readonly string[];
  /** Terms of kinds that a dish implies, the closest first. They match after everything else. */
  implied: readonly string[];
  is: 'name' | 'kind' | 'cuisine' | 'brand' | 'wish' | 'area' | 'open' | 'price' | 'stars';
  /** Values in the answer: kinds, an area, a brand by its number, a price range, hotel stars, openings. */
  values: readonly string[];
  weight: Weight;
}

/**
 * Role of a part when no place matches all parts. `minor` words, such as best, or a number without a street, only match
 * names and are dropped first. A `number` may be of a house or a postcode; it is dropped before its street.
 */
export type Weight = 'plain' | 'minor' | 'number' | 'street';
