import { transliterate } from './transliterate.ts';

const LATIN_ONLY = /^[\p{Script=Latin}\p{N}\p{P}\p{S}\p{Z}\p{M}\p{Cc}]*$/u;
const ASCII_ONLY = /^[\u0020-\u007e]*$/;

/** The searchable form of a name: lower case, without accents, with single spaces. Scripts stay as they are. */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return foldAscii(text);
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  if (ASCII_ONLY.test(plain)) return foldAscii(plain);
  return plain
    .replace(/[’'ʼ`´]/g, '')
    .replace(OWN_LETTERS, (letter) => AS_TYPED[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .normalize('NFC');
}

/** Letters that no normal form takes apart, as people type them who do not have them on their keyboard. */
const AS_TYPED: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
  ə: 'e',
  ɓ: 'b',
  ɗ: 'd',
};
const OWN_LETTERS = new RegExp(`[${Object.keys(AS_TYPED).join('')}]`, 'g');

const FOLDED = /^[a-z0-9]+(?: [a-z0-9]+)*$/;

function foldAscii(text: string): string {
  const lower = text.toLowerCase();
  if (FOLDED.test(lower)) return lower;
  return lower
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** The words of a text, folded. Scripts that write without spaces are cut into pairs of characters. */
export function wordsOf(text: string): string[] {
  return wordsIn(fold(text));
}

/** The words of a text that is folded already. */
export function wordsIn(folded: string): string[] {
  const words: string[] = [];
  for (const word of folded.split(' ')) {
    if (word === '') continue;
    if (isUnspaced(word)) words.push(...pairs(word));
    else words.push(word);
  }
  return words;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Whether a word is of a script that writes without spaces: it may be a sentence. */
export function isUnspaced(word: string): boolean {
  return !ASCII_ONLY.test(word) && UNSPACED.test(word);
}

function pairs(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length <= 2) return [word];
  return characters.slice(1).map((character, i) => (characters[i] ?? '') + character);
}

/** The name in Latin letters, or undefined where it is written in them already. */
export function latinForm(text: string): string | undefined {
  if (ASCII_ONLY.test(text) || LATIN_ONLY.test(text)) return undefined;
  const latin = transliterate(text).trim();
  return latin === '' ? undefined : latin;
}
