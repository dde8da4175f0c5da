import { hasUnspacedScript, latinWords } from './latin-words.ts';
import { partWords, wordWeight } from './word-weight.ts';

export interface NameForm {
  /** Words in Latin letters, without articles and legal forms. */
  readonly words: readonly string[];
  /** Name in its original script, without accents, spaces and punctuation. */
  readonly original: string;
  /** True for a script without spaces, where word boundaries are guessed. */
  readonly unspaced: boolean;
}

const formsPerRecord = 12;
const longestName = 200;
const noLocalWords: ReadonlySet<string> = new Set();

/** Returns all forms of all names: as given, without brackets, and the Latin and the other part of a mixed name. */
export function nameForms(names: readonly string[]): NameForm[] {
  const texts = new Set(names.flatMap((name) => nameTexts(name.slice(0, longestName))));
  return [...texts]
    .map(nameForm)
    .filter((form) => form.words.length > 0)
    .slice(0, formsPerRecord);
}

function nameTexts(name: string): string[] {
  const bare = name.replace(/[(（[【].*?[)）\]】]/gu, (remark) => (mentionsPart(remark) ? remark : ' '));
  const latin = name.replace(/[^\p{Script=Latin}\p{N}\p{P}\p{Z}]+/gu, ' ');
  const nonLatin = name.replace(/\p{Script=Latin}+/gu, ' ');
  const mixed = /\p{Script=Latin}{2}/u.test(latin) && /\p{L}{2}/u.test(nonLatin);
  return mixed ? [name, bare, latin, nonLatin] : [name, bare];
}

/** True when a remark in brackets means a part of the place, as in "Central Square (bus)" or "Lakes (Middle Lake)". */
function mentionsPart(remark: string): boolean {
  if (hasUnspacedScript(remark)) return false;
  const words = latinWords(remark);
  return (
    words.some((word) => partWords().has(word) || word.length === 1) ||
    words.filter((word) => wordWeight(word, noLocalWords) >= 1).length > 1
  );
}

function nameForm(text: string): NameForm {
  const original = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
  const all = latinWords(text);
  const words = all.filter((word) => wordWeight(word, noLocalWords) > 0);
  // "The Company" consists only of articles and legal forms, and some scripts have no Latin form; then all words count.
  const significant =
    words.length > 0 ? words : all.length > 0 ? all : [original].filter((word) => word !== '');
  return { words: significant, original: original, unspaced: hasUnspacedScript(text) };
}
