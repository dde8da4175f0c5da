import { readFileSync } from 'node:fs';
import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  parse,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';
import { ANSWER_BENCH_LANGUAGES } from './questions.ts';

/** A sentence of an answer about the directory, recognized by its message in a catalogue. */
export interface FoundStatement {
  language: string;
  key: string;
  values: Readonly<Record<string, string>>;
}

const FOLDER = new URL('../../src/answers/language/catalogues/', import.meta.url);
/** Messages that say what the directory has, lacks or knows. */
const ABOUT_DIRECTORY =
  /^(?:relaxed|only|closed\.place|around|area|dish|asks|landmark|more|plain\.(?:unknown|noMatch))/;

const PATTERNS = ANSWER_BENCH_LANGUAGES.flatMap((language) => {
  const catalogue = JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8')) as Record<
    string,
    string
  >;
  return Object.entries(catalogue)
    .filter(([key]) => ABOUT_DIRECTORY.test(key))
    .map(([key, message]) => {
      const source = sourceOf(parse(message, { ignoreTag: true }));
      return { language, key, pattern: new RegExp(source, 'u') };
    });
});

/** Finds every sentence about the directory in the text of an answer. */
export function statementsIn(answer: string, language: string): FoundStatement[] {
  return PATTERNS.filter((one) => one.language === language).flatMap(({ key, pattern }) => {
    const match = pattern.exec(answer);
    return match === null ? [] : [{ language, key, values: { ...match.groups } }];
  });
}

const KIND_NAMES = JSON.parse(
  readFileSync(new URL('../../src/directory/kind-names/kind-names.json', import.meta.url), 'utf8'),
) as Record<string, { kinds: Record<string, string> }>;

const JAPANESE_MARKS = /[：。]/;

/** Returns the language whose words an answer uses most. Only Japanese answers have such marks. */
export function languageOfAnswer(answer: string): string {
  if (JAPANESE_MARKS.test(answer)) return 'ja';
  const score = (language: string) => {
    const file = readFileSync(new URL(`${language}.json`, FOLDER), 'utf8');
    const messages = Object.values(JSON.parse(file) as Record<string, string>);
    const pieces = messages
      .flatMap((message) => message.split(/\{[^{}]*\}/))
      .filter((one) => (one.match(/\p{L}/gu)?.length ?? 0) > 1);
    const words = [...pieces, ...Object.values(KIND_NAMES[language]?.kinds ?? {}).map((kind) => `: ${kind}`)];
    return words.filter((one) => answer.includes(one)).reduce((sum, one) => sum + one.length, 0);
  };
  return [...ANSWER_BENCH_LANGUAGES].sort((a, b) => score(b) - score(a))[0] ?? '';
}

function sourceOf(elements: readonly MessageFormatElement[]): string {
  return elements
    .map((element) => {
      if (isLiteralElement(element)) return element.value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      if (isPluralElement(element) || isSelectElement(element))
        return `(?:${Object.values(element.options)
          .map(({ value }) => sourceOf(value))
          .join('|')})`;
      if (isPoundElement(element)) return '\\d+';
      return element.value === 'shown'
        ? '(?<shown>\\d+)'
        : element.value === 'evidence'
          ? '(?<evidence>.+)'
          : `(?<${element.value}>[^.。]+?)`;
    })
    .join('');
}
