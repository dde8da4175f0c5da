import { relaxedSet } from '../answer-sets.ts';
import type { Wish } from '../../directory/place/facts.ts';
import type { Destination } from '../../directory/destinations.ts';
import { instantOfLocalMinute } from '../../directory/hours/zone-clock.ts';
import { DISHES, verticalOf } from '../question/lexicon.ts';
import type { Bound } from '../question/figures/read-rating.ts';
import type { Question } from '../question/read-question.ts';

/** What places must be. Lists are alternatives; an empty one asks for nothing. */
export interface Constraints {
  categories: readonly string[];
  cuisines: readonly string[];
  /** Of each group one. */
  diets: readonly (readonly string[])[];
  areas: readonly string[];
  prices: readonly string[];
  openAt: Date | undefined;
  /** Whether a place must never close. */
  aroundClock: boolean;
  near: Point | undefined;
  without: readonly string[];
  withoutNames: readonly string[];
  /** What is known of a place. */
  wishes: readonly Wish[];
  /** What is not known to be otherwise. */
  notDenied: readonly Wish[];
  rated: boolean;
  rating: Bound | undefined;
  reviews: Bound | undefined;
  /** What stands for dishes, where kinds, kitchens and dishes are several things. */
  apart: readonly Target[] | undefined;
}

/** One thing that is looked for. */
export interface Target {
  category?: string | undefined;
  cuisine?: string | undefined;
  /** What it must be known to cater for. */
  diet?: Wish | undefined;
}

export interface Point {
  lat: number;
  lng: number;
  radiusM: number;
}

export const RELAXED = relaxedSet.values;
export type Relaxed = (typeof RELAXED)[number];

export const LANDMARK_RADIUS_M = 3_000;

export function constraintsOf(question: Question, destination: Destination): Constraints {
  const { prices, time, landmark, intents } = question;
  return {
    ...kindsOf(question),
    diets: question.dietGroups,
    areas: question.areas,
    prices,
    openAt: time === undefined ? undefined : instantOfLocalMinute(destination.timezone, time.minute),
    aroundClock: question.aroundClock,
    near: landmark?.point ? { ...landmark.point, radiusM: LANDMARK_RADIUS_M } : undefined,
    without: question.without,
    withoutNames: question.withoutNames,
    wishes: question.wishes,
    notDenied: question.wishes,
    rated: intents.has('best'),
    rating: question.rating,
    reviews: question.reviews,
  };
}

/** A dish stands for the kitchen it comes from. */
function kindsOf({
  categories,
  cuisines,
  dishes,
  apart,
}: Question): Pick<Constraints, 'categories' | 'cuisines' | 'apart'> {
  const meant = dishes.map((dish) => DISHES[dish] ?? {});
  if (apart) return { categories, cuisines, apart: meant };
  const kitchens = meant.flatMap(({ cuisine }) => (cuisine === undefined ? [] : [cuisine]));
  const kinds = meant.flatMap(({ category }) => (category === undefined ? [] : [category]));
  const general = categories.filter((kind) => kind !== 'restaurant' || dishes.length === 0);
  return {
    categories: [...new Set([...general, ...(general.length === 0 ? kinds : [])])],
    cuisines: cuisines.length > 0 ? cuisines : [...new Set(kitchens)],
    apart: undefined,
  };
}

/** Which of the wishes are there to be given up. */
export function activeOf(constraints: Constraints): Relaxed[] {
  const { rated, rating, reviews, prices, areas, near, diets, openAt, cuisines, categories } = constraints;
  const active: Readonly<Record<Relaxed, boolean>> = {
    rating: rated || rating !== undefined || reviews !== undefined,
    price: prices.length > 0,
    area: areas.length > 0,
    near: near !== undefined,
    diet: diets.length > 0,
    time: openAt !== undefined,
    cuisine: cuisines.length > 0,
    // Without its kind a question is another question, unless what is left still says what is looked for.
    category: categories.length > 0 && (cuisines.length > 0 || categories.every(hasGeneral)),
  };
  return RELAXED.filter((name) => active[name]);
}

export function without(constraints: Constraints, given: ReadonlySet<Relaxed>): Constraints {
  return {
    ...constraints,
    rated: constraints.rated && !given.has('rating'),
    rating: given.has('rating') ? undefined : constraints.rating,
    reviews: given.has('rating') ? undefined : constraints.reviews,
    apart: given.has('cuisine') ? undefined : constraints.apart,
    prices: given.has('price') ? [] : constraints.prices,
    areas: given.has('area') ? [] : constraints.areas,
    near: given.has('near') ? undefined : constraints.near,
    diets: given.has('diet') ? [] : constraints.diets,
    openAt: given.has('time') ? undefined : constraints.openAt,
    aroundClock: constraints.aroundClock && !given.has('time'),
    cuisines: given.has('cuisine') ? [] : constraints.cuisines,
    categories: relaxedCategories(constraints, given),
  };
}

/** Who finds no brunch may still want a café; who finds no zoo does not want a museum. */
const GENERAL = new Set(['restaurant', 'cafe', 'bar', 'hotel', 'guesthouse']);

function generalOf(kind: string): string {
  const vertical = verticalOf(kind) ?? kind;
  return GENERAL.has(vertical) ? vertical : kind;
}

function hasGeneral(kind: string): boolean {
  return generalOf(kind) !== kind;
}

function generalKinds(categories: readonly string[]): string[] {
  return [...new Set(categories.map(generalOf))];
}

/** Somebody who wanted a Thai kitchen still wants to eat. */
function relaxedCategories({ categories }: Constraints, given: ReadonlySet<Relaxed>): readonly string[] {
  if (given.has('category')) return generalKinds(categories);
  return given.has('cuisine') && categories.length === 0 ? ['restaurant'] : categories;
}
