import { transliterate } from '../../../core/text/transliterate.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const unspacedScript =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the words of a text in lower-case Latin letters and digits, for any script. */
export function latinWords(text: string): string[] {
  // An apostrophe or a dot inside a word is part of it: "Domino's" and "T.J." are one word each.
  const plain = text.normalize('NFKC').replace(/(?<=\p{L})['’`´.](?=\p{L})/gu, '');
  return hasUnspacedScript(plain) ? segments(plain).flatMap(asciiWords) : asciiWords(plain);
}

/** True for a text in a script without spaces between words. */
export function hasUnspacedScript(text: string): boolean {
  return !isAscii(text) && unspacedScript.test(text);
}

/** Splits a text into words with the runtime's dictionary, before transliteration. */
function segments(text: string): string[] {
  return [...segmenter.segment(text)].filter((part) => part.isWordLike === true).map((part) => part.segment);
}

/**
 * Transliterates a text into ASCII words. Each character of a Chinese word becomes a syllable; they are joined, because
 * "zhu che chang" is one word.
 */
function asciiWords(text: string): string[] {
  const latin = isAscii(text) ? text : withoutAccents(transliterate(text));
  const joined = hasUnspacedScript(text) ? latin.replace(/\s+/g, '') : latin;
  return joined.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are ASCII too
  return /^[\x00-\x7f]*$/.test(text);
}
