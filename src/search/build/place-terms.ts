import { ownValue } from '../../core/input/own-value.ts';
import { fold, latinForm, wordsIn, wordsOf } from '../../core/text/fold.ts';
import { cellAt, cellTerms } from '../query/geo-cells.ts';
import { categoryKey } from '../understand/category-key.ts';
import { RELIGIOUS_KINDS } from '../understand/religious-kinds.ts';
import { wishesMet } from '../../directory/place/facts.ts';
import { hash48, term, type Mark } from '../store/keys.ts';
import type { Described } from '../store/stored-place.ts';
import { otherNames } from '../store/place-row.ts';

/** Hears of everything that a place is found by, some of it twice. */
export interface TermListener {
  /** A text that gives the terms of `termsUnder`. */
  said(mark: Mark, text: string): void;
  /** The hash of a whole name. */
  named(hash: number): void;
  /** The square of the map that it lies in, see `cellTerms`. */
  lies(cell: number): void;
}

export function tellTerms(place: Described, listener: TermListener): void {
  listener.said('d', '');
  listener.said('c', place.country);
  listener.said('k', place.vertical);
  listener.said('k', place.category);
  for (const kind of place.categories) listener.said('k', kind);
  for (const kind of place.cuisine) listener.said('k', kind);
  for (const area of place.areas) {
    listener.said('a', area);
    listener.said('p', area);
  }
  if (place.area !== null && !place.areas.includes(place.area)) {
    // Where it is known what a place lies in, its address says only what somebody may write.
    if (place.areas.length === 0) listener.said('a', place.area);
    listener.said('p', place.area);
  }
  if (place.facts !== null) {
    for (const wish of wishesMet(place.facts)) listener.said('f', wish);
    const { religion = '' } = place.facts;
    const kind = ownValue(RELIGIOUS_KINDS, religion);
    if (kind !== undefined) listener.said('k', kind);
    if (place.facts.brand_wikidata !== undefined) listener.said('b', place.facts.brand_wikidata);
  }
  if (place.city !== null) listener.said('p', place.city);
  if (place.address !== null) listener.said('s', place.address);
  tellName(place.name, listener);
  for (const name of otherNames(place)) tellName(name, listener);
  if (place.lat !== null && place.lng !== null) listener.lies(cellAt(place.lat, place.lng));
}

function tellName(name: string, listener: TermListener): void {
  tellFolded(fold(name), listener);
  const latin = latinForm(name);
  if (latin !== undefined) tellFolded(fold(latin), listener);
}

function tellFolded(folded: string, listener: TermListener): void {
  listener.named(wholeName(folded));
  for (const word of wordsIn(folded)) listener.said('w', word);
}

/** The terms that a text gives under a mark. */
export function termsUnder(mark: Mark, text: string): string[] {
  if (mark === 'p') return wordsOf(text).map((word) => term('p', word));
  // The number of a house is no word that somebody looks for.
  if (mark === 's')
    return wordsOf(text)
      .filter((word) => !/\d/.test(word))
      .map((word) => term('s', word));
  return [
    term(mark, mark === 'k' || mark === 'a' ? categoryKey(text) : mark === 'c' ? text.toLowerCase() : text),
  ];
}

/** Where a term of a place has its list: in its destination, in the world, or in both. */
export function scopesOf(one: string): { isHere: boolean; isWorld: boolean } {
  const mark = one.charAt(0);
  return mark === 'g' || mark === 'i' ? WORLD_ONLY : BOTH;
}

const BOTH = { isHere: true, isWorld: true };
const WORLD_ONLY = { isHere: false, isWorld: true };

export interface PlaceTerms {
  /** Each once, in no order. */
  terms: Set<string>;
  /** Hashes of the whole names. */
  names: Set<number>;
}

/** Everything that a place is found by. */
export function termsOf(place: Described): PlaceTerms {
  const terms = new Set<string>();
  const names = new Set<number>();
  const add = (made: readonly string[]) => {
    for (const one of made) terms.add(one);
  };
  tellTerms(place, {
    said: (mark, text) => {
      add(termsUnder(mark, text));
    },
    named: (hash) => names.add(hash),
    lies: (cell) => {
      add(cellTerms(cell));
    },
  });
  return { terms, names };
}

/** The name is folded. Without its spaces, because "Star Bucks" is Starbucks and "beefbar" may be the Beef Bar. */
export function wholeName(folded: string): number {
  return hash48(folded.replaceAll(' ', ''));
}
