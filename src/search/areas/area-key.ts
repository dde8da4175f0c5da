import { fold } from '../../core/text/fold.ts';
import own from '../understand/lexicon/own-words.json' with { type: 'json' };

/** The shortest spelling of each word that has several, such as st for Saint, San and Santa. */
const SHORT = new Map<string, string>();
for (const group of own.same) {
  const words = group.split('|').map(fold);
  for (const word of words) if (!SHORT.has(word)) SHORT.set(word, words[0] ?? word);
}

/** Returns a folded name with its words abbreviated, so that St Julian's and Saint Julian's are the same. */
export function abbreviate(folded: string): string {
  return folded
    .split(' ')
    .map((word) => SHORT.get(word) ?? word)
    .join(' ');
}

/** Returns the key by which the index knows an area. All spellings of its name have the same. */
export function areaKeyOf(name: string): string {
  return abbreviate(fold(name)).replaceAll(' ', '_');
}
