import type { DestinationWords } from './destination-words.ts';
import { LANGUAGES, LEXICON, type Language, type Meaning, type Phrase } from './lexicon.ts';
import { phraseOf, wordAt, type Units } from './units.ts';

/** A stretch of units and what it says. */
export interface Match extends Meaning {
  from: number;
  to: number;
}

export interface Matched {
  language: Language;
  matches: Match[];
  /** Units that say nothing, or that nobody understood: by number, true where it is a small word. */
  open: Map<number, boolean>;
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Finds the longest phrases from left to right. Names of the destination win over words. */
export function matchPhrases(units: Units, places: DestinationWords): Matched {
  const language = languageOf(units);
  const matches: Match[] = [];
  const open = new Map<number, boolean>();
  for (let at = 0; at < units.units.length;) {
    const found = longestAt(units, at, places, language);
    if (found === undefined) {
      open.set(at, LEXICON.find(wordAt(units, at))?.small.has(language) === true);
      at++;
    } else {
      matches.push(...found);
      at = found[0]?.to ?? at + 1;
    }
  }
  return { language, matches, open };
}

function longestAt(
  units: Units,
  at: number,
  places: DestinationWords,
  language: Language,
): Match[] | undefined {
  const first = wordAt(units, at);
  const longest = Math.min(
    Math.max(places.longestFrom(first), LEXICON.longestFrom(first)),
    units.units.length - at,
  );
  for (let length = longest; length > 0; length--) {
    const phrase = phraseOf(units, at, at + length);
    const local = places.find(phrase);
    const meanings = local === undefined ? meaningsIn(LEXICON.find(phrase), language) : [local];
    if (meanings.length > 0) return meanings.map((one) => ({ ...one, from: at, to: at + length }));
  }
  return undefined;
}

/** In the language of the question, else in English, which travellers mix in, else in any that knows the phrase. */
function meaningsIn(phrase: Phrase | undefined, language: Language): readonly Meaning[] {
  if (phrase === undefined) return [];
  const own = phrase.meanings.get(language);
  if (own !== undefined) return own;
  if (phrase.small.has(language)) return [];
  for (const other of LANGUAGES) {
    const meant = phrase.meanings.get(other)?.filter(({ section }) => isCarried(section));
    if (meant !== undefined && meant.length > 0) return meant;
  }
  return [];
}

/** What holds in any language. A negation of another language is as likely a word of this one. */
function isCarried(section: Meaning['section']): boolean {
  return section !== 'grammar' && section !== 'number' && section !== 'out';
}

/** The language whose words there are most of; small words are the surest sign of one. */
export function languageOf(units: Units): Language {
  if (KANA.test(units.text)) return 'ja';
  const votes = new Map<Language, number>();
  for (let at = 0; at < units.units.length; at++) {
    const longest = Math.min(LEXICON.longestFrom(wordAt(units, at)), units.units.length - at);
    for (let length = longest; length > 0; length--) {
      const phrase = LEXICON.find(phraseOf(units, at, at + length));
      if (phrase === undefined) continue;
      const languages = new Set([...phrase.small, ...phrase.meanings.keys()]);
      for (const one of languages) votes.set(one, (votes.get(one) ?? 0) + length / languages.size);
    }
  }
  let best: Language = 'en';
  for (const language of LANGUAGES) if ((votes.get(language) ?? 0) > (votes.get(best) ?? 0)) best = language;
  return best;
}
