import lettersAsTyped from './letters-as-typed.json' with { type: 'json' };
import { transliterate } from './transliterate.ts';

const LATIN_ONLY = /^[\p{Script=Latin}\p{N}\p{P}\p{S}\p{Z}\p{M}\p{Cc}]*$/u;
const ASCII_ONLY = /^[\u0020-\u007e]*$/;

/** Searchable form of a name: lower case, without accents, with single spaces. Scripts are not converted. */
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

/** Letters that no normal form decomposes, as typed on a keyboard without them. */
const AS_TYPED: Readonly<Record<string, string>> = lettersAsTyped;
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

/** Returns the folded words of a text. Scripts that write without spaces are split into pairs of characters. */
export function wordsOf(text: string): string[] {
  return wordsIn(fold(text));
}

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

/** True for a script that writes without spaces: such a word may be a sentence. */
export function isUnspaced(word: string): boolean {
  return !ASCII_ONLY.test(word) && UNSPACED.test(word);
}

function pairs(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length <= 2) return [word];
  return characters.slice(1).map((character, i) => (characters[i] ?? '') + character);
}

/** Returns the name in Latin letters, or undefined when it is already written in them. */
export function latinForm(text: string): string | undefined {
  if (ASCII_ONLY.test(text) || LATIN_ONLY.test(text)) return undefined;
  const latin = transliterate(text).trim();
  return latin === '' ? undefined : latin;
}
