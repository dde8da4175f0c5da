import { remember } from '../../core/remember.ts';
import { fold, latinForm, wordsIn } from '../fold.ts';
import { cellsAt } from './geo-cells.ts';
import { placeSetting } from './place-setting.ts';

/** What the index knows a place by. */
export interface PlaceWords {
  destination: number;
  country: string;
  name: string;
  otherNames: Iterable<string>;
  /** Its vertical, categories and cuisines as they are stored. */
  kinds: readonly string[];
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
 *
 * The text may name a token twice; the index takes it once.
 */
export function placeTokens(place: PlaceWords): { tokens: string; words: string[] } {
  const scope = place.destination;
  const { tokens: shared, kinds } = placeSetting(scope, place.area, place.city);
  let tokens = `${shared} ${countryToken(place.country)} ${cellsAt(place.lat, place.lng)}`;
  if (place.unverified) tokens += ` ${scope}u`;
  // A vertical is often the category too.
  for (const [i, kind] of place.kinds.entries()) if (place.kinds.indexOf(kind) === i) tokens += kinds(kind);
  const words: string[] = [];
  tokens += nameTokens(place.name, words);
  for (const name of place.otherNames) tokens += nameTokens(name, words);
  for (const word of words) tokens += ` ${word} ${scope}_${word}`;
  return { tokens, words };
}

function nameTokens(name: string, words: string[]): string {
  const latin = latinForm(name);
  return foldedTokens(fold(name), words) + (latin === undefined ? '' : foldedTokens(fold(latin), words));
}

function foldedTokens(folded: string, words: string[]): string {
  // A name has few words: to look through them is quicker than a set.
  for (const word of wordsIn(folded)) if (!words.includes(word)) words.push(word);
  return ` ${wholeOf(folded)}`;
}

const countryToken = remember((country) => `c_${country.toLowerCase()}`, 1_000);

/** Without its spaces, because "Star Bucks" is Starbucks and "beefbar" may be the Beef Bar. */
export function wholeName(name: string): string {
  return wholeOf(fold(name));
}

function wholeOf(folded: string): string {
  return `n_${folded.replaceAll(' ', '')}`;
}
