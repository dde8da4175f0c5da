import type { Extract } from './map-objects.ts';
import { ANDORRA } from './set/andorra.ts';
import { HELSINKI } from './set/helsinki.ts';
import type { JudgedSearch } from './set/judged-search.ts';
import { LIECHTENSTEIN } from './set/liechtenstein.ts';
import { MONACO } from './set/monaco.ts';
import { TOKYO } from './set/tokyo.ts';

const SETS: Record<Extract, readonly JudgedSearch[]> = {
  monaco: MONACO,
  andorra: ANDORRA,
  liechtenstein: LIECHTENSTEIN,
  helsinki: HELSINKI,
  'tokyo-center': TOKYO,
};

export interface Asked {
  extract: Extract;
  text: string;
  settlement: string;
  right: JudgedSearch[2];
  language: string;
  sort: string;
  script: string;
}

const SCRIPTS = ['Hangul', 'Arabic', 'Cyrillic', 'Hiragana', 'Katakana', 'Han', 'Latin'] as const;

export const SEARCHES: readonly Asked[] = Object.entries(SETS).flatMap(([extract, searches]) =>
  searches.map(([text, settlement, right, language, sort]) => ({
    ...{ extract: extract as Extract, text, settlement, right, language, sort },
    script: SCRIPTS.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(text)) ?? 'emoji',
  })),
);
