import { destinationKey, term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';

/** The area that folded words name in a scope, as the index knows it. */
export function findArea({ store }: OpenIndex, scope: number, words: string): string | undefined {
  const key = words.replaceAll(' ', '_');
  return store.lists.doesExist(destinationKey(scope) + term('a', key)) ? key : undefined;
}
