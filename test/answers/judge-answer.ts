import type { Answer } from './check-facts.ts';
import { instantOf, openIn, usuallyIn, type StoredPlace } from './directory-copy.ts';
import type { TravellerQuestion, Wanted } from './traveller-questions.ts';

/** Wishes that can be given up, by the name that an answer uses. */
const GIVEN_UP: Readonly<Record<string, keyof Wanted>> = {
  price: 'price',
  area: 'area',
  near: 'area',
  cuisine: 'cuisine',
  category: 'category',
  diet: 'diet',
};

/** Whether an answer is what a person who knows the town would want. Gives what it misses. */
export function judgeAnswer(
  asked: TravellerQuestion,
  answer: Answer,
  directory: ReadonlyMap<string, StoredPlace>,
): string[] {
  const { understood = {}, says = [], never = [], outcome } = asked;
  const misses: string[] = [];
  for (const [name, value] of Object.entries(understood))
    if (answer.understood[name] !== value)
      misses.push(`${name} is ${JSON.stringify(answer.understood[name])}, not ${JSON.stringify(value)}`);
  for (const pattern of says)
    if (!pattern.test(answer.answer)) misses.push(`it does not say ${String(pattern)}`);
  for (const pattern of never) if (pattern.test(answer.answer)) misses.push(`it says ${String(pattern)}`);
  if (outcome !== undefined && !outcome.some((one) => one === answer.outcome))
    misses.push(`the outcome is ${answer.outcome}`);
  if (outcome === undefined && answer.places.length === 0 && existsFor(asked, directory, new Set()))
    misses.push('there are such places, and none is named');
  return [...misses, ...placeMisses(asked, answer, directory)];
}

function placeMisses(
  asked: TravellerQuestion,
  { claims, places, relaxed }: Answer,
  directory: ReadonlyMap<string, StoredPlace>,
): string[] {
  const misses: string[] = [];
  const given = new Set(relaxed);
  // Where no place is known to be open, one that usually is, with the date of its hours, is right.
  const isUsuallyRight = (stored: StoredPlace) =>
    claims.some(({ place_id, field }) => place_id === stored.id && field === 'hours_from') &&
    usuallyIn(stored, instantOf(stored.timezone, asked.open ?? '')) === true &&
    fits(asked.every === undefined ? {} : { every: asked.every }, stored, given) &&
    !existsFor(asked, directory, given);
  for (const { place_id, name } of places) {
    const stored = directory.get(place_id);
    if (stored !== undefined && fits(asked, stored, given)) continue;
    if (stored === undefined || !isUsuallyRight(stored)) misses.push(`${name} is not what was asked for`);
  }
  if ([...given].some((name) => isJudged(asked, name)) && existsFor(asked, directory, new Set()))
    misses.push('a wish was given up that could be fulfilled');
  if (places.length === 1 && manyFor(asked, directory, given)) misses.push('one place, where there are more');
  return misses;
}

/** Whether the question says what a place must be in this respect: near an area is no such word. */
function isJudged({ every = {}, open }: TravellerQuestion, name: string): boolean {
  const field = GIVEN_UP[name];
  return name === 'time' ? open !== undefined : field !== undefined && every[field] !== undefined;
}

function fits(
  { every = {}, open }: Pick<TravellerQuestion, 'every' | 'open'>,
  place: StoredPlace,
  given: ReadonlySet<string>,
): boolean {
  const dropped = new Set([...given].map((name) => GIVEN_UP[name]));
  const kinds = [place.vertical, place.category, ...place.cuisine];
  const has = (field: 'vertical' | 'category', values?: readonly string[]) =>
    values === undefined ||
    dropped.has(field) ||
    values.some((value) => value === place[field] || place.categories.includes(value));
  if (!has('vertical', every.vertical) || !has('category', every.category)) return false;
  if (every.cuisine && !dropped.has('cuisine') && !every.cuisine.some((one) => kinds.includes(one)))
    return false;
  if (every.diet && !dropped.has('diet') && !every.diet.some((one) => kinds.includes(one))) return false;
  if (every.area !== undefined && !dropped.has('area') && place.area !== every.area) return false;
  if (every.price && !dropped.has('price') && !every.price.includes(place.price_range ?? '')) return false;
  if (every.without?.some((kind) => kinds.includes(kind)) === true) return false;
  if (open === undefined) return true;
  const state = openIn(place, instantOf(place.timezone, open)).open;
  return given.has('time') ? state !== false : state === true;
}

function existsFor(
  asked: TravellerQuestion,
  directory: ReadonlyMap<string, StoredPlace>,
  given: ReadonlySet<string>,
): boolean {
  return countFor(asked, directory, given) > 0;
}

function manyFor(
  asked: TravellerQuestion,
  directory: ReadonlyMap<string, StoredPlace>,
  given: ReadonlySet<string>,
): boolean {
  return asked.every !== undefined && countFor(asked, directory, given) > 2;
}

function countFor(
  asked: TravellerQuestion,
  directory: ReadonlyMap<string, StoredPlace>,
  given: ReadonlySet<string>,
): number {
  if (asked.every === undefined) return 0;
  let count = 0;
  for (const place of directory.values())
    if (place.slug === asked.destination && fits(asked, place, given)) count++;
  return count;
}
