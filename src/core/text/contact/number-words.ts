import { foldedForm } from './plain-form.ts';
import numberWords from './number-words.json' with { type: 'json' };

/** Words for digits in many languages. Words for tens and hundreds count as one digit. */
const digitsOf = new Map<string, number>([
  ...listed(numberWords.one_digit).map((word) => [word, 1] as const),
  ...listed(numberWords.two_digits).map((word) => [word, 2] as const),
  ...numberWords.compounds.flatMap(combined).map((word) => [word, 2] as const),
]);
const between = new Set(listed(numberWords.between));

/** Returns how many digits a word represents; 0 when it is not a number. Several numbers may be written as one word. */
export function digitsInWord(word: string): number {
  const alone = digitsOf.get(word) ?? digitsOf.get(word.replace(/^و/u, ''));
  if (alone !== undefined) return alone;
  return word.length >= (LATIN.test(word) ? GLUED_MIN : 3) && GLUED.test(word) ? digitsInGlued(word) : 0;
}

export function isNumberFiller(word: string): boolean {
  return between.has(word);
}

const GLUED_MIN = 8;
const LATIN = /^[a-z]/;
/** Short words are only read inside others in scripts that write several words without spaces. */
const longestFirst = [...digitsOf.keys()]
  .filter((word) => word.length > 2 || !LATIN.test(word))
  .sort((a, b) => b.length - a.length);
const GLUED = new RegExp(`^(?:${longestFirst.join('|')}){3,}$`, 'u');
const GLUED_PART = new RegExp(longestFirst.join('|'), 'gu');

function digitsInGlued(word: string): number {
  return Array.from(word.matchAll(GLUED_PART)).reduce((sum, [part]) => sum + (digitsOf.get(part) ?? 0), 0);
}

/** Joins one word of each part, such as ein, und, zwanzig. */
function combined(parts: readonly string[]): string[] {
  return parts.reduce<string[]>(
    (starts, part) => starts.flatMap((start) => listed([part]).map((word) => start + word)),
    [''],
  );
}

function listed(lines: readonly string[]): string[] {
  return foldedForm(lines.join(' ')).split(/\s+/u);
}
