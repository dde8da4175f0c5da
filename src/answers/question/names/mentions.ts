import type { Language } from '../lexicon.ts';
import type { Match, Matched } from '../match-phrases.ts';
import type { Span, Units } from '../units.ts';

/** A place of the directory that was named in a question. */
export interface NamedPlace {
  place_id: string;
  name: string;
  /** Null where its position is not known. */
  point: { lat: number; lng: number } | null;
}

/** What the index is asked about words that no lexicon explains. */
export interface NameSearch {
  /** A place with this whole name; with `part`, one whose name has all of these words. */
  place(words: string, part: boolean): NamedPlace | undefined;
  /** An area as records write it. */
  area(words: string): string | undefined;
  /** A kind of places as records write it, and whether it is a kitchen. */
  kind(word: string): { value: string; isKitchen: boolean } | undefined;
}

export interface MentionQuery {
  units: Units;
  language: Language;
  matched: Matched;
  raw: string;
  search: NameSearch;
}

/** What is known about the words of a question while names are looked for in it. */
export interface Mentions {
  matches: Match[];
  /** Units that say nothing, or that nobody understood: by number, true where it is a small word. */
  open: Map<number, boolean>;
  areas: string[];
  categories: string[];
  nearArea: boolean;
  landmark: (NamedPlace & Span) | undefined;
  named: NamedPlace | undefined;
  /** Units that are part of a name. */
  taken: Set<number>;
  /** Names that the directory does not know. */
  unknownNames: Span[];
  /** What is to be near and is not known. */
  unknownLandmark: Span | undefined;
}

/** Units that turned out to be a name say nothing else. */
export function take(mentions: Mentions, { from, to }: Span): void {
  mentions.matches = mentions.matches.filter((match) => match.to <= from || match.from >= to);
  for (let at = from; at < to; at++) {
    mentions.open.delete(at);
    mentions.taken.add(at);
  }
}

/** A kind of place is no name, although many names have it in them. */
export function isExplained({ open }: Mentions, { from, to }: Span): boolean {
  for (let at = from; at < to; at++) if (open.get(at) === false) return false;
  return true;
}
