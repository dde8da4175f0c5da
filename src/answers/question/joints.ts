import type { Language } from './lexicon.ts';
import { wordAt, type UnitSpan, type Units } from './units.ts';

/** A question split into units, and the language used to read its stop words. */
export interface Wording {
  units: Units;
  language: Language;
}

/** Conjunctions by language. Dutch "of" means "or"; English "of" does not. */
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
/** Room for "or", an article and one more stop word. */
const REACH = 3;

/** True when "or" joins two phrases that are at most an article apart. */
export function tiedByOr(wording: Wording, first: UnitSpan, second: UnitSpan): boolean {
  return tied(wording, first, second, OR);
}

export function tiedByAnd(wording: Wording, first: UnitSpan, second: UnitSpan): boolean {
  return tied(wording, first, second, AND);
}

function tied({ units, language }: Wording, first: UnitSpan, second: UnitSpan, words: typeof OR): boolean {
  if (second.from <= first.to || second.from - first.to > REACH) return false;
  const conjunctions = words[language].split(' ');
  for (let at = first.to; at < second.from; at++) if (conjunctions.includes(wordAt(units, at))) return true;
  return false;
}
