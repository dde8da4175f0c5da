import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import { fold, latinForm } from '../../core/text/fold.ts';
import { searchPlaces } from '../../search/search-places.ts';
import type { NamedPlace, NameSearch } from '../../search/understand/question/names/mentions.ts';
import type { PlaceCard } from '../../directory/place/place-fields.ts';

const WORDS_MIN = 3;
/** Sample size for deciding whether a kind is a category or a cuisine. */
const KIND_PLACES = 20;

/** Looks up words that are not in the lexicon in the index of one destination. */
export function nameSearch(deps: OperationDeps, destination: Destination): NameSearch {
  const first = (search: { text?: string; area?: string }) => {
    const [card] = searchPlaces(deps, { ...search, destination, limit: 1 }).cards();
    return card;
  };
  return {
    place(words, part) {
      if (words.length < WORDS_MIN) return undefined;
      const card = first({ text: words });
      if (card === undefined) return undefined;
      const { name } = card;
      const isIt =
        isSame(name, words) || isSame(latinForm(name) ?? '', words) || (part && hasWords(name, words));
      return isIt ? namedPlace(card) : undefined;
    },
    area(words) {
      if (words.length < WORDS_MIN) return undefined;
      const number = deps.places.destinationNumber(destination.id);
      const named = number === undefined ? undefined : deps.places.areaNamed(number, words);
      if (named !== undefined) return named;
      const area = first({ area: words })?.area;
      if (area == null) return undefined;
      return isSame(area, words) || (words.includes(' ') && hasWords(area, words)) ? area : undefined;
    },
    kind(word) {
      const number = deps.places.destinationNumber(destination.id);
      if (word.length < WORDS_MIN || number === undefined) return undefined;
      const kind = deps.places.kindNamed(number, word);
      if (kind === undefined) return undefined;
      const cards = searchPlaces(deps, { destination, category: kind, limit: KIND_PLACES }).cards();
      const isItself = ({ category, vertical }: PlaceCard) => category === kind || vertical === kind;
      const isKitchen = !cards.some(isItself) && cards.some(({ cuisine }) => cuisine.includes(kind));
      return { value: kind, isKitchen };
    },
  };
}

function namedPlace({ place_id, name, lat, lng }: PlaceCard): NamedPlace {
  return { place_id, name, point: lat === null || lng === null ? null : { lat, lng } };
}

const ARTICLE = /^(the|le|la|les|l|el|los|las|il|lo|o|a|os|as|der|die|das|de|het) (?=.)/;

function isSame(name: string, words: string): boolean {
  const bare = (text: string) => fold(text).replace(ARTICLE, '');
  return bare(name) === bare(words);
}

function hasWords(name: string, words: string): boolean {
  const nameWords = new Set(fold(name).split(' '));
  return fold(words)
    .split(' ')
    .every((word) => nameWords.has(word));
}
