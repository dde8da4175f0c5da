import type { DestinationWords } from './names/destination-words.ts';
import { LANGUAGES, LEXICON, type Language, type Meaning, type Phrase } from './lexicon.ts';
import { foldWords, phraseOf, unitsOf, wordAt, type Units } from './units.ts';

/** A span of units and its meaning. */
export interface Match extends Meaning {
  from: number;
  to: number;
}

export interface Matched {
  matches: Match[];
  /** Units without meaning, by index: true for a stop word, false for a word that was not understood. */
  open: Map<number, boolean>;
}

const SMALL_WEIGHT = 3;
const LETTER_WEIGHT = 6;
/** Letters and signs that identify a language. */
const LETTERS: readonly (readonly [Language, RegExp])[] = [
  ['es', /[ñ¿¡]/iu],
  ['pt', /[ãõ]/iu],
  ['de', /[äöüß]/iu],
  ['fr', /[œù]|(?<!\p{L})[dlj]['’]\p{L}/iu],
];
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Finds the longest phrases from left to right. Names of the destination take precedence over lexicon entries. */
export function matchPhrases(units: Units, language: Language, places: DestinationWords): Matched {
  const matches: Match[] = [];
  const open = new Map<number, boolean>();
  for (let at = 0; at < units.units.length;) {
    const { length, meanings } = longestAt(units, at, places, language);
    for (const meaning of meanings) matches.push({ ...meaning, from: at, to: at + length });
    if (meanings.length === 0)
      for (let unit = at; unit < at + Math.max(length, 1); unit++) open.set(unit, length > 0);
    at += Math.max(length, 1);
  }
  return { matches, open };
}

interface Longest {
  /** 0 when no phrase begins here. */
  length: number;
  /** Empty when the phrase consists of stop words. */
  meanings: readonly Meaning[];
}

function longestAt(units: Units, at: number, places: DestinationWords, language: Language): Longest {
  const first = wordAt(units, at);
  const longest = Math.min(
    Math.max(places.longestFrom(first), LEXICON.longestFrom(first)),
    units.units.length - at,
  );
  for (let length = longest; length > 0; length--) {
    const text = phraseOf(units, at, at + length);
    const local = places.find(text);
    if (local !== undefined) return { length, meanings: [local] };
    const phrase = LEXICON.find(text);
    const meanings = meaningsIn(phrase, language);
    if (meanings.length > 0 || phrase?.small.has(language) === true) return { length, meanings };
  }
  return { length: 0, meanings: [] };
}

/**
 * Looks up the meanings in the question's language, then in English, which travellers mix in, then in any other
 * language.
 */
function meaningsIn(phrase: Phrase | undefined, language: Language): readonly Meaning[] {
  if (phrase === undefined) return [];
  const own = phrase.meanings.get(language);
  if (own !== undefined) return own;
  if (phrase.small.has(language)) return [];
  for (const other of LANGUAGES) {
    const carried = phrase.meanings.get(other)?.filter(appliesAcrossLanguages);
    if (carried !== undefined && carried.length > 0) return carried;
  }
  return [];
}

/**
 * True for meanings that apply across languages. A negation of another language is as likely an ordinary word of this
 * one.
 */
function appliesAcrossLanguages({ section, value }: Meaning): boolean {
  return value === 'food' || (section !== 'grammar' && section !== 'number' && section !== 'out');
}

/** Removes capitalized words that are not in the lexicon: they are names, with the letters of their own language. */
function withoutNames(raw: string): string {
  return raw.replace(/(?<![\p{L}'’])\p{Lu}[\p{L}]*/gu, (word) =>
    LEXICON.find(foldWords(word)) === undefined ? '' : word,
  );
}

/** Detects the language with the most matching words. Stop words are the strongest signal. */
export function languageOf(raw: string): Language {
  const units = unitsOf(raw);
  if (KANA.test(units.text)) return 'ja';
  const votes = new Map<Language, number>();
  const vote = (languages: Iterable<Language>, weight: number) => {
    const all = [...languages];
    for (const one of all) votes.set(one, (votes.get(one) ?? 0) + weight / all.length);
  };
  const own = withoutNames(raw);
  for (const [language, letters] of LETTERS) if (letters.test(own)) vote([language], LETTER_WEIGHT);
  for (let at = 0; at < units.units.length; at++) {
    const longest = Math.min(LEXICON.longestFrom(wordAt(units, at)), units.units.length - at);
    for (let length = longest; length > 0; length--) {
      const phrase = LEXICON.find(phraseOf(units, at, at + length));
      if (phrase === undefined) continue;
      vote(phrase.small, length * SMALL_WEIGHT);
      vote([...phrase.meanings.keys()], length);
    }
  }
  let best: Language = 'en';
  for (const language of LANGUAGES) if ((votes.get(language) ?? 0) > (votes.get(best) ?? 0)) best = language;
  return best;
}
