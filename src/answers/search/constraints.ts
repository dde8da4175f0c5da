import type { Point } from '../../core/geo.ts';
import { relaxedSet, type Relaxed } from '../answer-sets.ts';
import type { Wish } from '../../directory/place/facts.ts';
import type { Destination } from '../../directory/destinations.ts';
import { instantOfLocalMinute } from '../../directory/hours/zone-clock.ts';
import { DISHES, verticalOf } from '../../search/understand/lexicon/lexicon.ts';
import type { Bound } from '../../search/understand/question/figures/read-rating.ts';
import type { Question } from '../../search/understand/question/read-question.ts';

/** Constraints on places. Lists are alternatives; an empty list is no constraint. */
export interface Constraints {
  categories: readonly string[];
  cuisines: readonly string[];
  /** One diet of each group must be satisfied. */
  diets: readonly (readonly string[])[];
  areas: readonly string[];
  prices: readonly string[];
  openAt: Date | undefined;
  /** Hours that are too old to be verified count too. */
  openLikely?: boolean;
  aroundClock: boolean;
  near: SearchCircle | undefined;
  without: readonly string[];
  withoutNames: readonly string[];
  /** Wishes that the facts of a place must confirm. */
  wishes: readonly Wish[];
  /** Wishes that the facts of a place must not deny. */
  notDenied: readonly Wish[];
  rated: boolean;
  rating: Bound | undefined;
  reviews: Bound | undefined;
  /** Targets that represent dishes, when kinds, cuisines and dishes are separate wishes. */
  apart: readonly Target[] | undefined;
}

/** One combination to search for. */
export interface Target {
  category?: string | undefined;
  cuisine?: string | undefined;
  /** Diet that the place is recorded to cater for. */
  diet?: Wish | undefined;
}

export interface SearchCircle extends Point {
  radiusM: number;
}

const LANDMARK_RADIUS_M = 3_000;

export function constraintsOf(question: Question, destination: Destination): Constraints {
  const { prices, time, landmark, intents } = question;
  const at = landmark?.landmark;
  return {
    ...kindsOf(question),
    diets: question.dietGroups,
    areas: question.areas,
    prices,
    openAt: time === undefined ? undefined : instantOfLocalMinute(destination.timezone, time.minute),
    aroundClock: question.aroundClock,
    near: at && { lat: at.lat, lng: at.lng, radiusM: LANDMARK_RADIUS_M },
    without: question.without,
    withoutNames: question.withoutNames,
    wishes: question.wishes,
    notDenied: question.wishes,
    rated: intents.has('best'),
    rating: question.rating,
    reviews: question.reviews,
  };
}

/** Replaces each dish with the cuisine or category that represents it. */
function kindsOf({
  categories,
  cuisines,
  dishes,
  apart,
}: Question): Pick<Constraints, 'categories' | 'cuisines' | 'apart'> {
  const targets = dishes.map((dish) => DISHES[dish] ?? {});
  if (apart) return { categories, cuisines, apart: targets };
  const dishCuisines = targets.flatMap(({ cuisine }) => (cuisine === undefined ? [] : [cuisine]));
  const dishCategories = targets.flatMap(({ category }) => (category === undefined ? [] : [category]));
  const general = categories.filter((kind) => kind !== 'restaurant' || dishes.length === 0);
  return {
    categories: [...new Set([...general, ...(general.length === 0 ? dishCategories : [])])],
    cuisines: cuisines.length > 0 ? cuisines : [...new Set(dishCuisines)],
    apart: undefined,
  };
}

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
    // Without its kind the question would be a different one, unless the remaining constraints still define the
    // subject.
    category:
      categories.length > 0 && (cuisines.length > 0 || categories.every((kind) => generalOf(kind) !== kind)),
  };
  return relaxedSet.values.filter((name) => active[name]);
}

export function relaxConstraints(constraints: Constraints, relaxed: ReadonlySet<Relaxed>): Constraints {
  return {
    ...constraints,
    rated: constraints.rated && !relaxed.has('rating'),
    rating: relaxed.has('rating') ? undefined : constraints.rating,
    reviews: relaxed.has('rating') ? undefined : constraints.reviews,
    apart: relaxed.has('cuisine') ? undefined : constraints.apart,
    prices: relaxed.has('price') ? [] : constraints.prices,
    areas: relaxed.has('area') ? [] : constraints.areas,
    near: relaxed.has('near') ? undefined : constraints.near,
    diets: relaxed.has('diet') ? [] : constraints.diets,
    openAt: relaxed.has('time') ? undefined : constraints.openAt,
    aroundClock: constraints.aroundClock && !relaxed.has('time'),
    cuisines: relaxed.has('cuisine') ? [] : constraints.cuisines,
    categories: relaxedCategories(constraints, relaxed),
  };
}

/** Verticals that may replace a kind: a café is an acceptable substitute for brunch, a museum is not one for a zoo. */
const GENERAL = new Set(['restaurant', 'cafe', 'bar', 'hotel', 'guesthouse']);

function generalOf(kind: string): string {
  const vertical = verticalOf(kind) ?? kind;
  return GENERAL.has(vertical) ? vertical : kind;
}

/** Relaxes categories. A question for a Thai restaurant is still about eating. */
function relaxedCategories({ categories }: Constraints, relaxed: ReadonlySet<Relaxed>): readonly string[] {
  if (relaxed.has('category')) return [...new Set(categories.map(generalOf))];
  return relaxed.has('cuisine') && categories.length === 0 ? ['restaurant'] : categories;
}
