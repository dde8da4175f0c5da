import { ownValue } from '../../core/input/own-value.ts';
import labels from './labels.json' with { type: 'json' };
import type { PlaceCard } from '../../directory/place/place-fields.ts';

const KINDS: Readonly<Record<string, string>> = labels.kinds;
const RESTAURANTS: Readonly<Record<string, string>> = labels.tables;
/** Rejects free text in map tags. */
const PLAIN = /^[a-z][a-z0-9_-]{1,39}$/;

export interface Label {
  text: string;
  /** The cuisine in the text. */
  cuisine: string | undefined;
  /** Field that the text is based on. */
  field: 'category' | 'vertical';
}

/** Describes a place for use within a sentence: "Indonesian seafood restaurant". */
export function labelOf({
  vertical,
  category,
  cuisine,
}: Pick<PlaceCard, 'vertical' | 'category' | 'cuisine'>): Label {
  const field = PLAIN.test(category) ? 'category' : 'vertical';
  const kind = field === 'category' ? category : vertical;
  if (vertical !== 'restaurant')
    return { text: ownValue(KINDS, kind) ?? kind.replaceAll(/[_-]/g, ' '), cuisine: undefined, field };
  const cuisineName = cuisine.find((one) => PLAIN.test(one) && one !== kind);
  const table = ownValue(RESTAURANTS, kind) ?? `${kind.replaceAll(/[_-]/g, ' ')} restaurant`;
  return {
    text: cuisineName === undefined ? table : `${kitchenName(cuisineName)} ${table}`,
    cuisine: cuisineName,
    field,
  };
}

/** Cuisines that are not named after a people and so not capitalized. */
const UNCAPITALIZED = new Set(['international', 'regional', 'fusion']);

export function kitchenName(cuisine: string): string {
  const words = cuisine.split('_');
  if (UNCAPITALIZED.has(cuisine) || !NATIONALITY.test(cuisine)) return words.join(' ');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

const NATIONALITY = /(an|ese|ish|ch|ean|ian|ek|ai|ern|ino|eli|ic|kan|sh|an)$/;

/** Prepends the article: "a restaurant", "an Italian restaurant". */
export function withArticle(label: string): string {
  return `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label}`;
}

export function kindName(category: string): string {
  return ownValue(KINDS, category) ?? ownValue(RESTAURANTS, category) ?? category.replaceAll('_', ' ');
}
