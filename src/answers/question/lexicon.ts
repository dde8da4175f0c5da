import { ownValue } from '../../core/input/own-value.ts';
import { LANGUAGE_WORDS, type LanguageWords } from '../../search/understand/language-words.ts';
import { languageSet } from '../answer-sets.ts';
import areaEntries from './lexicon/areas.json' with { type: 'json' };
import dishEntries from './lexicon/dishes.json' with { type: 'json' };
import kitchenEntries from './lexicon/kitchens.json' with { type: 'json' };
import kindEntries from './lexicon/kinds.json' with { type: 'json' };
import { unitsOf, wordAt, type Units } from './units.ts';

export const LANGUAGES = languageSet.values;
export type Language = (typeof LANGUAGES)[number];

/** Meaning of a phrase. `grammar` only counts in the language of the question: Portuguese `no` is not a negation. */
export interface Meaning {
  section: Section;
  value: string;
}
export type Section =
  | 'category'
  | 'cuisine'
  | 'dish'
  | 'diet'
  | 'price'
  | 'time'
  | 'ask'
  | 'out'
  | 'intent'
  | 'grammar'
  | 'number'
  | 'party'
  | 'area'
  | 'destination';

const FILES: Readonly<Record<Language, LanguageWords>> = LANGUAGE_WORDS;

/** Precedence of sections when a phrase occurs in several sections of the same language. */
const ORDER: readonly Section[] = [
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
];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** All meanings of a phrase, by language. Stop words are kept separately, because they can be part of anything. */
export interface Phrase {
  meanings: Map<Language, Meaning[]>;
  small: Set<Language>;
}

export class Lexicon {
  readonly #phrases = new Map<string, Phrase>();
  readonly #longest = new Map<string, number>();

  constructor() {
    for (const language of LANGUAGES) this.#add(language, FILES[language]);
  }

  find(phrase: string): Phrase | undefined {
    return this.#phrases.get(phrase);
  }

  /** Returns the length in units of the longest phrase that begins with this unit, or 0. */
  longestFrom(unit: string): number {
    return this.#longest.get(unit) ?? 0;
  }

  #add(language: Language, file: LanguageWords): void {
    for (const section of [...ORDER, 'grammar'] as const)
      for (const [value, phrases] of Object.entries(file[section] ?? {}))
        for (const phrase of phrases.split('|')) this.#addPhrase(language, { section, value }, phrase);
    this.#addJoined(language, file);
  }

  /**
   * Adds compounds of a weekday and a part of the day, which German and Dutch write as one word: Samstagabend,
   * zondagmiddag.
   */
  #addJoined(language: Language, file: LanguageWords): void {
    for (const [part, endings] of Object.entries(file['joined'] ?? {}))
      for (const day of WEEKDAYS)
        for (const word of (file['time']?.[day] ?? '').split('|'))
          for (const ending of endings.split('|'))
            for (const value of [day, part])
              this.#addPhrase(language, { section: 'time', value }, word + ending);
  }

  #addPhrase(language: Language, meaning: Meaning, text: string): void {
    const units = unitsOf(text);
    const entry: Phrase = this.#phrases.get(units.text) ?? { meanings: new Map(), small: new Set() };
    this.#phrases.set(units.text, entry);
    noteLength(this.#longest, units);
    if (meaning.value === 'small') entry.small.add(language);
    else entry.meanings.set(language, [...(entry.meanings.get(language) ?? []), meaning]);
  }
}

export function noteLength(longest: Map<string, number>, units: Units): void {
  const first = wordAt(units, 0);
  longest.set(first, Math.max(longest.get(first) ?? 0, units.units.length));
}

export const LEXICON = new Lexicon();

/** Categories by their vertical, such as pizza under restaurant. */
export const KINDS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(kindEntries).map(([vertical, kinds]) => [vertical, kinds.split('|').filter(Boolean)]),
);
const VERTICAL_OF = new Map(
  [...KINDS_OF].flatMap(([vertical, kinds]) => [vertical, ...kinds].map((kind) => [kind, vertical] as const)),
);

export function verticalOf(category: string): string | undefined {
  return VERTICAL_OF.get(category);
}

/** Number words of all languages, by number. */
export const NUMBER_PHRASES: readonly (readonly [string, string])[] = LANGUAGES.flatMap((language) =>
  Object.entries(FILES[language]['number'] ?? {}),
);

/** Category or cuisine that represents a dish, because the directory has kinds of places but no dishes. */
export const DISHES: Readonly<Record<string, { category?: string; cuisine?: string }>> = dishEntries;

const CUISINE_GROUPS: Readonly<Record<string, string>> = kitchenEntries;

/** Returns the cuisines that a word covers: many for "Asian", otherwise the word itself. */
export function cuisinesOf(cuisine: string): string[] {
  return ownValue(CUISINE_GROUPS, cuisine)?.split('|') ?? [cuisine];
}

/** Area names in the local script, by destination. */
export const AREA_NAMES: Readonly<Record<string, Record<string, string>>> = areaEntries;
