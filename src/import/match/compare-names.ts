import { latinWords, isUnspaced } from './latin-words.ts';
import { partWords } from './place-kind.ts';
import { letterPairOverlap, letterPairSimilarity, wordSimilarity } from './text-similarity.ts';
import { wordWeight } from './word-weight.ts';

/** One way to write a name, cut into words that carry a weight. */
export interface NameForm {
  readonly words: readonly WeightedWord[];
  readonly total: number;
  readonly letters: string;
  /** True for a script that writes without spaces, where the cut into words is a guess. */
  readonly unspaced: boolean;
}

interface WeightedWord {
  readonly text: string;
  readonly weight: number;
}

export interface NameComparison {
  /** Share of the shorter name found in the longer one, by the weight of the words, 0 to 1. */
  readonly containment: number;
  /** Likeness by letter pairs, blind to where words are cut, 0 to 1. */
  readonly letters: number;
  /** True when all words that tell something agree. */
  readonly exact: boolean;
  /** Number of telling words that both names hold when they agree: a long name is rarely met twice by chance. */
  readonly exactWords: number;
  /** Telling words left over on both sides, 0 to 1: "Ford" here and "Chevrolet" there. */
  readonly conflict: number;
  /** True when only one name speaks of a part: "Albertsons" and "Albertsons Floral". */
  readonly partOnly: boolean;
  /** True when neither name holds a telling word, only kinds and the town: "Beach Hotel". */
  readonly generic: boolean;
  /** True when both names hold numbers and none is shared. */
  readonly numbersClash: boolean;
  /** True when a letter or a Roman number stands in one name only: "Block E" and "Block M". */
  readonly marksDiffer: boolean;
}

const formsPerRecord = 12;
const closeEnough = 0.9;

/** All forms of all names: as written, without brackets, and the Latin and other part of a mixed name. */
export function nameForms(names: readonly string[], local: ReadonlySet<string>): NameForm[] {
  const texts = new Set(names.flatMap(nameTexts));
  const forms: NameForm[] = [];
  for (const text of texts) {
    const form = nameForm(text, local);
    if (form.letters !== '' && forms.length < formsPerRecord) forms.push(form);
  }
  return forms;
}

function nameTexts(name: string): string[] {
  const bare = name.replace(/[(（[【].*?[)）\]】]/gu, ' ');
  const latin = name.replace(/[^\p{Script=Latin}\p{N}\p{P}\p{Z}]+/gu, ' ');
  const other = name.replace(/\p{Script=Latin}+/gu, ' ');
  const mixed = /\p{Script=Latin}{2}/u.test(latin) && /\p{L}{2}/u.test(other);
  return mixed ? [name, bare, latin, other] : [name, bare];
}

function nameForm(text: string, local: ReadonlySet<string>): NameForm {
  const all = latinWords(text);
  let words = all.map((word) => ({ text: word, weight: wordWeight(word, local) }));
  // "The Inn Company" has no telling word at all; then every word counts the same.
  if (!words.some((word) => word.weight > 0)) words = all.map((word) => ({ text: word, weight: 1 }));
  const told = words.filter((word) => word.weight > 0);
  return { words: told, total: sum(told), letters: told.map((word) => word.text).join(''), unspaced: isUnspaced(text) };
}

/** Compares every form with every form and keeps the closest pair. */
export function compareNames(a: readonly NameForm[], b: readonly NameForm[]): NameComparison | null {
  let best: NameComparison | null = null;
  for (const formA of a) {
    for (const formB of b) {
      const found = compareForms(formA, formB);
      if (best === null || closeness(found) > closeness(best)) best = found;
    }
  }
  return best;
}

function closeness(found: NameComparison): number {
  return found.containment + 2 * found.letters - found.conflict;
}

function compareForms(a: NameForm, b: NameForm): NameComparison {
  const same = a.letters === b.letters;
  const { shared, left, conflict } = same ? { shared: a.total, left: [], conflict: 0 } : alignWords(a.words, b.words);
  // Where the cut into words is a guess, letter pairs speak for the words.
  const overlap = a.unspaced && b.unspaced ? letterPairOverlap(a.letters, b.letters) : 0;
  const partOnly = left.some((word) => partWords.has(word.text));
  const exact = !partOnly && !left.some(isTelling);
  return {
    containment: same ? 1 : Math.max(overlap, Math.min(1, shared / Math.min(a.total, b.total))),
    letters: letterPairSimilarity(a.letters, b.letters),
    exact,
    exactWords: exact ? Math.min(tellingWords(a), tellingWords(b)) : 0,
    conflict: Math.min(1, conflict, a.unspaced && b.unspaced ? 2 * (1 - overlap) : 1),
    partOnly,
    generic: tellingWords(a) === 0 && tellingWords(b) === 0,
    numbersClash: !same && numbersClash(a.words, b.words),
    marksDiffer: left.some((word) => /^([a-z]|ii|iii|iv)$/.test(word.text)),
  };
}

function alignWords(a: readonly WeightedWord[], b: readonly WeightedWord[]) {
  const leftB = [...b];
  const leftA: WeightedWord[] = [];
  let shared = 0;
  for (const word of a) {
    const found = closestWord(word, leftB);
    if (found === null) {
      leftA.push(word);
      continue;
    }
    shared += found.likeness * Math.min(word.weight, found.word.weight);
    leftB.splice(leftB.indexOf(found.word), 1);
  }
  return { shared, left: [...leftA, ...leftB], conflict: Math.min(sum(leftA), sum(leftB)) };
}

function closestWord(word: WeightedWord, among: readonly WeightedWord[]) {
  let best: { word: WeightedWord; likeness: number } | null = null;
  for (const other of among) {
    const likeness = wordLikeness(word.text, other.text);
    if (likeness >= closeEnough && (best === null || likeness > best.likeness)) best = { word: other, likeness };
  }
  return best;
}

/** A number or a very short word is the same or it is not; longer words may differ by a typo. */
function wordLikeness(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length < 4 || b.length < 4 || /\d/.test(a) || /\d/.test(b)) return 0;
  return wordSimilarity(a, b);
}

function numbersClash(a: readonly WeightedWord[], b: readonly WeightedWord[]): boolean {
  const numbersA = a.filter((word) => /^\d+$/.test(word.text));
  const numbersB = b.filter((word) => /^\d+$/.test(word.text));
  if (numbersA.length === 0 || numbersB.length === 0) return false;
  return !numbersA.some((x) => numbersB.some((y) => x.text === y.text));
}

function isTelling(word: WeightedWord): boolean {
  return word.weight >= 1;
}

function tellingWords(form: NameForm): number {
  return form.words.filter(isTelling).length;
}

function sum(words: readonly WeightedWord[]): number {
  return words.reduce((total, word) => total + word.weight, 0);
}
