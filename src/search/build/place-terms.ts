import { ownValue } from '../../core/input/own-value.ts';
import { fold, latinForm, wordsIn, wordsOf } from '../../core/text/fold.ts';
import { areaKeyOf } from '../areas/area-key.ts';
import { kindNamesIfGenerated } from '../../directory/place/generated-name.ts';
import { cellAt, cellTerms } from '../query/geo-cells.ts';
import { categoryKey } from '../understand/category-key.ts';
import { foldWords } from '../understand/tokens.ts';
import { RELIGIOUS_KINDS } from '../understand/lexicon/kind-words.ts';
import { wishesMet } from '../../directory/place/facts.ts';
import { hash48 } from '../../core/text/hash48.ts';
import { ordinaryKey, starsKey, term, type Mark } from '../store/keys.ts';
import { otherNames, type Described } from '../store/place-row.ts';

/** Kind of a text that yields terms. Those of a postcode (`z`) are words of the address. */
export type TextMark = Mark | 'z';

/** Receives everything that a place is found by. Terms may be reported more than once. */
export interface TermListener {
  /** Receives a text that yields the terms of `termsUnder`. */
  addText(mark: TextMark, text: string): void;
  addName(hash: number): void;
  /** Receives the map cell of the place, see `cellTerms`. */
  addCell(cell: number): void;
}

export function emitTerms(place: Described, listener: TermListener): void {
  listener.addText('d', '');
  listener.addText('c', place.country);
  listener.addText('k', place.vertical);
  listener.addText('k', place.category);
  const ordinary = ordinaryKey(place.vertical, place.category);
  if (ordinary !== undefined) listener.addText('f', ordinary);
  for (const kind of place.categories) listener.addText('k', kind);
  for (const kind of place.cuisine) listener.addText('k', kind);
  for (const area of place.areas) {
    listener.addText('a', area);
    listener.addText('p', area);
  }
  if (place.area !== null && !place.areas.includes(place.area)) {
    // When the areas of a place are known, its address area is only used for text search.
    if (place.areas.length === 0) listener.addText('a', place.area);
    listener.addText('p', place.area);
  }
  if (place.facts !== null) {
    for (const wish of wishesMet(place.facts)) listener.addText('f', wish);
    const { religion = '', stars, postcode } = place.facts;
    if (stars !== undefined) listener.addText('f', starsKey(stars));
    if (postcode !== undefined) listener.addText('z', postcode);
    const kind = ownValue(RELIGIOUS_KINDS, religion);
    if (kind !== undefined) listener.addText('k', kind);
    if (place.facts.brand_wikidata !== undefined) listener.addText('b', place.facts.brand_wikidata);
  }
  if (place.city !== null) listener.addText('p', place.city);
  if (place.address !== null) listener.addText('s', place.address);
  // A generated name repeats kind and area, which are terms already.
  if (kindNamesIfGenerated(place) === undefined) emitName(place.name, listener);
  for (const name of otherNames(place)) emitName(name, listener);
  if (place.lat !== null && place.lng !== null) listener.addCell(cellAt(place.lat, place.lng));
}

function emitName(name: string, listener: TermListener): void {
  emitFoldedName(fold(name), listener);
  const latin = latinForm(name);
  if (latin !== undefined) emitFoldedName(fold(latin), listener);
}

function emitFoldedName(folded: string, listener: TermListener): void {
  listener.addName(wholeName(folded));
  for (const word of wordsIn(folded)) listener.addText('w', word);
}

export function termsUnder(mark: TextMark, text: string): string[] {
  if (mark === 'p') return wordsOf(text).map((word) => term('p', word));
  if (mark === 's') return addressWords(text).map((word) => term('s', word));
  if (mark === 'z') return postcodeWords(text).map((word) => term('s', word));
  if (mark === 'k') return [term('k', categoryKey(text))];
  if (mark === 'a') return [term('a', areaKeyOf(text))];
  return [term(mark, mark === 'c' ? text.toLowerCase() : text)];
}

const UNSPACED_DIGITS = /(?<=\P{ASCII})(?=\d)|(?<=\d)(?=\P{ASCII})/gu;

/** Returns the words of an address, with and without elisions: Ostende and dostende for Avenue d'Ostende. */
function addressWords(text: string): string[] {
  const words = wordsOf(text);
  if (ASCII_WORDS.test(text)) return words;
  // In scripts without spaces a house number follows its street directly: 銀座8.
  const apart = foldWords(text).replace(UNSPACED_DIGITS, ' ');
  return [...new Set([...words, ...wordsIn(apart)])];
}

const ASCII_WORDS = /^[\w ,.-]*$/;
const COUNTRY_CODE = /^([a-z]{1,3})(\d{3,})$/;

/** Returns a postcode as one word, as people write it in parts, and without the code of its country. */
function postcodeWords(text: string): string[] {
  const folded = fold(text);
  const whole = folded.replaceAll(' ', '');
  const [, country, rest] = COUNTRY_CODE.exec(whole) ?? [];
  const parts = country === undefined || rest === undefined ? [] : [country, rest];
  return [...new Set([whole, ...folded.split(' '), ...parts])];
}

/** Returns the scopes in which a term has its list: its destination, the world, or both. */
export function scopesOf(one: string): { isHere: boolean; isWorld: boolean } {
  const mark = one.charAt(0);
  return mark === 'g' || mark === 'i' ? WORLD_ONLY : BOTH;
}

const BOTH = { isHere: true, isWorld: true };
const WORLD_ONLY = { isHere: false, isWorld: true };

export interface PlaceTerms {
  /** Unique, unordered. */
  terms: Set<string>;
  names: Set<number>;
}

export function placeTerms(place: Described): PlaceTerms {
  const terms = new Set<string>();
  const names = new Set<number>();
  const add = (added: readonly string[]) => {
    for (const one of added) terms.add(one);
  };
  emitTerms(place, {
    addText: (mark, text) => {
      add(termsUnder(mark, text));
    },
    addName: (hash) => names.add(hash),
    addCell: (cell) => {
      add(cellTerms(cell));
    },
  });
  return { terms, names };
}

/** Hashes a folded name without its spaces, because "Star Bucks" is Starbucks and "beefbar" may be the Beef Bar. */
export function wholeName(folded: string): number {
  return hash48(folded.replaceAll(' ', ''));
}
