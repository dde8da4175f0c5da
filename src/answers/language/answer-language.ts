import { readFileSync } from 'node:fs';
import { messageRenderer } from '../../core/text/message-catalogue.ts';
import type { Languages } from '../../core/text/languages.ts';
import { cuisineNameIn, kindNameIn } from '../../directory/kind-names/kind-names.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import { kindName, kitchenName } from './english-names.ts';
import type english from './catalogues/en.json';

export type AnswerKey = keyof typeof english;

/** Sentences about what the directory has or lacks. Only `stateChecked` says them, because it checks each before. */
export const DIRECTORY_KEYS = [
  'relaxed.unrated',
  'relaxed.rating',
  'relaxed.price',
  'relaxed.area',
  'relaxed.near',
  'relaxed.diet',
  'relaxed.time',
  'relaxed.cuisine',
  'relaxed.category',
  'relaxed.rest',
  'around.noBoundary',
  'area.unknown',
  'dish.unknown',
  'dish.closest',
  'asks.unknown',
  'landmark.unknown',
  'only.any',
  'only.rated',
  'more',
  'moreThan',
  'note.noDeals',
  'plain.unknown',
  'plain.empty',
  'plain.noMatch',
  'closed.place',
] as const satisfies readonly AnswerKey[];

export type DirectoryKey = (typeof DIRECTORY_KEYS)[number];
export type PlainKey = Exclude<AnswerKey, DirectoryKey>;
export type AnswerValues = Readonly<Record<string, string | number>>;

/** A language that answers are written in. */
export interface AnswerLanguage {
  code: string;
  text: (key: PlainKey, values?: AnswerValues) => string;
  directoryText: (key: DirectoryKey, values?: AnswerValues) => string;
  kind: (kind: string) => string;
  cuisine: (cuisine: string) => string;
  diet: (diet: string) => string;
  or: (values: readonly string[]) => string;
  weekday: (date: string) => string;
  /** Month and year of a date. */
  month: (date: string) => string;
}

const CODES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'id', 'ja', 'th'] as const;

export function readAnswerCatalogue(code: string): Readonly<Record<AnswerKey, string>> {
  const file = new URL(`./catalogues/${code}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<AnswerKey, string>;
}

const DIETS = new Set(['vegetarian', 'vegan', 'halal', 'kosher', 'gluten_free']);

function languageWith(code: string): AnswerLanguage {
  const render = messageRenderer(code, () => readAnswerCatalogue(code));
  const list = new Intl.ListFormat(code, { type: 'disjunction' });
  const weekday = new Intl.DateTimeFormat(code === 'en' ? 'en-GB' : code, {
    weekday: 'long',
    timeZone: 'UTC',
  });
  const month = new Intl.DateTimeFormat(`${code}-u-ca-gregory`, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return {
    code,
    text: render,
    directoryText: render,
    kind: (kind) => kindNameIn(code, kind) ?? kindName(kind),
    cuisine: (cuisine) => cuisineNameIn(code, cuisine) ?? kitchenName(cuisine),
    diet: (diet) => (DIETS.has(diet) ? render(`diet.${diet}`) : diet.replaceAll('_', ' ')),
    or: (values) => list.format(values),
    month: (date) => month.format(new Date(date)),
    weekday: (date) => weekday.format(new Date(`${date}T00:00:00Z`)),
  };
}

export const ANSWER_LANGUAGES: ReadonlyMap<string, AnswerLanguage> = new Map(
  CODES.map((code) => [code, languageWith(code)]),
);
const ENGLISH = ANSWER_LANGUAGES.get('en') as AnswerLanguage;

/** Returns the first requested language that has a catalogue, otherwise the language of the question. */
export function answerLanguage(
  { language }: Pick<Question, 'language'>,
  requested: Languages,
): AnswerLanguage {
  const codes = [...requested.map((tag) => tag.split('-')[0] ?? ''), language];
  return codes.map((code) => ANSWER_LANGUAGES.get(code)).find((one) => one !== undefined) ?? ENGLISH;
}
