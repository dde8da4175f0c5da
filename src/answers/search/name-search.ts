import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import { fold, latinForm } from '../../core/text/fold.ts';
import { searchPlaces } from '../../search/search-places.ts';
import type { NamedPlace, NameSearch } from '../question/names/mentions.ts';
import type { Card } from './candidate.ts';

const WORDS_MIN = 3;
/** So many places of a kind tell whether it is one of places or of kitchens. */
const KIND_PLACES = 20;

/** Asks the index of one destination about words that no lexicon explains. */
export function nameSearch(deps: OperationDeps, destination: Destination): NameSearch {
  const first = (search: { text?: string; area?: string }) => {
    const [card] = searchPlaces(deps, { ...search, destination, limit: 1 }).cards();
    return card;
  };
  return {
    place(words, part) {
      if (words.length < WORDS_MIN) return undefined;
      const found = first({ text: words });
      if (found === undefined) return undefined;
      const { name } = found;
      const isIt =
        isSame(name, words) || isSame(latinForm(name) ?? '', words) || (part && hasWords(name, words));
      return isIt ? namedPlace(found) : undefined;
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
      const isItself = ({ category, vertical }: Card) => category === kind || vertical === kind;
      const isKitchen = !cards.some(isItself) && cards.some(({ cuisine }) => cuisine.includes(kind));
      return { value: kind, isKitchen };
    },
  };
}

function namedPlace({ place_id, name, lat, lng }: Card): NamedPlace {
  return { place_id, name, point: lat === null || lng === null ? null : { lat, lng } };
}

const ARTICLE = /^(the|le|la|les|l|el|los|las|il|lo|o|a|os|as|der|die|das|de|het) (?=.)/;

function isSame(name: string, words: string): boolean {
  const bare = (text: string) => fold(text).replace(ARTICLE, '');
  return bare(name) === bare(words);
}

function hasWords(name: string, words: string): boolean {
  const held = new Set(fold(name).split(' '));
  return fold(words)
    .split(' ')
    .every((word) => held.has(word));
}
