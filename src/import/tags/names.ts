import { transliterate } from '../../core/text/transliterate.ts';
import { cutAtWord, NAME_MAX } from '../../core/text/limits.ts';
import type { Tags } from '../categories.ts';

// Language tag, with script or region: en, zh-Hant, be-tarask. Excludes name:etymology and name:left.
const LANGUAGE = /^[a-z]{2,3}([-_][A-Za-z0-9]{2,10})*$/;
const NOT_LANGUAGES = new Set(['alt', 'old', 'ref', 'abr']);
// Keys of the Latin reading of a name: name:ja-Latn, name:ja_rm, name:ko_rm, name:zh_pinyin.
const LATIN_READING = /^name:[a-z]{2,3}[-_](Latn|rm|pinyin)/;
const OTHER_NAMES = ['alt_name', 'short_name', 'official_name', 'loc_name', 'int_name', 'iata', 'icao'];
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;

// Japanese mixes its scripts without spaces, and their readings would become one word.
const BETWEEN_SCRIPTS =
  /(?<=\p{Script=Han})(?=[\p{Script=Hiragana}\p{Script=Katakana}])|(?<=[\p{Script=Hiragana}\p{Script=Katakana}ー])(?=\p{Script=Han})/gu;

export interface NameTags {
  name: string;
  names: Record<string, string>;
  other_names: string[];
  latin_name: string | null;
}

/** Length of the longest language tag. */
const LANGUAGE_LENGTH_MAX = 35;
/** Maximum raw length of a text, since runs of spaces are collapsed. */
const RAW_MAX = 10 * NAME_MAX;
/** More names than any map object has. */
const NAMES_MAX = 500;
const OTHER_NAMES_MAX = 50;

const UNTIDY = /^ | $|[^\S ]| {2}|\p{Cc}/u;

export function tidySpaces(text: string): string {
  return UNTIDY.test(text) ? text.replace(/[\s\p{Cc}]+/gu, ' ').trim() : text;
}

function nameIn(text: string): string {
  return cutAtWord(tidySpaces(cutAtWord(text, RAW_MAX)), NAME_MAX);
}

function namesByLanguage(tags: Tags): Record<string, string> {
  const names: Record<string, string> = {};
  let count = 0;
  for (const [key, value] of tags) {
    if (!key.startsWith('name:')) continue;
    const language = key.slice(5);
    if (language.length > LANGUAGE_LENGTH_MAX || !LANGUAGE.test(language) || NOT_LANGUAGES.has(language))
      continue;
    const name = nameIn(value);
    if (name === '') continue;
    names[language] = name;
    if (++count === NAMES_MAX) break;
  }
  return names;
}

export function isNamed(tags: Tags): boolean {
  if ((tags.get('name') ?? '').trim() !== '') return true;
  return Object.keys(namesByLanguage(tags)).length > 0;
}

/** Returns the name in Latin letters, which a traveller can type, or null when it is already written in them. */
export function latinName(name: string): string | null {
  if (!FOREIGN_LETTER.test(name)) return null;
  const latin = tidySpaces(transliterate(name.replace(BETWEEN_SCRIPTS, ' ')));
  return latin === '' ? null : cutAtWord(latin, NAME_MAX);
}

function latinReading(tags: Tags): string | null {
  for (const [key, value] of tags) {
    if (LATIN_READING.test(key) && !FOREIGN_LETTER.test(value)) return nameIn(value);
  }
  return null;
}

function otherNames(tags: Tags, name: string): string[] {
  const others = new Set<string>();
  for (const key of OTHER_NAMES) {
    for (const other of tags.get(key)?.split(';', OTHER_NAMES_MAX) ?? []) others.add(nameIn(other));
  }
  return [...others].filter((other) => other !== '' && other !== name).slice(0, OTHER_NAMES_MAX);
}

export function readNames(tags: Tags): NameTags | null {
  const names = namesByLanguage(tags);
  const name = nameIn(tags.get('name') ?? '') || (names['en'] ?? Object.values(names)[0] ?? '');
  if (name === '') return null;
  const latin_name = FOREIGN_LETTER.test(name) ? (latinReading(tags) ?? latinName(name)) : null;
  return { name, names, other_names: otherNames(tags, name), latin_name };
}
