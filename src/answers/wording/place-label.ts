import type { PlaceCard } from '../../directory/place/place-fields.ts';
import type { AnswerLanguage } from '../language/answer-language.ts';
import { englishKind } from '../language/english-names.ts';

/** Rejects free text in map tags. */
const PLAIN = /^[a-z][a-z0-9_-]{1,39}$/;

export interface Label {
  text: string;
  /** The cuisine in the text, and its name. */
  cuisine: string | undefined;
  cuisineText: string;
  /** Field that the text is based on. */
  field: 'category' | 'vertical';
}

/** Describes a place for use within a sentence: "Indonesian seafood restaurant", "Restaurant (Indonesisch)". */
export function labelOf(
  { vertical, category, cuisine }: Pick<PlaceCard, 'vertical' | 'category' | 'cuisine'>,
  language: AnswerLanguage,
): Label {
  const field = PLAIN.test(category) ? 'category' : 'vertical';
  const kind = field === 'category' ? category : vertical;
  const shown =
    vertical === 'restaurant' ? cuisine.find((one) => PLAIN.test(one) && one !== kind) : undefined;
  const cuisineText = shown === undefined ? '' : language.cuisine(shown);
  const kindText = language.code === 'en' ? englishKind(vertical, kind) : language.kind(kind);
  const text =
    shown === undefined
      ? kindText
      : language.text('place.kindCuisine', { kind: kindText, cuisine: cuisineText });
  return { text, cuisine: shown, cuisineText, field };
}
