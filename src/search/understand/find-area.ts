import { areasNamed } from '../areas/area-names.ts';
import { term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';

/** Folding removes emoji, and no area has one. */
const PICTURE = /\p{Extended_Pictographic}/u;

/** Returns the keys of areas in a scope that folded words name, in any language. */
export function findAreas(index: OpenIndex, scope: number, words: string): string[] {
  return PICTURE.test(words) ? [] : areasNamed(index, words, scope);
}

/** True when the name of an area begins with a word. Rules out most words with a single lookup. */
export function beginsArea({ store }: OpenIndex, word: string): boolean {
  const start = term('a', word);
  for (const _ of store.areas.getKeys({ start, end: `${start}\xff`, limit: 1 })) return true;
  return false;
}
