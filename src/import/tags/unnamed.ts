import { hasKindName } from '../../directory/place/generated-name.ts';
import { cutAtWord, NAME_MAX } from '../../core/text/limits.ts';
import { classifyWord, type CategoryMatch, type Tags } from '../categories.ts';
import { latinName, tidySpaces, type NameTags } from './names.ts';

const CLOSED_TO_PUBLIC = new Set(['private', 'no', 'permit', 'residents', 'delivery']);
/** Parking along a street is drawn in thousands of pieces, none of which anybody looks for. */
const STREET_PARKING = new Set(['street_side', 'lane', 'on_kerb', 'half_on_kerb', 'shoulder']);
const PARKING = new Set(['parking', 'motorcycle_parking', 'bicycle_parking']);

/** True for parking that a traveller cannot use. */
export function isPrivateParking(tags: Tags, { categories }: CategoryMatch): boolean {
  return PARKING.has(categories[0] ?? '') && isClosedToPublic(tags);
}

/** Returns the kind of an object that is kept without a name; null when it is not kept. */
export function matchWithoutName(tags: Tags, match: CategoryMatch): CategoryMatch | null {
  if (isClosedToPublic(tags) || STREET_PARKING.has(tags.get('parking') ?? '')) return null;
  const [category = ''] = match.categories;
  if (hasKindName(category) || brandIn(tags) !== '') return match;
  // An unnamed fountain with drinking water is of interest for its water.
  const useful = match.categories.find(hasKindName);
  const found = useful === undefined ? null : classifyWord(useful);
  return found && { ...found, categories: [...new Set([...found.categories, ...match.categories])] };
}

/**
 * Returns the names of an object without a name: its brand or operator, or else an empty name, which is replaced by its
 * kind and area once the area is known.
 */
export function namesWithoutName(tags: Tags): NameTags {
  const name = brandIn(tags) || textIn(tags, 'operator');
  return { name, names: {}, other_names: [], latin_name: latinName(name) };
}

function isClosedToPublic(tags: Tags): boolean {
  return CLOSED_TO_PUBLIC.has(tags.get('access') ?? '');
}

function brandIn(tags: Tags): string {
  return textIn(tags, 'brand');
}

function textIn(tags: Tags, key: string): string {
  return cutAtWord(tidySpaces(tags.get(key) ?? ''), NAME_MAX);
}
