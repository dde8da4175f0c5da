import { ownValue } from '../../core/input/own-value.ts';
import labels from './labels.json' with { type: 'json' };
import type { Card } from '../search/candidate.ts';

const KINDS: Readonly<Record<string, string>> = labels.kinds;
const TABLES: Readonly<Record<string, string>> = labels.tables;
/** A mapper's own spelling, such as a sentence in a tag, is not spoken. */
const PLAIN = /^[a-z][a-z0-9_-]{1,39}$/;

export interface Label {
  text: string;
  /** The kitchen that is named in it. */
  cuisine: string | undefined;
  /** Whether it says the category or only the vertical. */
  field: 'category' | 'vertical';
}

/** What a place is, in words that continue a sentence: "Indonesian seafood restaurant". */
export function labelOf({
  vertical,
  category,
  cuisine,
}: Pick<Card, 'vertical' | 'category' | 'cuisine'>): Label {
  const field = PLAIN.test(category) ? 'category' : 'vertical';
  const kind = field === 'category' ? category : vertical;
  if (vertical !== 'restaurant')
    return { text: ownValue(KINDS, kind) ?? kind.replaceAll(/[_-]/g, ' '), cuisine: undefined, field };
  const kitchen = cuisine.find((one) => PLAIN.test(one) && one !== kind);
  const table = ownValue(TABLES, kind) ?? `${kind.replaceAll(/[_-]/g, ' ')} restaurant`;
  return {
    text: kitchen === undefined ? table : `${kitchenName(kitchen)} ${table}`,
    cuisine: kitchen,
    field,
  };
}

/** Kitchens bear the name of a people, but for a few. */
const PLAIN_KITCHENS = new Set(['international', 'regional', 'fusion']);

export function kitchenName(cuisine: string): string {
  const words = cuisine.split('_');
  if (PLAIN_KITCHENS.has(cuisine) || !PEOPLES.test(cuisine)) return words.join(' ');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

const PEOPLES = /(an|ese|ish|ch|ean|ian|ek|ai|ern|ino|eli|ic|kan|sh|an)$/;

/** "restaurant" as "a restaurant", "Italian restaurant" as "an Italian restaurant". */
export function withArticle(label: string): string {
  return `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label}`;
}

/** A category as a traveller says it. */
export function kindName(category: string): string {
  return ownValue(KINDS, category) ?? ownValue(TABLES, category) ?? category.replaceAll('_', ' ');
}
