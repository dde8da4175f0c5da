import { foldedForm } from './plain-form.ts';
import numberWords from './number-words.json' with { type: 'json' };

/** Words for digits in eleven languages. Words for tens and hundreds count as one digit. */
const digitsOf = new Map<string, number>([
  ...listed(numberWords.one_digit).map((word) => [word, 1] as const),
  ...listed(numberWords.two_digits).map((word) => [word, 2] as const),
]);
const between = new Set(listed(numberWords.between));

/** Returns how many digits a word represents; 0 when it is not a number. Several numbers may be written as one word. */
export function digitsInWord(word: string): number {
  const alone = digitsOf.get(word) ?? digitsOf.get(word.replace(/^و/u, ''));
  return alone ?? (word.length >= GLUED_MIN && GLUED.test(word) ? digitsInGlued(word) : 0);
}

export function isNumberFiller(word: string): boolean {
  return between.has(word);
}

const GLUED_MIN = 8;
const longestFirst = [...digitsOf.keys()]
  .filter((word) => word.length > 2)
  .sort((a, b) => b.length - a.length);
const GLUED = new RegExp(`^(?:${longestFirst.join('|')}){3,}$`, 'u');
const GLUED_PART = new RegExp(longestFirst.join('|'), 'gu');

function digitsInGlued(word: string): number {
  return Array.from(word.matchAll(GLUED_PART)).reduce((sum, [part]) => sum + (digitsOf.get(part) ?? 0), 0);
}

function listed(lines: readonly string[]): string[] {
  return foldedForm(lines.join(' ')).split(/\s+/u);
}
