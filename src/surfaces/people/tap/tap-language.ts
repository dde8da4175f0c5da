import type { Tap } from '../../../bookings/answering/find-tap.ts';
import { ENGLISH, type VenueLanguage } from '../../../bookings/language/venue-language.ts';
import { html, type Html } from '../../../core/text/html.ts';

/**
 * The reader may not understand the venue's language. The choice of English is in the URL, because this page sets no
 * cookies.
 */
const wantsEnglish = (query: URLSearchParams) => query.get('lang') === ENGLISH.code;

export function tapLanguage({ language }: Tap, query: URLSearchParams): VenueLanguage {
  return wantsEnglish(query) ? ENGLISH : language;
}

/** Adds the current language choice to a URL of this page. */
export function withLanguage(path: string, query: URLSearchParams): string {
  return wantsEnglish(query) ? `${path}?lang=${ENGLISH.code}` : path;
}

/** Links to the English page and back; false where the venue's language is English. */
export function languageLink({ language }: Tap, query: URLSearchParams, path: string): Html | false {
  if (language.code === ENGLISH.code) return false;
  const other = wantsEnglish(query) ? language : ENGLISH;
  const address = wantsEnglish(query) ? path : `${path}?lang=${ENGLISH.code}`;
  const name = new Intl.DisplayNames(other.code, { type: 'language' }).of(other.code) ?? other.code;
  return html`<p class="language">
    <a href="${address}" lang="${other.code}" hreflang="${other.code}">${name}</a>
  </p>`;
}
