import { remember } from '../../core/memory/remember.ts';
import { fold, latinForm, wordsIn, wordsOf } from '../../core/text/fold.ts';
import { cellsOf } from '../query/geo-cells.ts';
import { categoryKey } from '../query/synonyms.ts';
import { hash48, term } from '../store/keys.ts';
import type { Described } from '../store/stored-place.ts';
import { otherNames } from '../store/place-row.ts';

const KEPT_MAX = 100_000;

export interface PlaceTerms {
  /** Each once, in no order. */
  terms: Set<string>;
  /** Hashes of the whole names. */
  names: Set<number>;
}

/** Where a term of a place has its list: in its destination, in the world, or in both. */
export function scopesOf(one: string): { isHere: boolean; isWorld: boolean } {
  const mark = one.charAt(0);
  return mark === 'g' || mark === 'i' ? WORLD_ONLY : mark === 'a' ? HERE_ONLY : BOTH;
}

const BOTH = { isHere: true, isWorld: true };
const HERE_ONLY = { isHere: true, isWorld: false };
const WORLD_ONLY = { isHere: false, isWorld: true };

/** What many places share is worked out once. */
const kindTerm = remember((kind) => term('k', categoryKey(kind)), KEPT_MAX);
const areaTerm = remember((area) => term('a', categoryKey(area)), KEPT_MAX);
const whereTerms = remember((where) => wordsOf(where).map((word) => term('p', word)), KEPT_MAX);
const wordTerm = remember((word) => term('w', word), KEPT_MAX);

/** Everything that a place is found by. */
export function termsOf(place: Described): PlaceTerms {
  const { vertical, category, categories, cuisine, country, area, city } = place;
  const terms = new Set([
    term('d', ''),
    term('c', country.toLowerCase()),
    kindTerm(vertical),
    kindTerm(category),
  ]);
  const names = new Set<number>();
  for (const kind of categories) terms.add(kindTerm(kind));
  for (const kind of cuisine) terms.add(kindTerm(kind));
  if (area !== null) terms.add(areaTerm(area));
  for (const where of [area, city]) if (where !== null) for (const one of whereTerms(where)) terms.add(one);
  addName(place.name, terms, names);
  for (const name of otherNames(place)) addName(name, terms, names);
  for (const cell of cellsOf(place.lat, place.lng)) terms.add(cell);
  return { terms, names };
}

function addName(name: string, terms: Set<string>, names: Set<number>): void {
  addFolded(fold(name), terms, names);
  const latin = latinForm(name);
  if (latin !== undefined) addFolded(fold(latin), terms, names);
}

function addFolded(folded: string, terms: Set<string>, names: Set<number>): void {
  names.add(wholeName(folded));
  for (const word of wordsIn(folded)) terms.add(wordTerm(word));
}

/** The name is folded. Without its spaces, because "Star Bucks" is Starbucks and "beefbar" may be the Beef Bar. */
export function wholeName(folded: string): number {
  return hash48(folded.replaceAll(' ', ''));
}
