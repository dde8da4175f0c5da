import { transliterate } from '../../../core/text/transliterate.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const unspacedScript =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the words of a text in lower-case Latin letters and digits, for any script. */
export function latinWords(text: string): string[] {
  // An apostrophe or a dot inside a word is part of it: "Domino's" and "T.J." are one word each.
  const plain = text.normalize('NFKC').replace(/(?<=\p{L})['’`´.](?=\p{L})/gu, '');
  return hasUnspacedScript(plain)
    ? Array.from(segmenter.segment(plain)).flatMap((part) =>
        part.isWordLike === true ? asciiWords(part.segment) : [],
      )
    : asciiWords(plain);
}

/** True for a text in a script without spaces between words. */
export function hasUnspacedScript(text: string): boolean {
  return !isAscii(text) && unspacedScript.test(text);
}

/** Transliterates a text into ASCII words. The syllables of a Chinese word are joined: "zhuchechang". */
function asciiWords(text: string): string[] {
  const latin = isAscii(text)
    ? text
    : transliterate(text)
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '');
  const joined = hasUnspacedScript(text) ? latin.replace(/\s+/g, '') : latin;
  return joined.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are ASCII too
  return /^[\x00-\x7f]*$/.test(text);
}
