import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../core/errors.ts';
import {
  acceptedLanguages,
  languageArgument,
  wantedLanguages,
  type Languages,
} from '../../../core/text/languages.ts';

/** Language preferences of a visitor. */
export interface PageReader {
  languages: Languages;
  /** The `lang` parameter of the URL, kept in links to other pages. */
  lang: string;
}

/** Reads the languages from the URL, or else from the browser. */
export function readReader(query: Record<string, unknown>, headers: IncomingHttpHeaders): PageReader {
  const { lang } = query;
  const requested = typeof lang === 'string' ? lang.trim() : '';
  const parsed = languageArgument.safeParse(requested === '' ? undefined : requested);
  if (!parsed.success)
    throw new AppError('validation_failed', `/lang: ${parsed.error.issues[0]?.message ?? ''}`, {
      hint: 'Leave lang out of the address, and the languages of your browser are used.',
    });
  const preferred = requested === '' ? acceptedLanguages(headers['accept-language']) : requested;
  return { languages: wantedLanguages(preferred) ?? [], lang: requested };
}

/** Returns the URL of a place for the same reader. */
export function placeAddress(placeId: string, { lang }: Pick<PageReader, 'lang'>): string {
  return `/p/${placeId}${lang === '' ? '' : `?lang=${encodeURIComponent(lang)}`}`;
}
