import lists from './match-words.json' with { type: 'json' };
import { latinWords } from './names/latin-words.ts';

/** Kinds by words in category codes. Places of different kinds are never the same; others may be. */
const kindByWord = new Map(
  Object.entries(lists.placeKinds).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind] as const),
  ),
);

/** Verticals that name a kind; the others, such as attraction, hold many. */
const NAMING_VERTICALS = new Set(
  'hostel guesthouse hotel massage spa nightclub bar cafe restaurant market clinic salon gym shop'.split(' '),
);

/** True when both have a kind, and no kind in common. */
export function kindsClash(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size > 0 && b.size > 0 && a.isDisjointFrom(b);
}

/** Returns the kinds of a category, or else of the vertical. */
export function kindsOf(category: string, vertical?: string | null): ReadonlySet<string> {
  const kinds = new Set(latinWords(category).flatMap((word) => kindByWord.get(word) ?? []));
  return kinds.size === 0 && NAMING_VERTICALS.has(vertical ?? '') ? kindsOf(vertical ?? '') : kinds;
}
