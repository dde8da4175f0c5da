import { ownValue } from '../../core/input/own-value.ts';
import { memoizeText } from '../../core/memory/memoize-text.ts';
import { kindNamesIfGenerated, withArea, type GeneratedName } from './generated-name.ts';
import { canonicalTag, fullLocale, scriptOf, type Languages } from '../../core/text/languages.ts';

/** Names by language tag. */
export type NamesByLanguage = Readonly<Record<string, string>>;

const REMEMBERED = 5_000;
export const CARD_NAMES_MAX = 12;

/** Languages with the most speakers first. A card of a place with many names has these. */
const MOST_SPOKEN =
  'en zh zh-Hans zh-Hant es hi fr ar pt ru ja de ko id it bn ur tr vi th fa pl uk nl sw ta te'.split(' ');

/** Converts a mapper's key for a name to a language tag, including those for Latin readings. */
export const nameTag = memoizeText(
  (key) =>
    canonicalTag(
      key
        .replace(/_rm$/, '-Latn')
        .replace(/_pinyin$/, '-Latn-pinyin')
        .replaceAll('_', '-'),
    ),
  REMEMBERED,
);

/** Names with a language; `x-other1` and so on have none. */
export function languageNames(names: NamesByLanguage): Record<string, string> {
  const byTag: Record<string, string> = {};
  for (const [key, text] of Object.entries(names)) {
    const tag = nameTag(key);
    if (tag !== null && text !== '') byTag[tag] ??= text;
  }
  return byTag;
}

/** Names that answers include beside the name; undefined where there is only one. */
export function alternativeNames(name: string, names: NamesByLanguage): Record<string, string> | undefined {
  const byTag = languageNames(names);
  return Object.values(byTag).some((text) => text !== name) ? byTag : undefined;
}

/** Names on a card: the one in its own language, the English one, and those in the languages with the most speakers. */
export function cardNames(name: string, names: NamesByLanguage): Record<string, string> | undefined {
  const byTag = alternativeNames(name, names);
  if (byTag === undefined) return undefined;
  const rank = (tag: string) => {
    const index = MOST_SPOKEN.indexOf(tag);
    return byTag[tag] === name ? -1 : index < 0 ? MOST_SPOKEN.length : index;
  };
  const tags = Object.keys(byTag).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(tags.slice(0, CARD_NAMES_MAX).map((tag) => [tag, byTag[tag] as string]));
}

/** Related tags: Norwegian has two written forms, and maps often state only that it is Norwegian. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  nb: ['no'],
  no: ['nb', 'nn'],
  nn: ['no', 'nb'],
};

/** Tags that match a requested one, the nearest first: zh-TW, zh-Hant-TW, zh-Hant, zh. */
const matchingTags = memoizeText((requested): readonly string[] => {
  const { language = '', script, region } = fullLocale(requested) ?? {};
  const shorter = requested.split('-').map((_, at, parts) => parts.slice(0, parts.length - at).join('-'));
  const full = [
    `${language}-${script}-${region}`,
    `${language}-${script}`,
    `${language}-${region}`,
    language,
  ];
  // A language alone means its most common script and region.
  const tags = requested.includes('-') ? [...shorter.slice(0, -1), ...full] : [requested, ...full];
  return [...new Set([...tags, ...(ownValue(RELATED, language) ?? [])])];
}, REMEMBERED);

/** The most spoken language of a country. */
const languageIn = memoizeText(
  (country): string | undefined => fullLocale(`und-${country}`)?.language,
  REMEMBERED,
);

const writtenAs = memoizeText(
  (tag) => `${fullLocale(tag)?.language ?? tag} ${scriptOf(tag) ?? ''}`,
  REMEMBERED,
);

export interface DisplayName {
  name: string;
  /** Name on the sign, if another one is shown. */
  local: string | undefined;
  /** True when the name is in a requested language. */
  isRequestedLanguage: boolean;
}

/** Chooses the name to show: in the first requested language that the place has a name in, or else its own. */
export function chooseDisplayName(
  place: GeneratedName & { names: NamesByLanguage; country: string },
  languages: Languages,
): DisplayName {
  const { name, names, country } = place;
  const kinds = kindNamesIfGenerated(place);
  if (kinds !== undefined) return generatedDisplayName(name, kinds, place.area, languages);
  for (const language of languages) {
    const text = nameIn(names, language);
    // The sign is in the language of the country, even where no map says so.
    if (text === name || (text === undefined && isSpokenIn(country, language)))
      return { name, local: undefined, isRequestedLanguage: true };
    if (text !== undefined) return { name: text, local: name, isRequestedLanguage: true };
  }
  return { name, local: undefined, isRequestedLanguage: false };
}

/** Returns the kind and area in the first requested language that has a word for the kind. It stands on no sign. */
function generatedDisplayName(
  name: string,
  kinds: NamesByLanguage,
  area: string | null | undefined,
  languages: Languages,
): DisplayName {
  for (const language of languages) {
    const kind = nameIn(kinds, language);
    if (kind !== undefined)
      return { name: withArea(kind, area), local: undefined, isRequestedLanguage: true };
  }
  return { name, local: undefined, isRequestedLanguage: false };
}

function isSpokenIn(country: string, language: string): boolean {
  return languageIn(country) === language.split('-')[0];
}

function nameIn(names: NamesByLanguage, language: string): string | undefined {
  for (const tag of matchingTags(language)) if (names[tag] !== undefined) return names[tag];
  const same = Object.keys(names).find((tag) => writtenAs(tag) === writtenAs(language));
  return same === undefined ? undefined : names[same];
}

/** True when one of the languages is written in Latin letters. */
export function readsLatin(languages: Languages): boolean {
  return languages.some((language) => scriptOf(language) === 'Latn');
}

/** Name for use in a sentence: the shown name, with the name on the sign in brackets. */
export function nameInWords({ name, local }: { name: string; local: string | undefined }): string {
  return local === undefined ? name : `${name} (${local})`;
}
