import { ownValue } from '../../core/input/own-value.ts';
import labels from './english-names.json' with { type: 'json' };

const KINDS: Readonly<Record<string, string>> = labels.kinds;
const RESTAURANTS: Readonly<Record<string, string>> = labels.tables;

/** Name of a kind as a sentence about a place says it. */
export function englishKind(vertical: string, kind: string): string {
  const words = kind.replaceAll(/[_-]/g, ' ');
  if (vertical !== 'restaurant') return ownValue(KINDS, kind) ?? words;
  return ownValue(RESTAURANTS, kind) ?? `${words} restaurant`;
}

/** Cuisines that are not named after a people and so not capitalized. */
const UNCAPITALIZED = new Set(['international', 'regional', 'fusion']);

/** English name of a cuisine. */
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

/** English name of a kind. */
export function kindName(category: string): string {
  return ownValue(KINDS, category) ?? ownValue(RESTAURANTS, category) ?? category.replaceAll('_', ' ');
}
