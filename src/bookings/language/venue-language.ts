import { ownValue } from '../../core/input/own-value.ts';
import { remember } from '../../core/memory/remember.ts';
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

/** A language that we have words for, and the form in which a venue writes dates and times in it. */
export interface VenueLanguage {
  /** Such as de; also the lang attribute of a page. */
  code: string;
  /** Such as de-AT: for dates and times. */
  locale: string;
  words: VenueWords;
}

/** Every language that a venue can be spoken to in, by its code. */
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

/** What is known of a place about its language. */
export interface SpokenAt {
  /** Language tags; what is spoken there, as its record says. */
  languages: readonly string[];
  /** ISO 3166; empty where the place is gone. */
  country: string;
}

/**
 * The language in which a venue is written to: of those that are spoken there the main one of its country, unless that is
 * English, for maps list them by the alphabet; else the first that we have words for; where none is known the main one of its country; else
 * English.
 */
export function venueLanguage({ languages, country }: SpokenAt): VenueLanguage {
  const main = languageOf(`und-${country}`) ?? 'en';
  const spoken = languages.map(languageOf);
  const codes = [...(main !== 'en' && spoken.includes(main) ? [main] : []), ...spoken, main, 'en'];
  const code = codes.find((one) => one !== null && Object.hasOwn(VENUE_WORDS, one)) ?? 'en';
  const words = ownValue(VENUE_WORDS, code) ?? english;
  // Whoever writes the country's own language writes its dates too: en-US, es-MX, de-AT.
  return { code, locale: code === main && country !== '' ? `${code}-${country}` : words.locale, words };
}

/** The language in which a machine calls a venue: its own, or English where nothing can speak that. */
export function spokenLanguage(place: SpokenAt): VenueLanguage {
  const language = venueLanguage(place);
  return language.words.voice === null ? ENGLISH : language;
}

/** The language of a tag, also where the tag names only a country; null where it is none. */
const languageOf = remember((tag): string | null => {
  try {
    const locale = new Intl.Locale(tag);
    return locale.language === 'und' ? locale.maximize().language : locale.language;
  } catch {
    return null;
  }
}, 1_000);
