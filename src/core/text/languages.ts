import { z } from 'zod';
import { remember } from '../memory/remember.ts';

/** Language tags of BCP 47 in their canonical spelling, the most wanted first. */
export type Languages = readonly string[];

const REMEMBERED = 5_000;
const RANGES_MAX = 10;
const LANGUAGES_TEXT_MAX = 200;
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** The canonical spelling of a tag; null where it is none. */
export const canonicalTag = remember((tag): string | null => {
  if (!TAG.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}, REMEMBERED);

/** The script that a language is written in, such as Latn; undefined where nobody knows. */
export const scriptOf = remember((tag): string | undefined => fullLocale(tag)?.script, REMEMBERED);

/** A tag with its most likely script and region: zh-TW is zh-Hant-TW. */
export function fullLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

/** The languages that a text asks for: one tag, or a list as in Accept-Language. Null where any of it is neither. */
export const readLanguages = remember((text): Languages | null => {
  const ranges = rangesOf(text);
  return ranges.includes(undefined) || ranges.length > RANGES_MAX ? null : ordered(ranges);
}, REMEMBERED);

/** What an Accept-Language header asks for, as readLanguages takes it. A header that asks for nothing is no wish. */
export function acceptedLanguages(header: string | undefined): string | undefined {
  if (header === undefined || header === '*') return undefined;
  return accepted(header) ?? undefined;
}

// A browser sends what its user chose years ago: what cannot be read in it is passed over.
const accepted = remember((header): string | null => {
  let text = '';
  for (const tag of ordered(rangesOf(header)).slice(0, RANGES_MAX))
    if (text.length + 1 + tag.length <= LANGUAGES_TEXT_MAX) text += text === '' ? tag : `,${tag}`;
  return text === '' ? null : text;
}, REMEMBERED);

interface Range {
  /** Null where any language will do. */
  tag: string | null;
  quality: number;
}

function rangesOf(text: string): (Range | undefined)[] {
  return text.split(',').map((part) => {
    const [name = '', quality, ...more] = part.split(';').map((piece) => piece.trim());
    const wanted = quality === undefined ? 1 : Number(QUALITY.exec(quality)?.[1] ?? Number.NaN);
    const tag = name === '*' ? null : canonicalTag(name);
    if (more.length > 0 || Number.isNaN(wanted) || (tag === null && name !== '*')) return undefined;
    return { tag, quality: wanted };
  });
}

function ordered(ranges: readonly (Range | undefined)[]): Languages {
  const wanted = ranges
    .filter((range) => range !== undefined && range.quality > 0)
    .sort((a, b) => (b?.quality ?? 0) - (a?.quality ?? 0));
  return [...new Set(wanted.flatMap((range) => range?.tag ?? []))];
}

/** How callers say which language they read. */
export const languageArgument = z
  .string()
  .max(LANGUAGES_TEXT_MAX)
  .refine(
    (text) => readLanguages(text) !== null,
    `must be a language tag such as en or pt-BR, or up to ${RANGES_MAX} of them such as fr-CH, fr;q=0.9, en;q=0.8`,
  )
  .optional()
  .describe('Of names, as a BCP 47 tag.');

/** The languages of an argument; undefined where none is wanted. */
export function wantedLanguages(argument: string | undefined): Languages | undefined {
  const languages = argument === undefined ? null : readLanguages(argument);
  return languages === null || languages.length === 0 ? undefined : languages;
}
