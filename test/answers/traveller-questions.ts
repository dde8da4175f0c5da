import { FOOD_QUESTIONS } from './questions/food.ts';
import { HONEST_QUESTIONS } from './questions/honest.ts';
import { OTHER_LANGUAGES } from './questions/other-languages.ts';
import { OUTING_QUESTIONS } from './questions/outings.ts';

/** Properties that the places of an answer must have. Lists are alternatives. */
export interface Wanted {
  vertical?: readonly string[];
  category?: readonly string[];
  cuisine?: readonly string[];
  /** Recorded as keeping to one of these diets. */
  diet?: readonly string[];
  area?: string;
  price?: readonly string[];
  /** Verticals, categories or cuisines that no place may have. */
  without?: readonly string[];
}

/**
 * A traveller's question with what a good answer must contain and must not. An answer may give a wish up only where
 * the directory holds nothing that fulfils all of them.
 */
export interface TravellerQuestion {
  destination: string;
  question: string;
  /** Values that must be understood, by name; others are not judged. */
  understood?: Record<string, string | number | null>;
  every?: Wanted;
  /** Every place must be known to be open at this local time. */
  open?: string;
  outcome?: readonly ('answered' | 'relaxed' | 'no_match' | 'out_of_scope')[];
  /** Patterns that the answer must contain (`says`), and must not (`never`). */
  says?: readonly RegExp[];
  never?: readonly RegExp[];
}

export const TRAVELLER_QUESTIONS: readonly TravellerQuestion[] = [
  ...FOOD_QUESTIONS,
  ...OUTING_QUESTIONS,
  ...HONEST_QUESTIONS,
  ...OTHER_LANGUAGES,
];
