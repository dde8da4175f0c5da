import { lazy } from '../../../core/memory/lazy.ts';
import lists from './common-words.json' with { type: 'json' };
import { latinWords } from './latin-words.ts';

/** Words that do not distinguish places: articles, prepositions and legal forms. */
const emptyWords = lazy(() => new Set(lists.emptyWords.flatMap(latinWords)));

/** Words for a kind, which prove little. A line has one kind in several languages: "Ristorante" is "Restaurant". */
const kindByWord = lazy(
  () =>
    new Map(
      lists.kinds.map(latinWords).flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)),
    ),
);

/** The words for kinds, and other common words for kinds, trades and qualities, without translations. */
const commons = lazy(() => new Set([...kindByWord().keys(), ...lists.commonWords.flatMap(latinWords)]));

/** Words for a part with its own listing, such as a cash machine. If only one name has one, the places differ. */
export const partWords = lazy(() => new Set(lists.partWords.flatMap(latinWords)));

export function kindOrWord(word: string): string {
  return kindByWord().get(word) ?? word;
}

export function isKindWord(word: string): boolean {
  return kindByWord().has(word);
}

/** True for a word for a kind, a trade or a quality. */
export function isCommonWord(word: string): boolean {
  return commons().has(word);
}

/** Weight of a common word: agreement on the kind or the town is worth a third of agreement on the actual name. */
const commonWeight = 0.35;

/** Returns the weight of a word in a name; `local` are the words of the town, the street and the category. */
export function wordWeight(word: string, local: ReadonlySet<string>): number {
  if (emptyWords().has(word)) return 0;
  return commons().has(word) || local.has(word) ? commonWeight : 1;
}
