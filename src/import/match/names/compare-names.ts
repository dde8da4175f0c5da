import { inOtherTowns, type TrimmedForm } from './place-endings.ts';
import { letterPairOverlap, letterPairSimilarity, wordSimilarity } from './text-similarity.ts';
import { isCommonWord, kindOrWord, partWords, wordWeight } from './word-weight.ts';

/** Comparison of two names. Each value is 0 to 1. */
export interface NameComparison {
  /** Share of the shorter name that the longer one contains, by the weight of the words. */
  readonly nameContainment: number;
  /** Square of the similarity of the distinctive words by letter pairs, independent of word boundaries. */
  readonly nameLetters: number;
  /** 1 when the letters agree in their original script. */
  readonly nameIdentical: number;
  readonly nameExact: number;
  /** Distinctive words beyond the first when they agree: a long name is rarely the same by chance. */
  readonly nameLong: number;
  /** Weight of words left over on both sides: "Ford" here and "Chevrolet" there. */
  readonly nameConflict: number;
  /** Words left over on one side when all of the other side match, 1 for three. */
  readonly nameSurplus: number;
  /** 1 when only one name mentions a part: "Albertsons" and "Albertsons Floral". */
  readonly partOnly: number;
  /** 1 when neither name has a distinctive word, only kinds and the town: "Beach Hotel". */
  readonly nameGeneric: number;
  /** 1 when one name has distinctive words and the other has none: "The Hair" and "Hair Sirpa Mansner". */
  readonly nameGenericOnly: number;
  /** 1 when both names contain numbers and share none. */
  readonly numbersClash: number;
  /** 1 when a letter or a Roman number is in one name only: "Block E" and "Block M". */
  readonly marksDiffer: number;
}

interface NameContext {
  /** Words of the town, the street and the category. */
  readonly local: ReadonlySet<string>;
  /** True when the two records are of different kinds. */
  readonly kindsClash: boolean;
}

interface WeightedWord {
  readonly text: string;
  readonly weight: number;
}

interface WeightedForm extends TrimmedForm {
  readonly weighted: readonly WeightedWord[];
  readonly telling: readonly string[];
}

const closeEnough = 0.9;

/** Compares all forms and returns the closest pair. */
export function compareNames(
  a: readonly TrimmedForm[],
  b: readonly TrimmedForm[],
  context: NameContext,
): NameComparison {
  const weightedB = b.map((form) => weighForm(form, context.local));
  const comparisons = a
    .map((form) => weighForm(form, context.local))
    .flatMap((formA) =>
      weightedB
        .filter((formB) => !((formA.isTrimmed || formB.isTrimmed) && inOtherTowns(formA, formB)))
        .map((formB) => compareForms(formA, formB, context)),
    );
  return comparisons.reduce((best, next) => (closeness(next) > closeness(best) ? next : best));
}

function weighForm(form: TrimmedForm, local: ReadonlySet<string>): WeightedForm {
  const weigh = (word: string) => wordWeight(word, local) || 1;
  const weighted = form.words.map((text) => ({ text, weight: weigh(text) }));
  return { ...form, weighted, telling: weighted.filter(isDistinctive).map((word) => word.text) };
}

function isDistinctive(word: WeightedWord): boolean {
  return word.weight >= 1;
}

function closeness(comparison: NameComparison): number {
  return comparison.nameContainment + 2 * Math.sqrt(comparison.nameLetters) - comparison.nameConflict;
}

function compareForms(a: WeightedForm, b: WeightedForm, { kindsClash }: NameContext): NameComparison {
  const { shared, leftA, leftB } = alignWords(a, b);
  const leftOver = [...leftA, ...leftB];
  // "Ateneum Bistro" is a part of the museum "Ateneum", but "Bistro Ateneum" of the kind bistro is not.
  const partOnly = leftOver.some(({ text }) => partWords().has(text) || (kindsClash && isCommonWord(text)));
  const exact = !partOnly && !leftOver.some(isDistinctive);
  // When word boundaries are guessed, letter pairs replace the words.
  const overlap = a.unspaced && b.unspaced ? letterPairOverlap(joined(a.words), joined(b.words)) : null;
  const contained = Math.min(1, shared / Math.min(totalWeight(a.weighted), totalWeight(b.weighted)));
  const conflict = Math.min(1, totalWeight(leftA), totalWeight(leftB));
  const exactWords = exact ? Math.min(a.telling.length, b.telling.length) : 0;
  return {
    nameContainment: Math.max(contained, overlap ?? 0),
    nameLetters: letterPairSimilarity(joined(distinctiveOrAll(a)), joined(distinctiveOrAll(b))) ** 2,
    nameIdentical: Number(a.original === b.original || joined(a.words) === joined(b.words)),
    nameExact: Number(exact),
    nameLong: Math.min(1, Math.max(0, exactWords - 1) / 2),
    nameConflict: overlap === null ? conflict : Math.min(conflict, 2 * (1 - overlap)),
    nameSurplus: leftA.length > 0 && leftB.length > 0 ? 0 : Math.min(3, leftOver.length) / 3,
    partOnly: Number(partOnly),
    nameGeneric: Number(a.telling.length === 0 && b.telling.length === 0),
    nameGenericOnly: Number(!exact && (a.telling.length === 0) !== (b.telling.length === 0)),
    numbersClash: Number(leftOver.length > 0 && numbersClash(a.words, b.words)),
    marksDiffer: Number(leftOver.some((word) => /^([a-z]|ii|iii|iv)$/.test(word.text))),
  };
}

function alignWords(a: WeightedForm, b: WeightedForm) {
  // The same letters with other word boundaries, as in "SpazioLuce" and "Spazio Luce", leave nothing over.
  if (joined(a.words) === joined(b.words)) return { shared: totalWeight(a.weighted), leftA: [], leftB: [] };
  const leftA: WeightedWord[] = [];
  const leftB = [...b.weighted];
  let shared = 0;
  for (const word of a.weighted) {
    const closest = closestWord(word, leftB);
    if (closest === null) {
      leftA.push(word);
      continue;
    }
    shared += closest.likeness * Math.min(word.weight, closest.word.weight);
    leftB.splice(leftB.indexOf(closest.word), 1);
  }
  return { shared, leftA, leftB };
}

function closestWord(word: WeightedWord, among: readonly WeightedWord[]) {
  let best: { word: WeightedWord; likeness: number } | null = null;
  for (const other of among) {
    const likeness = wordLikeness(word.text, other.text);
    if (likeness >= closeEnough && likeness > (best?.likeness ?? 0)) best = { word: other, likeness };
  }
  return best;
}

/** Numbers and very short words must be equal; longer words may differ by a typo. */
function wordLikeness(a: string, b: string): number {
  if (kindOrWord(a) === kindOrWord(b)) return 1;
  if (a.length < 4 || b.length < 4 || /\d/.test(a) || /\d/.test(b)) return 0;
  return wordSimilarity(a, b);
}

function numbersClash(a: readonly string[], b: readonly string[]): boolean {
  const numbersA = a.filter((word) => /^\d+$/.test(word));
  const numbersB = b.filter((word) => /^\d+$/.test(word));
  return numbersA.length > 0 && numbersB.length > 0 && !numbersA.some((number) => numbersB.includes(number));
}

function distinctiveOrAll(form: WeightedForm): readonly string[] {
  return form.telling.length > 0 ? form.telling : form.words;
}

function joined(words: readonly string[]): string {
  return words.join('');
}

function totalWeight(words: readonly WeightedWord[]): number {
  return words.reduce((total, word) => total + word.weight, 0);
}
