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
  ['pt', /[ãõ]|(?<!\p{L})há(?!\p{L})/iu],
  ['de', /[äöüß]/iu],
  ['it', /(?<!\p{L})è(?!\p{L})/iu],
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

/** English words that other languages have too, with another meaning. They tell no language. */
const ENGLISH_WORDS = new Set(
  'an the over under rated near open closed best good place places where what which who how is are was be have has do does can could would should will may any some all more most less than with without and or not no at in on by of to for from me my we us our you your it its this that there here see eat drink go find want need like food list show give tell about after before between around late early today now as so if but man die war hat also am dinner lunch bar hotel restaurant restaurants cafe'.split(
    ' ',
  ),
);

/** Words of other languages that English uses as well. */
const LOANS = new Set(
  'trattoria trattorie osteria osterie ristorante gelateria enoteca izakaya brasserie boulangerie patisserie bistrot taqueria churrascaria biergarten heuriger warung rijsttafel tapas cantina pension'.split(
    ' ',
  ),
);
/** Article of a name inside a sentence, such as that of La Condamine. It tells the language of the name. */
const ARTICLE_OF_NAME = /(?<=[\p{L},]\s)\p{Lu}\p{Ll}{1,2}\s+(?=\p{Lu})/gu;
const THAI = /\p{Script=Thai}/u;

/** Detects the language with the most matching words; English unless words or letters exclude it. */
export function languageOf(raw: string, lookup: PhraseLookup): Language {
  const tokens = tokensOf(raw.replace(ARTICLE_OF_NAME, ''));
  if (KANA.test(tokens.text)) return 'ja';
  if (THAI.test(tokens.text)) return 'th';
  const votes = new Map<Language, number>();
  // Weight of words and letters that English does not have, and of those that only English has.
  let foreign = 0;
  let english = 0;
  const vote = (languages: Iterable<Language>, weight: number, isUnsure = false) => {
    const all = [...languages];
    for (const one of all) votes.set(one, (votes.get(one) ?? 0) + weight / all.length);
    if (isUnsure || all.length === 0) return;
    if (!all.includes('en')) foreign += weight;
    else if (all.length === 1) english += weight;
  };
  const own = withoutNames(raw, lookup);
  for (const [language, letters] of LETTERS) if (letters.test(own)) vote([language], LETTER_WEIGHT);
  for (let at = 0; at < tokens.list.length; at++) {
    const longest = Math.min(lookup(wordAt(tokens, at)).longestSense, tokens.list.length - at);
    for (let length = longest; length > 0; length--) {
      const phrase = phraseOf(tokens, at, at + length);
      const { senses } = lookup(phrase);
      if (senses === undefined) continue;
      const isEnglish = phrase.length === 1 || ENGLISH_WORDS.has(phrase) || LOANS.has(phrase);
      vote(senses.small, length * SMALL_WEIGHT, isEnglish);
      // Values are English words: "zoo" tells nothing, although the English phrases leave it out.
      const value = phrase.replaceAll(' ', '_');
      const isValue = [...senses.meanings.values()].flat().some((meaning) => meaning.value === value);
      vote([...senses.meanings.keys()], length, isValue || isEnglish);
    }
  }
  let best: Language = 'en';
  for (const language of LANGUAGES) if ((votes.get(language) ?? 0) > (votes.get(best) ?? 0)) best = language;
  return foreign > english ? best : 'en';
}
