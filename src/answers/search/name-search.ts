import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import { fold } from '../../core/text/fold.ts';
import { searchPlaces } from '../../search/search-places.ts';
import type { NamedPlace, NameSearch } from '../question/find-mentions.ts';
import { readCard, type Card } from './candidate.ts';

const WHOLE_NAME = 0;
const WORDS_MIN = 3;

/** Asks the index of one destination about words that no lexicon explains. */
export function nameSearch(deps: OperationDeps, destination: Destination): NameSearch {
  const first = (search: { text?: string; area?: string; category?: string }) => {
    const { hits, cards } = searchPlaces(deps, { ...search, destination, limit: 1 });
    const [hit] = hits;
    return hit === undefined ? undefined : { hit, card: readCard(cards[0] ?? '') };
  };
  return {
    place(words, part) {
      if (words.length < WORDS_MIN) return undefined;
      const found = first({ text: words });
      if (found === undefined) return undefined;
      if (found.hit.stage === WHOLE_NAME) return namedPlace(found.card);
      return part && hasWords(found.card.name, words) ? namedPlace(found.card) : undefined;
    },
    area(words) {
      if (words.length < WORDS_MIN) return undefined;
      const area = first({ area: words })?.card.area;
      return area != null && hasWords(area, words) ? area : undefined;
    },
    isKind(word) {
      return word.length >= WORDS_MIN && first({ category: word }) !== undefined;
    },
  };
}

function namedPlace({ place_id, name, lat, lng }: Card): NamedPlace {
  return { place_id, name, lat, lng };
}

function hasWords(name: string, words: string): boolean {
  const held = new Set(fold(name).split(' '));
  return fold(words)
    .split(' ')
    .every((word) => held.has(word));
}
