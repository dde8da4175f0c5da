import { tokensOf } from '../tokens.ts';
import nearWords from './near-words.json' with { type: 'json' };
import { LANGUAGES, LANGUAGE_WORDS, WEEKDAYS, type Language, type LanguageWords } from './lexicon.ts';

/** Sections of a language file whose phrases are read, in order of precedence when a phrase is in several of them. */
const SECTIONS = [
  'diet',
  'price',
  'ask',
  'out',
  'dish',
  'category',
  'cuisine',
  'time',
  'intent',
  'number',
  'party',
  'grammar',
] as const;
export type Section = (typeof SECTIONS)[number] | 'area' | 'destination';

/** Meaning of a phrase. `grammar` only counts in the language of the question: Portuguese `no` is not a negation. */
export interface Meaning {
  section: Section;
  value: string;
}

/** Meanings of a phrase by language. Stop words are kept separately, because they can be part of anything. */
export interface Senses {
  meanings: ReadonlyMap<Language, readonly Meaning[]>;
  small: ReadonlySet<Language>;
}

type Sense = Meaning & { language: Language };

/** Returns the senses of all phrases in the language files, each as text that `parseSenses` reads. */
export function writeSenses(): Map<string, string[]> {
  const phrases = new Map<string, string[]>();
  const add = ({ language, section, value }: Sense, phrase: string) => {
    const { text } = tokensOf(phrase);
    phrases.set(text, [...(phrases.get(text) ?? []), `${language} ${section} ${value}`]);
  };
  for (const language of LANGUAGES) {
    const words = LANGUAGE_WORDS[language];
    for (const section of SECTIONS)
      for (const [value, all] of Object.entries(words[section] ?? {}))
        for (const phrase of all.split('|')) add({ language, section, value }, phrase);
    for (const phrase of nearPhrases(language)) add({ language, section: 'grammar', value: 'near' }, phrase);
    for (const [phrase, value] of joinedTimes(words)) add({ language, section: 'time', value }, phrase);
  }
  return phrases;
}

/** Words for nearness that stand beside a landmark, on either side. */
function nearPhrases(language: Language): string[] {
  const sections: Readonly<Record<string, string>> = nearWords[language];
  return Object.entries(sections).flatMap(([section, phrases]) =>
    section === 'soft' ? [] : phrases.split('|'),
  );
}

/** Compounds of a weekday and a part of the day, which German and Dutch write as one word: Samstagabend, zondagmiddag. */
function joinedTimes({ joined = {}, time = {} }: LanguageWords): [phrase: string, value: string][] {
  return Object.entries(joined).flatMap(([part, endings]) =>
    WEEKDAYS.flatMap((day) =>
      (time[day] ?? '')
        .split('|')
        .flatMap((word) =>
          endings
            .split('|')
            .flatMap((ending) => [day, part].map((value): [string, string] => [word + ending, value])),
        ),
    ),
  );
}

export function parseSenses(senses: readonly string[]): Senses {
  const meanings = new Map<Language, Meaning[]>();
  const small = new Set<Language>();
  for (const sense of senses) {
    const [language, section, value = ''] = sense.split(' ') as [Language, Section, string?];
    if (value === 'small') small.add(language);
    else meanings.set(language, [...(meanings.get(language) ?? []), { section, value }]);
  }
  return { meanings, small };
}
