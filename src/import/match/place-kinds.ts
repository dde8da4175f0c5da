import lists from './match-words.json' with { type: 'json' };
import { latinWords } from './names/latin-words.ts';

/** Kinds by words in category codes. Places of different kinds are never the same; others may be. */
const kindByWord = new Map(
  Object.entries(lists.placeKinds).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind] as const),
  ),
);

/** True when both categories have a kind, and no kind in common. */
export function kindsClash(a: string, b: string): boolean {
  const kindsA = kindsOf(a);
  const kindsB = kindsOf(b);
  return kindsA.size > 0 && kindsB.size > 0 && kindsA.isDisjointFrom(kindsB);
}

function kindsOf(category: string): Set<string> {
  return new Set(latinWords(category).flatMap((word) => kindByWord.get(word) ?? []));
}
