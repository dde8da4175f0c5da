import { ownValue } from '../../core/input/own-value.ts';

/**
 * Kind of a term. Keys are strings whose characters are bytes. Those of a destination begin with its number, so that
 * all entries of one city are adjacent. The mark that follows separates kinds of terms, so that no text can turn a term
 * of one kind into one of another.
 *
 *   w word of a name      k category or cuisine    p word of an area or a city    a whole area
 *   f satisfied wish, hotel stars, ordinary place of a vertical    b brand, by its Wikidata id
 *   s word of an address, house numbers and postcodes included
 *   c country             d every place            o hour, with a piece of its bitmap, in a destination only
 *   n names of an area by language, in the table of areas only
 *   g map cell, i every place of a destination: in the world only
 */
export type Mark = 'w' | 'k' | 'p' | 'a' | 'c' | 'g' | 'd' | 'i' | 'f' | 'b' | 's' | 'n';

const KEY_BYTES_MAX = 400;
const ASCII = /^[\0-\x7f]*$/;

/** Encodes a term: its mark and its text as bytes. */
export function term(mark: Mark, text: string): string {
  const bytes = ASCII.test(text) ? text : Buffer.from(text).toString('latin1');
  return mark + (bytes.length > KEY_BYTES_MAX ? bytes.slice(0, KEY_BYTES_MAX) : bytes);
}

/** Text under which places with so many hotel stars are indexed, beside the wishes. */
export function starsKey(stars: number): string {
  return `stars_${stars}`;
}

/** Categories that the name of their vertical does not mean: who asks for a café wants no ice cream parlour. */
const LESSER: Readonly<Record<string, readonly string[]>> = {
  restaurant: ['fast_food', 'food_court'],
  cafe: ['ice_cream', 'internet_cafe'],
};

/** Text under which places are indexed that the name of their vertical means; undefined for other places. */
export function ordinaryKey(vertical: string, category?: string): string | undefined {
  const lesser = ownValue(LESSER, vertical);
  return lesser === undefined || (category !== undefined && lesser.includes(category))
    ? undefined
    : `ordinary_${vertical}`;
}

export function textOf(key: string): string {
  const bytes = key.slice(1);
  return ASCII.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

const DESTINATION_BYTES = 3;
/** Number of the scope that contains all destinations; it sorts last. */
export const WORLD = 2 ** 24 - 1;
const DOC_BYTES = 5;
const prefixes = new Map<number, string>();

export function destinationKey(number: number): string {
  let key = prefixes.get(number);
  if (key === undefined) prefixes.set(number, (key = bytesOf(number, DESTINATION_BYTES)));
  return key;
}

export function docKey(doc: number): string {
  return bytesOf(doc, DOC_BYTES);
}

export function bytesOf(value: number, length: number): string {
  let text = '';
  for (let i = 0, rest = value; i < length; i++, rest = Math.floor(rest / 256))
    text = String.fromCharCode(rest % 256) + text;
  return text;
}
