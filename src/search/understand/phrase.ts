import type { Senses } from './lexicon/senses.ts';

/** Possible meanings of a phrase. */
export interface KnownPhrase {
  /** Each kind is followed by broader ones. */
  kinds: readonly (readonly string[])[];
  cuisines: readonly string[];
  /** Kinds that are meant when no place has the phrase in its name. */
  weak: readonly string[];
  brands: readonly string[];
  wishes: readonly string[];
  /** Other forms of the same word. */
  same: readonly string[];
  price: string | undefined;
  /** Slug of a destination. */
  code: string | undefined;
  openNow: boolean;
  isStopWord: boolean;
  isPraise: boolean;
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
  is: 'name' | 'kind' | 'cuisine' | 'brand' | 'wish' | 'area' | 'open' | 'price';
  /** Values in the answer: kinds, an area, a brand by its number, a price range. */
  values: readonly string[];
  isPraise: boolean;
}
