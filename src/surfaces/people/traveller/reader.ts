import type { IncomingHttpHeaders } from 'node:http';
import type { Point } from '../../../core/geo.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import {
  acceptedLanguages,
  languageArgument,
  wantedLanguages,
  type Languages,
} from '../../../core/text/languages.ts';
import { MINUTE_MS } from '../../../core/time.ts';

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

/** Languages in which search engines are offered names: those in which the service answers. */
export const NAME_LANGUAGES: readonly string[] = 'en de es fr id it ja nl pt th'.split(' ');

/** Returns the canonical path of a page whose names are in the reader's language. */
export function canonicalPath(path: string, { lang }: PageReader): string {
  return NAME_LANGUAGES.includes(lang) ? `${path}?lang=${lang}` : path;
}

/** Returns the URL of a place for the same reader, with the point from which the walk there is stated. */
export function placeAddress(placeId: string, { lang }: Pick<PageReader, 'lang'>, near?: Point): string {
  const query = new URLSearchParams({
    ...(lang === '' ? {} : { lang }),
    ...(near === undefined ? {} : { near: nearText(near) }),
  });
  // A comma needs no escaping in a query.
  const text = query.toString().replaceAll('%2C', ',');
  return `/p/${placeId}${text === '' ? '' : `?${text}`}`;
}

/** About ten metres. */
const NEAR_DIGITS = 4;

/** Writes a point as the parameter `near`. */
export function nearText({ lat, lng }: Point): string {
  return `${lat.toFixed(NEAR_DIGITS)},${lng.toFixed(NEAR_DIGITS)}`;
}

/** Reads the point of an address; undefined where it is none. */
export function readNear({ near }: Record<string, unknown>): Point | undefined {
  const [, lat, lng] = /^(-?\d{1,2}(?:\.\d{1,8})?),(-?\d{1,3}(?:\.\d{1,8})?)$/.exec(String(near)) ?? [];
  const point = { lat: Number(lat), lng: Number(lng) };
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180 ? point : undefined;
}

/** Names are shown in the reader's language, so responses vary by it. */
export const BY_LANGUAGE = 'accept-encoding, accept-language';

/** Pages show open states and local times to the minute. */
export function thisMinute({ clock }: Pick<Deps, 'clock'>): Date {
  return new Date(Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS);
}
