import { ownValue } from '../../core/input/own-value.ts';
import { languageSet } from '../answer-sets.ts';
import areaEntries from './lexicon/areas.json' with { type: 'json' };
import de from './lexicon/de.json' with { type: 'json' };
import dishEntries from './lexicon/dishes.json' with { type: 'json' };
import en from './lexicon/en.json' with { type: 'json' };
import es from './lexicon/es.json' with { type: 'json' };
import fr from './lexicon/fr.json' with { type: 'json' };
import id from './lexicon/id.json' with { type: 'json' };
import it from './lexicon/it.json' with { type: 'json' };
import ja from './lexicon/ja.json' with { type: 'json' };
import kitchenEntries from './lexicon/kitchens.json' with { type: 'json' };
import kindEntries from './lexicon/kinds.json' with { type: 'json' };
import nl from './lexicon/nl.json' with { type: 'json' };
import pt from './lexicon/pt.json' with { type: 'json' };
import { unitsOf, wordAt, type Units } from './units.ts';

export const LANGUAGES = languageSet.values;
export type Language = (typeof LANGUAGES)[number];

/** What a phrase says. `grammar` only counts in the language of the question: Portuguese `no` is no negation. */
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

type Entries = Record<string, Record<string, string>>;
const FILES: Readonly<Record<Language, Entries>> = { en, es, fr, de, it, pt, nl, id, ja };

/** Which part of a lexicon wins where a phrase stands in several of the same language. */
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

/** All that a phrase means, by language. Small words stand apart: they can be part of anything. */
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

  /** How many units the longest phrase has that begins with this one; 0 when none does. */
  longestFrom(unit: string): number {
    return this.#longest.get(unit) ?? 0;
  }

  #add(language: Language, file: Entries): void {
    for (const section of [...ORDER, 'grammar'] as const)
      for (const [value, phrases] of Object.entries(file[section] ?? {}))
        for (const phrase of phrases.split('|')) this.#addPhrase(language, { section, value }, phrase);
    this.#addJoined(language, file);
  }

  /** German and Dutch write a day and its part as one word: Samstagabend, zondagmiddag. */
  #addJoined(language: Language, file: Entries): void {
    for (const [part, endings] of Object.entries(file['joined'] ?? {}))
      for (const day of WEEKDAYS)
        for (const word of (file['time']?.[day] ?? '').split('|'))
          for (const ending of endings.split('|'))
            for (const value of [day, part])
              this.#addPhrase(language, { section: 'time', value }, word + ending);
  }

  #addPhrase(language: Language, meaning: Meaning, text: string): void {
    const units = unitsOf(text);
    const known: Phrase = this.#phrases.get(units.text) ?? { meanings: new Map(), small: new Set() };
    this.#phrases.set(units.text, known);
    noteLength(this.#longest, units);
    if (meaning.value === 'small') known.small.add(language);
    else known.meanings.set(language, [...(known.meanings.get(language) ?? []), meaning]);
  }
}

export function noteLength(longest: Map<string, number>, units: Units): void {
  const first = wordAt(units, 0);
  longest.set(first, Math.max(longest.get(first) ?? 0, units.units.length));
}

export const LEXICON = new Lexicon();

/** Kinds of places by what they belong to, such as pizza under restaurant. */
export const KINDS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(kindEntries).map(([vertical, kinds]) => [vertical, kinds.split('|').filter(Boolean)]),
);
const VERTICAL_OF = new Map(
  [...KINDS_OF].flatMap(([vertical, kinds]) => [vertical, ...kinds].map((kind) => [kind, vertical] as const)),
);

export function verticalOf(category: string): string | undefined {
  return VERTICAL_OF.get(category);
}

/** Words for numbers, by number, of every language. */
export const NUMBER_PHRASES: readonly (readonly [string, string])[] = LANGUAGES.flatMap((language) =>
  Object.entries(FILES[language]['number'] ?? {}),
);

/** What stands for a dish in a directory that knows kinds of places, not dishes. */
export const DISHES: Readonly<Record<string, { category?: string; cuisine?: string }>> = dishEntries;

const KITCHENS: Readonly<Record<string, string>> = kitchenEntries;

/** The kitchens that a word stands for: of "Asian", many; else the one. */
export function kitchensOf(cuisine: string): string[] {
  return ownValue(KITCHENS, cuisine)?.split('|') ?? [cuisine];
}

/** Areas in the script of the country, by destination. */
export const AREA_NAMES: Readonly<Record<string, Record<string, string>>> = areaEntries;
