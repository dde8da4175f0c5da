/**
 * Keys are texts whose characters are bytes. Those of a destination begin with its number, so that everything about one
 * city lies together; the mark that follows tells kinds of terms apart, so that whatever a name says, no term of one kind
 * is one of another.
 *
 *   w word of a name      k category or cuisine    p word of an area or a city    a whole area
 *   f wish that it fulfils b brand, by its number in Wikidata
 *   c country             d every place            o hour, with a piece of its bits, in a destination only
 *   g square of the map, i every place of a destination: in the world only
 */
export type Mark = 'w' | 'k' | 'p' | 'a' | 'c' | 'g' | 'd' | 'i' | 'f' | 'b' | 's';

const KEY_BYTES_MAX = 400;
const ASCII = /^[\0-\x7f]*$/;

/** A term as it stands in keys: its mark and its text as bytes. */
export function term(mark: Mark, text: string): string {
  const bytes = ASCII.test(text) ? text : Buffer.from(text).toString('latin1');
  return mark + (bytes.length > KEY_BYTES_MAX ? bytes.slice(0, KEY_BYTES_MAX) : bytes);
}

/** The text of a term, without its mark. */
export function textOf(key: string): string {
  const bytes = key.slice(1);
  return ASCII.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

export const DESTINATION_BYTES = 3;
/** All destinations together have lists of their own, under the number that comes last. */
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

/**
 * Six bytes that stand for a text of any length: among ten million texts the wrong one is met once in 28 million. Two
 * multiplicative hashes side by side, mixed at the end (the form that is known as cyrb53).
 */
export function hash48(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (b & 0xffffff) * 2 ** 24 + ((a ^ (a >>> 24)) & 0xffffff);
}
