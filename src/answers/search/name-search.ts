import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import { fold, isUnspaced, latinForm } from '../../core/text/fold.ts';
import { searchPlaces, type PlaceSearch } from '../../search/search-places.ts';
import type { NamedPlace, NameSearch } from '../../search/understand/question/names/mentions.ts';
import type { PlaceCard } from '../../directory/place/place-fields.ts';
import { candidateNames } from './candidate.ts';

const WORDS_MIN = 3;
/** 東寺 is a whole name. */
const UNSPACED_MIN = 2;
/** Sample size for deciding whether a kind is a category or a cuisine. */
const KIND_PLACES = 20;

/** True for words that are too short to be looked up as a name. */
export function isTooShort(words: string): boolean {
  return words.length < (isUnspaced(words) ? UNSPACED_MIN : WORDS_MIN);
}

/** Looks up words that are not in the lexicon in the index of one destination. */
export function nameSearch(deps: OperationDeps, destination: Destination): NameSearch {
  const first = (search: Pick<PlaceSearch, 'text' | 'area'>) => {
    const found = searchPlaces(deps, { ...search, destination, limit: 1 });
    const [hit] = found.hits;
    const [card] = found.cards();
    return hit && card && { hit, card };
  };
  return {
    place(words) {
      if (isTooShort(words)) return undefined;
      const found = first({ text: words });
      if (found === undefined) return undefined;
      const { hit, card } = found;
      const names = [...candidateNames(hit, card), latinForm(card.name) ?? ''];
      return names.some((name) => isSame(name, words)) ? namedPlace(card) : undefined;
    },
    landmark(words, isLoose) {
      const number = deps.places.destinationNumber(destination.id);
      if (isTooShort(words) || number === undefined) return undefined;
      return deps.places.landmark(number, deps.destinations.current, words, isLoose);
    },
    area(words) {
      if (isTooShort(words)) return undefined;
      const number = deps.places.destinationNumber(destination.id);
      const named = number === undefined ? undefined : deps.places.areaNamed(number, words);
      if (named !== undefined) return named;
      const area = first({ area: words })?.card.area;
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
