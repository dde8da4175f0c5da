import type { Tap } from '../../../bookings/answering/find-tap.ts';
import { ENGLISH, type VenueLanguage } from '../../../bookings/language/venue-language.ts';
import { html, type Html } from '../../../core/text/html.ts';

/** Whoever opens the page may not read the venue's language: the address says so, because no cookie is kept here. */
const wantsEnglish = (query: URLSearchParams) => query.get('lang') === ENGLISH.code;

export function tapLanguage({ language }: Tap, query: URLSearchParams): VenueLanguage {
  return wantsEnglish(query) ? ENGLISH : language;
}

/** An address of this page that keeps its language. */
export function sameLanguage(path: string, query: URLSearchParams): string {
  return wantsEnglish(query) ? `${path}?lang=${ENGLISH.code}` : path;
}

/** The way to English and back; nothing where the venue's language is English. */
export function languageLink({ language }: Tap, query: URLSearchParams, path: string): Html | false {
  if (language.code === ENGLISH.code) return false;
  const other = wantsEnglish(query) ? language : ENGLISH;
  const address = wantsEnglish(query) ? path : `${path}?lang=${ENGLISH.code}`;
  const name = new Intl.DisplayNames(other.code, { type: 'language' }).of(other.code) ?? other.code;
  return html`<p class="language">
    <a href="${address}" lang="${other.code}" hreflang="${other.code}">${name}</a>
  </p>`;
}
