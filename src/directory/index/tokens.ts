import { remember } from '../../core/remember.ts';
import { fold, latinForm, wordsIn, wordsOf } from '../fold.ts';
import { cellsOf } from './geo-cells.ts';
import { categoryKey } from './synonyms.ts';

/** What the index knows a place by. */
export interface PlaceWords {
  destination: number;
  country: string;
  name: string;
  otherNames: readonly string[];
  categories: readonly string[];
  area: string | null;
  city: string | null;
  lat: number;
  lng: number;
  unverified: boolean;
}

/**
 * Every filter is a token, and filters that are asked for together are one token together: `5_pizza` stands beside
 * `pizza` for destination 5, so that the most frequent searches read a single list.
 *
 *   word            a word of a name                 5_word           in destination 5
 *   n_wholename     the whole name                   5                the destination itself
 *   k_pizza         a category or cuisine            5k_pizza         in the destination
 *   5a_canggu       an area                          5a_canggu_k_bar  a category in an area
 *   5w_canggu       a word of an area or city        c_id, g13x…      country, square of the map
 *   5u              hours that nobody has verified
 */
export function placeTokens(place: PlaceWords): { tokens: string[]; words: string[] } {
  const scope = String(place.destination);
  const words = new Set<string>();
  const tokens = new Set<string>([scope, `c_${place.country.toLowerCase()}`]);
  if (place.unverified) tokens.add(`${scope}u`);
  for (const name of [place.name, ...place.otherNames]) {
    addName(tokens, words, name);
    const latin = latinForm(name);
    if (latin !== undefined) addName(tokens, words, latin);
  }
  for (const word of words) tokens.add(word).add(`${scope}_${word}`);
  const areas = place.area === null ? [] : [areaKey(place.area)];
  for (const area of areas) tokens.add(`${scope}a_${area}`);
  for (const category of place.categories) {
    tokens.add(`k_${category}`).add(`${scope}k_${category}`);
    for (const area of areas) tokens.add(`${scope}a_${area}_k_${category}`);
  }
  for (const text of [place.area, place.city]) {
    for (const word of text === null ? [] : areaWords(text)) tokens.add(`w_${word}`).add(`${scope}w_${word}`);
  }
  for (const cell of cellsOf(place.lat, place.lng)) tokens.add(cell);
  return { tokens: [...tokens], words: [...words] };
}

function addName(tokens: Set<string>, words: Set<string>, name: string): void {
  const folded = fold(name);
  tokens.add(wholeOf(folded));
  for (const word of wordsIn(folded)) words.add(word);
}

/** Areas and cities stand on many places. */
const REMEMBERED = 50_000;
const areaKey = remember(categoryKey, REMEMBERED);
const areaWords = remember(wordsOf, REMEMBERED);

/** Without its spaces, because "Star Bucks" is Starbucks and "beefbar" may be the Beef Bar. */
export function wholeName(name: string): string {
  return wholeOf(fold(name));
}

function wholeOf(folded: string): string {
  return `n_${folded.replaceAll(' ', '')}`;
}
