import type { DestinationWords } from './names/destination-words.ts';
import type { PhraseLookup, Wording } from './joints.ts';
import { LANGUAGES, type Language } from '../lexicon/lexicon.ts';
import type { Meaning, Senses } from '../lexicon/senses.ts';
import { foldWords, phraseOf, scanPhrases, tokensOf, wordAt } from '../tokens.ts';

/** A span of tokens and its meaning. */
export interface Match extends Meaning {
  from: number;
  to: number;
}

export interface Matched {
  matches: Match[];
  /** Tokens without meaning, by index: true for a stop word, false for a word that was not understood. */
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
export function matchPhrases(
  { tokens, language }: Wording,
  lookup: PhraseLookup,
  places: DestinationWords,
): Matched {
  const matches: Match[] = [];
  const open = new Map<number, boolean>();
  scanPhrases<readonly Meaning[]>(
    tokens,
    (at) => {
      const first = wordAt(tokens, at);
      return Math.max(places.longest.get(first) ?? 0, lookup(first).longestSense);
    },
    (phrase) => {
      const local = places.meanings.get(phrase);
      if (local !== undefined) return [local];
      const { senses } = lookup(phrase);
      const meanings = meaningsIn(senses, language);
      return meanings.length > 0 || senses?.small.has(language) === true ? meanings : undefined;
    },
    (meanings, from, to) => {
      for (const meaning of meanings ?? []) matches.push({ ...meaning, from, to });
      // Stop words have no meanings.
      if (meanings === undefined || meanings.length === 0)
        for (let at = from; at < to; at++) open.set(at, meanings !== undefined);
    },
  );
  return { matches, open };
}

/**
 * Looks up the meanings in the question's language, then in English, which travellers mix in, then in any other
 * language.
 */
function meaningsIn(senses: Senses | undefined, language: Language): readonly Meaning[] {
  if (senses === undefined) return [];
  const own = senses.meanings.get(language);
  if (own !== undefined) return own;
  if (senses.small.has(language)) return [];
  for (const other of LANGUAGES) {
    const carried = senses.meanings.get(other)?.filter(appliesAcrossLanguages);
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
function withoutNames(raw: string, lookup: PhraseLookup): string {
  return raw.replace(/(?<![\p{L}'’])\p{Lu}[\p{L}]*/gu, (word) =>
    lookup(foldWords(word)).senses === undefined ? '' : word,
  );
}

/** Detects the language with the most matching words. Stop words are the strongest signal. */
export function languageOf(raw: string, lookup: PhraseLookup): Language {
  const tokens = tokensOf(raw);
  if (KANA.test(tokens.text)) return 'ja';
  const votes = new Map<Language, number>();
  const vote = (languages: Iterable<Language>, weight: number) => {
    const all = [...languages];
    for (const one of all) votes.set(one, (votes.get(one) ?? 0) + weight / all.length);
  };
  const own = withoutNames(raw, lookup);
  for (const [language, letters] of LETTERS) if (letters.test(own)) vote([language], LETTER_WEIGHT);
  for (let at = 0; at < tokens.list.length; at++) {
    const longest = Math.min(lookup(wordAt(tokens, at)).longestSense, tokens.list.length - at);
    for (let length = longest; length > 0; length--) {
      const { senses } = lookup(phraseOf(tokens, at, at + length));
      if (senses === undefined) continue;
      vote(senses.small, length * SMALL_WEIGHT);
      vote([...senses.meanings.keys()], length);
    }
  }
  let best: Language = 'en';
  for (const language of LANGUAGES) if ((votes.get(language) ?? 0) > (votes.get(best) ?? 0)) best = language;
  return best;
}
