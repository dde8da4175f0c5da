import { ownValue } from '../../core/input/own-value.ts';
import { memoizeText } from '../../core/memory/memoize-text.ts';
import { indonesian } from './asia/indonesian.ts';
import { japanese } from './asia/japanese.ts';
import { thai } from './asia/thai.ts';
import { vietnamese } from './asia/vietnamese.ts';
import { catalan } from './europe/catalan.ts';
import { croatian } from './europe/croatian.ts';
import { dutch } from './europe/dutch.ts';
import { english } from './europe/english.ts';
import { finnish } from './europe/finnish.ts';
import { french } from './europe/french.ts';
import { german } from './europe/german.ts';
import { greek } from './europe/greek.ts';
import { italian } from './europe/italian.ts';
import { portuguese } from './europe/portuguese.ts';
import { spanish } from './europe/spanish.ts';
import { turkish } from './europe/turkish.ts';
import type { VenueWords } from './words.ts';

/** A supported language, and the locale in which a venue writes dates and times. */
export interface VenueLanguage {
  /** For example de; also the lang attribute of a page. */
  code: string;
  /** For dates and times, for example de-AT. */
  locale: string;
  words: VenueWords;
}

/** All supported languages by code. */
export const VENUE_WORDS: Readonly<Record<string, VenueWords>> = {
  ca: catalan,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hr: croatian,
  id: indonesian,
  it: italian,
  ja: japanese,
  nl: dutch,
  pt: portuguese,
  th: thai,
  tr: turkish,
  vi: vietnamese,
};

export const ENGLISH: VenueLanguage = { code: 'en', locale: english.locale, words: english };

/** The fields of a place that determine its language. */
export interface PlaceLanguages {
  /** Tags of the languages spoken there, from the place's record. */
  languages: readonly string[];
  /** ISO 3166 code; empty when the place no longer exists. */
  country: string;
}

/**
 * Chooses the language of messages to a venue: its country's main language if it is spoken there and not English,
 * because maps list languages alphabetically; else the first supported one that is spoken there; else the country's
 * main language; else English.
 */
export function venueLanguage({ languages, country }: PlaceLanguages): VenueLanguage {
  const main = languageOf(`und-${country}`) ?? 'en';
  const spokenCodes = languages.map(languageOf);
  const codes = [...(main !== 'en' && spokenCodes.includes(main) ? [main] : []), ...spokenCodes, main, 'en'];
  const code = codes.find((one) => one !== null && Object.hasOwn(VENUE_WORDS, one)) ?? 'en';
  const words = ownValue(VENUE_WORDS, code) ?? english;
  // In a country's main language, dates follow the country's format: en-US, es-MX, de-AT.
  return { code, locale: code === main && country !== '' ? `${code}-${country}` : words.locale, words };
}

/** Chooses the language of automated calls: the venue's language, or English where there is no voice for it. */
export function spokenLanguage(place: PlaceLanguages): VenueLanguage {
  const language = venueLanguage(place);
  return language.words.voice === null ? ENGLISH : language;
}

/** Returns the language of a tag, or the main language of a tag with only a country; null when invalid. */
const languageOf = memoizeText((tag): string | null => {
  try {
    const locale = new Intl.Locale(tag);
    return locale.language === 'und' ? locale.maximize().language : locale.language;
  } catch {
    return null;
  }
}, 1_000);
