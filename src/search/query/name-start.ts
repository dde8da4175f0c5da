import { fold, wordsIn } from '../../core/text/fold.ts';
import { comparableNames } from '../landmark/match-name.ts';
import { term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { knownPhrase } from '../understand/known-phrase.ts';
import { all, any, spotsOf } from './expression.ts';
import { Hit } from './hit.ts';
import { completeWord } from './spelling.ts';
import { QUERY_WORDS_MAX } from './text-stages.ts';

const START_MIN = 2;
const READ_MAX = 2_000;
const COMPLETIONS_MAX = 64;

/**
 * Finds places whose name in any language begins with a text that is still being typed. The most prominent come first;
 * before them those of the kind that the text names ("casino"), or else those of which it is the whole name.
 */
export function searchNameStart(index: OpenIndex, text: string, limit: number, now: Date): Hit[] {
  const start = fold(text);
  const words = wordsIn(start).slice(0, QUERY_WORDS_MAX);
  const last = words.at(-1);
  if (start.length < START_MIN || last === undefined) return [];
  const longer = [last, ...completeWord(index.store, last, WORLD, COMPLETIONS_MAX)];
  const expression = all([
    ...words.slice(0, -1).map((word) => term('w', word)),
    // Too many words begin with one letter. The names found by the words before it are compared anyway.
    ...(last.length < START_MIN && words.length > 1
      ? []
      : [any(longer.map((word) => term('w', word))) ?? term('w', last)]),
  ]);
  if (expression === undefined) return [];
  const kinds = knownPhrase(index, start).kinds.flat();
  const found: { hit: Hit; isFirst: boolean }[] = [];
  let read = 0;
  for (const spot of spotsOf(index, expression, WORLD, -1)) {
    if (++read > READ_MAX) break;
    const place = index.place(spot);
    const names = place === undefined ? [] : comparableNames(place.described);
    if (place === undefined || !names.some((name) => name.startsWith(start))) continue;
    const hit = new Hit(index, spot, place, now);
    found.push({ hit, isFirst: kinds.length > 0 ? hit.isOf(kinds) : names.includes(start) });
  }
  return found
    .sort((a, b) => Number(b.isFirst) - Number(a.isFirst))
    .slice(0, limit)
    .map(({ hit }) => hit);
}
