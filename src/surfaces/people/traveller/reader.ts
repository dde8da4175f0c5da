import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../core/errors.ts';
import {
  acceptedLanguages,
  languageArgument,
  wantedLanguages,
  type Languages,
} from '../../../core/text/languages.ts';

/** Who reads a page. */
export interface Reader {
  languages: Languages;
  /** What the address asks for, so that links to other pages ask for it too. */
  lang: string;
}

/** The languages of the address, or else of the browser. */
export function readReader(query: Record<string, unknown>, headers: IncomingHttpHeaders): Reader {
  const { lang } = query;
  const asked = typeof lang === 'string' ? lang.trim() : '';
  const parsed = languageArgument.safeParse(asked === '' ? undefined : asked);
  if (!parsed.success)
    throw new AppError('validation_failed', `/lang: ${parsed.error.issues[0]?.message ?? ''}`, {
      hint: 'Leave lang out of the address, and the languages of your browser are used.',
    });
  const wanted = asked === '' ? acceptedLanguages(headers['accept-language']) : asked;
  return { languages: wantedLanguages(wanted) ?? [], lang: asked };
}

/** The address of a place for the same reader. */
export function placeAddress(placeId: string, { lang }: Pick<Reader, 'lang'>): string {
  return `/p/${placeId}${lang === '' ? '' : `?lang=${encodeURIComponent(lang)}`}`;
}
