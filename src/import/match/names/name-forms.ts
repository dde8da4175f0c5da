import { isUnspaced, latinWords } from './latin-words.ts';
import { partWords } from './part-words.ts';
import { wordWeight } from './word-weight.ts';

/** One way to write a name. */
export interface NameForm {
  /** Its words in Latin letters, without articles and legal forms. */
  readonly words: readonly string[];
  /** The name in its own script, without accents, spaces and signs. */
  readonly written: string;
  /** True for a script that writes without spaces, where the cut into words is a guess. */
  readonly unspaced: boolean;
}

const formsPerRecord = 12;
const longestName = 200;
const noLocalWords: ReadonlySet<string> = new Set();

/** All forms of all names: as given, without brackets, and the Latin and the other part of a mixed name. */
export function nameForms(names: readonly string[]): NameForm[] {
  const texts = new Set(names.flatMap((name) => nameTexts(name.slice(0, longestName))));
  return [...texts]
    .map(nameForm)
    .filter((form) => form.words.length > 0)
    .slice(0, formsPerRecord);
}

function nameTexts(name: string): string[] {
  const bare = name.replace(/[(（[【].*?[)）\]】]/gu, (remark) => (saysPart(remark) ? remark : ' '));
  const latin = name.replace(/[^\p{Script=Latin}\p{N}\p{P}\p{Z}]+/gu, ' ');
  const other = name.replace(/\p{Script=Latin}+/gu, ' ');
  const mixed = /\p{Script=Latin}{2}/u.test(latin) && /\p{L}{2}/u.test(other);
  return mixed ? [name, bare, latin, other] : [name, bare];
}

/** What stands in brackets is mostly a remark, unless it says that a part is meant: "Central Square (bus)". */
function saysPart(remark: string): boolean {
  return latinWords(remark).some((word) => partWords().has(word) || word.length === 1);
}

function nameForm(text: string): NameForm {
  const written = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
  const all = latinWords(text);
  const words = all.filter((word) => wordWeight(word, noLocalWords) > 0);
  // "The Company" is all articles and legal forms, and some scripts have no Latin form; then everything counts.
  const spoken = words.length > 0 ? words : all.length > 0 ? all : [written].filter((word) => word !== '');
  return { words: spoken, written, unspaced: isUnspaced(text) };
}
