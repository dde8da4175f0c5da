import { isUnspaced } from '../../core/text/fold.ts';
import { abbreviate } from '../areas/area-key.ts';
import { areasNamed } from '../areas/area-names.ts';
import { term } from '../store/keys.ts';
import { keep, type OpenIndex } from '../store/open-index.ts';
import { isIn } from './part.ts';

/** Folding removes emoji, and no area has one. */
const PICTURE = /\p{Extended_Pictographic}/u;
const NONE: readonly string[] = [];

/** Returns the keys of areas in a scope that folded words name, in any language. Cached until the index changes. */
export function findAreas(index: OpenIndex, scope: number, words: string): readonly string[] {
  const key = `${scope} ${words}`;
  const cached = index.areas.get(key);
  if (cached !== undefined) return cached;
  const areas = PICTURE.test(words) ? NONE : areasNamed(index, words, scope);
  return keep(index.areas, key, areas.length === 0 ? NONE : areas);
}

/** True when the name of an area may begin with a word. Rules out most words. */
export function mayBeginArea(index: OpenIndex, scope: number, word: string): boolean {
  if (isUnspaced(word)) return true;
  const begins =
    index.areaStarts.get(word) ??
    keep(
      index.areaStarts,
      word,
      [...new Set([word, abbreviate(word)])].some((spelling) => beginsArea(index, spelling)),
    );
  return begins || isIn(index, scope, term('p', word));
}

function beginsArea({ store }: OpenIndex, word: string): boolean {
  const start = term('a', word);
  for (const _ of store.areas.getKeys({ start, end: `${start}\xff`, limit: 1 })) return true;
  return false;
}
