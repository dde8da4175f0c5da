import type { Language } from './lexicon.ts';
import { wordAt, type Span, type Units } from './units.ts';

/** A question as units, and the language that its small words are read in. */
export interface Wording {
  units: Units;
  language: Language;
}

/** Words that tie two things together. Dutch "of" is "or"; English "of" is not. */
const OR: Readonly<Record<Language, string>> = {
  en: 'or nor either',
  es: 'o u ni',
  fr: 'ou ni',
  de: 'oder noch',
  it: 'o od oppure ne',
  pt: 'ou nem',
  nl: 'of noch',
  id: 'atau',
  ja: 'か や',
};
const AND: Readonly<Record<Language, string>> = {
  en: 'and',
  es: 'y e',
  fr: 'et',
  de: 'und',
  it: 'e ed',
  pt: 'e',
  nl: 'en',
  id: 'dan',
  ja: 'と',
};
/** "or", an article and another small word. */
const REACH = 3;

/** Whether "or" stands between two phrases that are no further apart than an article. */
export function tiedByOr(wording: Wording, first: Span, second: Span): boolean {
  return tied(wording, first, second, OR);
}

export function tiedByAnd(wording: Wording, first: Span, second: Span): boolean {
  return tied(wording, first, second, AND);
}

function tied({ units, language }: Wording, first: Span, second: Span, words: typeof OR): boolean {
  if (second.from <= first.to || second.from - first.to > REACH) return false;
  const joints = words[language].split(' ');
  for (let at = first.to; at < second.from; at++) if (joints.includes(wordAt(units, at))) return true;
  return false;
}
