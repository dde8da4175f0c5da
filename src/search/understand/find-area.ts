import { areasNamed } from '../areas/area-names.ts';
import { term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';

/** Folding takes pictures away, and no area has one. */
const PICTURE = /\p{Extended_Pictographic}/u;

/** The areas that folded words name in a scope, in whatever language, as the index knows them. */
export function findAreas(index: OpenIndex, scope: number, words: string): string[] {
  return PICTURE.test(words) ? [] : areasNamed(index, words, scope);
}

/** Whether a name of an area begins with a word: of most words none does, and one look tells. */
export function beginsArea({ store }: OpenIndex, word: string): boolean {
  const start = term('a', word);
  for (const _ of store.areas.getKeys({ start, end: `${start}\xff`, limit: 1 })) return true;
  return false;
}
