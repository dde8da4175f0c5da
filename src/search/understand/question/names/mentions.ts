import type { FoundLandmark } from '../../../landmark/landmark.ts';
import type { Language } from '../../lexicon/lexicon.ts';
import type { Match, Matched } from '../match-phrases.ts';
import type { TokenSpan, Tokens } from '../../tokens.ts';

/** A place of the directory that a question names. */
export interface NamedPlace {
  place_id: string;
  name: string;
  /** Null when the position is unknown. */
  point: { lat: number; lng: number } | null;
}

/** Index lookups for words that are not in the lexicon. */
export interface NameSearch {
  /** Finds a place by its whole name. */
  place(words: string): NamedPlace | undefined;
  /** Finds the landmark that words name; with `isLoose`, also when they are misspelt. */
  landmark(words: string, isLoose: boolean): FoundLandmark | undefined;
  /** Finds an area as written in records. */
  area(words: string): string | undefined;
  /** Finds a kind of place as written in records. */
  kind(word: string): { value: string; isKitchen: boolean } | undefined;
}

export interface MentionQuery {
  tokens: Tokens;
  language: Language;
  matched: Matched;
  raw: string;
  search: NameSearch;
}

/** State of a question while names are being looked up in it. */
export interface Mentions {
  matches: Match[];
  /** Tokens without meaning, by index: true for a stop word, false for a word that was not understood. */
  open: Map<number, boolean>;
  areas: string[];
  categories: string[];
  nearArea: boolean;
  landmark: (FoundLandmark & TokenSpan) | undefined;
  named: NamedPlace | undefined;
  /** Tokens that are part of a name. */
  nameTokens: Set<number>;
  /** Names that are not in the directory. */
  unknownNames: TokenSpan[];
  /** A landmark that is not in the directory. */
  unknownLandmark: TokenSpan | undefined;
}

/** Marks tokens as a name and removes their other meanings. */
export function take(mentions: Mentions, { from, to }: TokenSpan): void {
  mentions.matches = mentions.matches.filter((match) => match.to <= from || match.from >= to);
  for (let at = from; at < to; at++) {
    mentions.open.delete(at);
    mentions.nameTokens.add(at);
  }
}

/**
 * True when every word of a span is understood. A kind of place alone is not a name, although many names contain one.
 */
export function isExplained({ open }: Mentions, { from, to }: TokenSpan): boolean {
  for (let at = from; at < to; at++) if (open.get(at) === false) return false;
  return true;
}
