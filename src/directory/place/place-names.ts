import { ownValue } from '../../core/input/own-value.ts';
import { remember } from '../../core/memory/remember.ts';
import { canonicalTag, fullLocale, scriptOf, type Languages } from '../../core/text/languages.ts';

/** Names by language tag. */
export type Names = Readonly<Record<string, string>>;

const REMEMBERED = 5_000;
/** How many names a card bears. */
export const CARD_NAMES_MAX = 12;

/** Most spoken first. Of a place with many names, a card has those. */
const MOST_SPOKEN =
  'en zh zh-Hans zh-Hant es hi fr ar pt ru ja de ko id it bn ur tr vi th fa pl uk nl sw ta te'.split(' ');

/** How mappers write the Latin reading of a name, and the tag for it. */
export const nameTag = remember(
  (key) =>
    canonicalTag(
      key
        .replace(/_rm$/, '-Latn')
        .replace(/_pinyin$/, '-Latn-pinyin')
        .replaceAll('_', '-'),
    ),
  REMEMBERED,
);

/** The names that are in a language; `x-other1` and so on are in none. */
export function languageNames(names: Names): Record<string, string> {
  const told: Record<string, string> = {};
  for (const [key, text] of Object.entries(names)) {
    const tag = nameTag(key);
    if (tag !== null && text !== '') told[tag] ??= text;
  }
  return told;
}

/** The names that answers tell beside the name; undefined where there is only one. */
export function toldNames(name: string, names: Names): Record<string, string> | undefined {
  const told = languageNames(names);
  return Object.values(told).some((text) => text !== name) ? told : undefined;
}

/** The names on a card: that of its own language, the English one, and those in the languages that most people speak. */
export function cardNames(name: string, names: Names): Record<string, string> | undefined {
  const told = toldNames(name, names);
  if (told === undefined) return undefined;
  const place = (tag: string) => {
    const at = MOST_SPOKEN.indexOf(tag);
    return told[tag] === name ? -1 : at < 0 ? MOST_SPOKEN.length : at;
  };
  const tags = Object.keys(told).sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  return Object.fromEntries(tags.slice(0, CARD_NAMES_MAX).map((tag) => [tag, told[tag] as string]));
}

/** Norwegian is written in two ways, and maps often say only that it is Norwegian. */
const KIN: Readonly<Record<string, readonly string[]>> = { nb: ['no'], no: ['nb', 'nn'], nn: ['no', 'nb'] };

/** The tags that stand for a wanted one, the nearest first: zh-TW, zh-Hant-TW, zh-Hant, zh. */
const standIns = remember((wanted): readonly string[] => {
  const { language = '', script, region } = fullLocale(wanted) ?? {};
  const shorter = wanted.split('-').map((_, at, parts) => parts.slice(0, parts.length - at).join('-'));
  const full = [
    `${language}-${script}-${region}`,
    `${language}-${script}`,
    `${language}-${region}`,
    language,
  ];
  // Somebody who says nothing but the language gets it as most people write it.
  const tags = wanted.includes('-') ? [...shorter.slice(0, -1), ...full] : [wanted, ...full];
  return [...new Set([...tags, ...(ownValue(KIN, language) ?? [])])];
}, REMEMBERED);

/** The language that most people of a country speak. */
const languageIn = remember(
  (country): string | undefined => fullLocale(`und-${country}`)?.language,
  REMEMBERED,
);

const writtenAs = remember((tag) => `${fullLocale(tag)?.language ?? tag} ${scriptOf(tag) ?? ''}`, REMEMBERED);

export interface ShownName {
  name: string;
  /** The name on the sign, where another one is shown. */
  local: string | undefined;
  /** Whether the reader gets a name in a language that was asked for. */
  wanted: boolean;
}

/** The name to be shown first: in the first wanted language that the place has a name in, or else its own. */
export function showName(
  { name, names, country }: { name: string; names: Names; country: string },
  languages: Languages,
): ShownName {
  for (const language of languages) {
    const text = nameIn(names, language);
    // What stands on the sign is in the language of the country, even where no map says so.
    if (text === name || (text === undefined && isSpokenIn(country, language)))
      return { name, local: undefined, wanted: true };
    if (text !== undefined) return { name: text, local: name, wanted: true };
  }
  return { name, local: undefined, wanted: false };
}

function isSpokenIn(country: string, language: string): boolean {
  return languageIn(country) === language.split('-')[0];
}

function nameIn(names: Names, language: string): string | undefined {
  for (const tag of standIns(language)) if (names[tag] !== undefined) return names[tag];
  const same = Object.keys(names).find((tag) => writtenAs(tag) === writtenAs(language));
  return same === undefined ? undefined : names[same];
}

/** Whether somebody reads Latin letters. */
export function readsLatin(languages: Languages): boolean {
  return languages.some((language) => scriptOf(language) === 'Latn');
}

/** How a place is named in a sentence: as it is shown, with the name on its sign in brackets. */
export function nameInWords({ name, local }: { name: string; local: string | undefined }): string {
  return local === undefined ? name : `${name} (${local})`;
}
