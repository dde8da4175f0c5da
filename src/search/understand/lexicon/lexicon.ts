import { closedSet } from '../../../core/input/closed-set.ts';
import { ownValue } from '../../../core/input/own-value.ts';
import type { Wish } from '../../../directory/place/facts.ts';
import areaNames from './area-names.json' with { type: 'json' };
import cuisineGroups from './cuisine-groups.json' with { type: 'json' };
import dishes from './dishes.json' with { type: 'json' };
import kinds from './kinds.json' with { type: 'json' };
import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };
import es from './languages/es.json' with { type: 'json' };
import fr from './languages/fr.json' with { type: 'json' };
import id from './languages/id.json' with { type: 'json' };
import it from './languages/it.json' with { type: 'json' };
import ja from './languages/ja.json' with { type: 'json' };
import nl from './languages/nl.json' with { type: 'json' };
import pt from './languages/pt.json' with { type: 'json' };
import th from './languages/th.json' with { type: 'json' };

/** Languages in which questions are understood. */
export const languageSet = closedSet('QuestionLanguage', {
  en: 'English.',
  es: 'Spanish.',
  fr: 'French.',
  de: 'German.',
  it: 'Italian.',
  pt: 'Portuguese.',
  nl: 'Dutch.',
  id: 'Indonesian.',
  ja: 'Japanese.',
  th: 'Thai.',
});
export const LANGUAGES = languageSet.values;
export type Language = (typeof LANGUAGES)[number];

/** Phrases of one language, separated by bars, by section and value. */
export type LanguageWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const LANGUAGE_WORDS: Readonly<Record<Language, LanguageWords>> = {
  ...{ en, es, fr, de, it, pt, nl, id, ja, th },
};

/** Words that link others, by language: conjunctions and prepositions of place. Dutch "of" means "or". */
export function linkWords(language: Language, link: 'or' | 'and' | 'at'): readonly string[] {
  return LANGUAGE_WORDS[language]['link']?.[link]?.split('|') ?? [];
}

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Wishes that the facts of a place may answer, by the value of section `ask`. */
export const ASKED_WISHES: Readonly<Partial<Record<string, Wish>>> = {
  outdoor: 'outdoor_seating',
  wifi: 'wifi',
  dogs: 'dogs',
  access: 'wheelchair',
  cards: 'cards',
  delivery: 'delivery',
  smoke_free: 'no_smoking',
  free_entry: 'free',
};

const VERTICAL_OF = new Map(
  Object.entries(kinds).flatMap(([vertical, narrower]) =>
    [vertical, ...narrower.split('|').filter(Boolean)].map((kind) => [kind, vertical] as const),
  ),
);

/** Returns the vertical of a category, such as restaurant for pizza. */
export function verticalOf(category: string): string | undefined {
  return VERTICAL_OF.get(category);
}

/** Number words of all languages, by number. */
export const NUMBER_PHRASES: readonly (readonly [string, string])[] = LANGUAGES.flatMap((language) =>
  Object.entries(LANGUAGE_WORDS[language]['number'] ?? {}),
);

/**
 * Dishes with their names in many languages and the kinds and cuisines of the map that they imply, the closest first.
 * Questions use one category or cuisine, because the demonstration has kinds of places but no dishes.
 */
export const DISHES: Readonly<
  Record<string, { category?: string; cuisine?: string; implies?: string; names?: string }>
> = dishes;

/**
 * Words for one sort of place of a cuisine, with its kinds and cuisines in the map: "not an izakaya" leaves the other
 * Japanese restaurants.
 */
export const SORTS_OF_PLACE: Readonly<Record<string, readonly string[]>> = { izakaya: ['izakaya', 'pub'] };

const CUISINE_GROUPS: Readonly<Record<string, string>> = cuisineGroups;

/** Returns the cuisines to look for: many for "Asian", Japanese for an izakaya, otherwise the word itself. */
export function cuisinesOf(cuisine: string): string[] {
  return ownValue(CUISINE_GROUPS, cuisine)?.split('|') ?? [cuisine];
}

/** Area names in the local script, by destination. */
export const AREA_NAMES: Readonly<Record<string, Record<string, string>>> = areaNames;
