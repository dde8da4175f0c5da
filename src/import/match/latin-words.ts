import { transliterate } from 'transliteration';

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const unspacedScript = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The words of a text in lower-case Latin letters and digits, whatever the script. */
export function latinWords(text: string): string[] {
  // An apostrophe or a dot inside a word belongs to it: "Domino's" and "T.J." are one word each.
  const plain = text.normalize('NFKC').replace(/(?<=\p{L})['’`´.](?=\p{L})/gu, '');
  return splitWords(plain).flatMap((word) => asciiWords(transliterate(word)));
}

export function isUnspaced(text: string): boolean {
  return unspacedScript.test(text);
}

/** Scripts without spaces are cut by the dictionary of the runtime, before their letters are changed. */
function splitWords(text: string): string[] {
  if (!isUnspaced(text)) return [text];
  return [...segmenter.segment(text)].filter((part) => part.isWordLike === true).map((part) => part.segment);
}

function asciiWords(text: string): string[] {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
}
