import { z } from 'zod';
import { memoizeText } from '../memory/memoize-text.ts';

/** BCP 47 language tags in canonical spelling, most preferred first. */
export type Languages = readonly string[];

const REMEMBERED = 5_000;
const RANGES_MAX = 10;
const LANGUAGES_TEXT_MAX = 200;
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

export const canonicalTag = memoizeText((tag): string | null => {
  if (!TAG.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}, REMEMBERED);

/** Returns the script of a language, such as Latn; undefined when unknown. */
export const scriptOf = memoizeText((tag): string | undefined => fullLocale(tag)?.script, REMEMBERED);

/** Returns a tag with its most likely script and region: zh-TW becomes zh-Hant-TW. */
export function fullLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

/** Parses one language tag, or a list as in Accept-Language. Null when any part is invalid. */
const readLanguages = memoizeText((text): Languages | null => {
  const ranges = rangesOf(text);
  return ranges.includes(undefined) || ranges.length > RANGES_MAX ? null : ordered(ranges);
}, REMEMBERED);

/** Converts an Accept-Language header to the form of readLanguages. Undefined when it expresses no preference. */
export function acceptedLanguages(header: string | undefined): string | undefined {
  if (header === undefined || header === '*') return undefined;
  return accepted(header) ?? undefined;
}

// A browser sends what its user chose years ago, so unreadable parts are skipped.
const accepted = memoizeText((header): string | null => {
  let text = '';
  for (const tag of ordered(rangesOf(header)).slice(0, RANGES_MAX))
    if (text.length + 1 + tag.length <= LANGUAGES_TEXT_MAX) text += text === '' ? tag : `,${tag}`;
  return text === '' ? null : text;
}, REMEMBERED);

interface Range {
  /** Null for any language. */
  tag: string | null;
  quality: number;
}

function rangesOf(text: string): (Range | undefined)[] {
  return text.split(',').map((part) => {
    const [name = '', quality, ...more] = part.split(';').map((piece) => piece.trim());
    const weight = quality === undefined ? 1 : Number(QUALITY.exec(quality)?.[1] ?? Number.NaN);
    const tag = name === '*' ? null : canonicalTag(name);
    if (more.length > 0 || Number.isNaN(weight) || (tag === null && name !== '*')) return undefined;
    return { tag, quality: weight };
  });
}

function ordered(ranges: readonly (Range | undefined)[]): Languages {
  const preferred = ranges
    .filter((range) => range !== undefined && range.quality > 0)
    .sort((a, b) => (b?.quality ?? 0) - (a?.quality ?? 0));
  return [...new Set(preferred.flatMap((range) => range?.tag ?? []))];
}

export const languageArgument = z
  .string()
  .max(LANGUAGES_TEXT_MAX)
  .refine(
    (text) => readLanguages(text) !== null,
    `must be a language tag such as en or pt-BR, or up to ${RANGES_MAX} of them such as fr-CH, fr;q=0.9, en;q=0.8`,
  )
  .optional()
  .describe('For names, as a BCP 47 tag.');

export function wantedLanguages(argument: string | undefined): Languages | undefined {
  const languages = argument === undefined ? null : readLanguages(argument);
  return languages === null || languages.length === 0 ? undefined : languages;
}
