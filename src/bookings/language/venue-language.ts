import { memoizeText } from '../../core/memory/memoize-text.ts';
import { messageText, type MessageText } from './catalogue.ts';

/** A supported language, and the locale in which a venue writes dates and times. */
export interface VenueLanguage {
  /** For example de or zh-Hant; also the lang attribute of a page. */
  code: string;
  direction: 'ltr' | 'rtl';
  locale: string;
  /** Voice language of calls; null where the phone provider has no voice for the language. */
  voice: string | null;
  text: MessageText;
}

/** Languages with a catalogue, and the country whose date formats are used by default. */
const LOCALES =
  'ar-EG ca-ES de-DE el-GR en-GB es-ES fi-FI fr-FR he-IL hr-HR id-ID it-IT ja-JP ko-KR nl-NL pt-PT th-TH tr-TR vi-VN zh-TW zh-CN'.split(
    ' ',
  );
const WITHOUT_VOICE = ['ar', 'he', 'hr'];
const RIGHT_TO_LEFT = ['ar', 'he'];

/**
 * Returns the language of a tag, or the main language of a tag with only a country; null when invalid. Chinese is two
 * languages here, by its characters.
 */
export const languageCodeOf = memoizeText((tag): string | null => {
  try {
    const locale = new Intl.Locale(tag);
    const { language, script } = locale.maximize();
    return language === 'zh' && script === 'Hant' ? 'zh-Hant' : language;
  } catch {
    return null;
  }
}, 1_000);

export const ENGLISH = languageIn('en-GB');

export const VENUE_LANGUAGES: ReadonlyMap<string, VenueLanguage> = new Map(
  LOCALES.map((locale) => {
    const language = locale === ENGLISH.locale ? ENGLISH : languageIn(locale);
    return [language.code, language];
  }),
);

function languageIn(locale: string): VenueLanguage {
  const code = languageCodeOf(locale) ?? '';
  return {
    code,
    direction: RIGHT_TO_LEFT.includes(code) ? 'rtl' : 'ltr',
    locale: datedLocale(locale),
    voice: WITHOUT_VOICE.includes(code) ? null : locale,
    text: messageText(code),
  };
}

/** In Arabic, some countries write other digits or use another calendar. Bookings keep those of all other messages. */
function datedLocale(locale: string): string {
  return locale.startsWith('ar-') ? `${locale}-u-ca-gregory-nu-latn` : locale;
}

export interface PlaceLanguages {
  /** Tags of the languages spoken there, from the place's record. */
  languages: readonly string[];
  /** ISO 3166 code; empty when the place no longer exists. */
  country: string;
}

/**
 * Returns the country's main language if the place lists it and it is not English. (Maps list languages
 * alphabetically, so the first one is not the preferred one.) Else the first listed language that has a
 * catalogue; else the main language; else English.
 */
export function venueLanguage({ languages, country }: PlaceLanguages): VenueLanguage {
  const main = languageCodeOf(`und-${country}`) ?? 'en';
  // Where Chinese is written in traditional characters, that is what zh means.
  const spokenCodes = languages.map((tag) =>
    tag === 'zh' && main === 'zh-Hant' ? main : languageCodeOf(tag),
  );
  const codes = [...(main !== 'en' && spokenCodes.includes(main) ? [main] : []), ...spokenCodes, main];
  const language =
    codes.map((code) => VENUE_LANGUAGES.get(code ?? '')).find((one) => one !== undefined) ?? ENGLISH;
  // In a country's main language, dates follow the country's format: en-US, es-MX, de-AT.
  return language.code === main && country !== ''
    ? { ...language, locale: datedLocale(`${main}-${country}`) }
    : language;
}

/** Chooses the language of automated calls: the venue's language, or English where there is no voice for it. */
export function spokenLanguage(place: PlaceLanguages): VenueLanguage {
  const language = venueLanguage(place);
  return language.voice === null ? ENGLISH : language;
}
