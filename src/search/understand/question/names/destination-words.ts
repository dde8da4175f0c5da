import type { Destination } from '../../../../directory/destinations.ts';
import { AREA_NAMES } from '../../lexicon/lexicon.ts';
import type { Meaning } from '../../lexicon/senses.ts';
import { foldWords, noteLength } from '../../tokens.ts';

/** Names that have a meaning in one destination: those of its areas and its own. */
export interface DestinationWords {
  meanings: ReadonlyMap<string, Meaning>;
  /** Length in tokens of the longest name that begins with this token. */
  longest: ReadonlyMap<string, number>;
}

const cache = new WeakMap<Destination, DestinationWords>();
const ARTICLE = /^(the|le|la|les|el|los|las|il|o|a) (?=.{4})/;

export function destinationWords(destination: Destination): DestinationWords {
  return cache.getOrInsertComputed(destination, makeWords);
}

function makeWords({ slug, name, other_names, areas }: Destination): DestinationWords {
  const meanings = new Map<string, Meaning>();
  const longest = new Map<string, number>();
  const add = (text: string, meaning: Meaning) => {
    const words = foldWords(text);
    for (const form of new Set([words, words.replace(ARTICLE, '')])) {
      if (form === '') continue;
      meanings.set(form, meaning);
      noteLength(longest, form);
    }
  };
  for (const one of [name, ...other_names]) add(one, { section: 'destination', value: name });
  for (const area of areas) add(area, { section: 'area', value: area });
  for (const [area, names] of Object.entries(AREA_NAMES[slug] ?? {}))
    if (areas.includes(area)) for (const one of names.split('|')) add(one, { section: 'area', value: area });
  return { meanings, longest };
}
