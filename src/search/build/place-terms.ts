import { fold, latinForm, wordsIn, wordsOf } from '../../core/text/fold.ts';
import { cellsOf } from '../query/geo-cells.ts';
import { categoryKey } from '../query/synonyms.ts';
import { hash48, term, WORLD } from '../store/keys.ts';
import type { Described } from '../store/stored-place.ts';
import { otherNames } from '../store/place-row.ts';

export interface PlaceTerms {
  /** Each once, in no order. */
  terms: Set<string>;
  /** Hashes of the whole names. */
  names: Set<number>;
}

/** The lists that a term of a place is noted in: those of its destination and of the world, or one of them. */
export function scopesOf(one: string, destination: number): readonly number[] {
  if (one.startsWith('g') || (one.startsWith('d') && one.length > 1)) return [WORLD];
  return one.startsWith('a') ? [destination] : [destination, WORLD];
}

/** Everything that a place is found by. */
export function termsOf(place: Described): PlaceTerms {
  const { vertical, category, categories, cuisine, country, area, city } = place;
  const terms = new Set<string>([term('d', ''), term('c', country.toLowerCase())]);
  const names = new Set<number>();
  for (const kind of [vertical, category, ...categories, ...cuisine]) terms.add(term('k', categoryKey(kind)));
  if (area !== null) terms.add(term('a', categoryKey(area)));
  for (const where of [area, city])
    if (where !== null) for (const word of wordsOf(where)) terms.add(term('p', word));
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
  for (const word of wordsIn(folded)) terms.add(term('w', word));
}

/** The name is folded. Without its spaces, because "Star Bucks" is Starbucks and "beefbar" may be the Beef Bar. */
export function wholeName(folded: string): number {
  return hash48(folded.replaceAll(' ', ''));
}
