import { ownValue } from '../../core/input/own-value.ts';
import type { OperationDeps } from '../../core/context.ts';
import type { Point } from '../../core/geo.ts';
import type { Destination } from '../../directory/destinations.ts';
import { fold, isUnspaced } from '../../core/text/fold.ts';
import type { Hit } from '../../search/query/hit.ts';
import { metresTo } from '../../search/query/geo-cells.ts';
import { searchPlaces, type FoundPlaces, type PlaceSearch } from '../../search/search-places.ts';
import { verticalOf } from '../../search/understand/lexicon/lexicon.ts';
import { WISHES, type Facts, type Wish } from '../../directory/place/facts.ts';
import type { PlaceCard } from '../../directory/place/place-fields.ts';
import { isName, isSafeText, type AnswerCandidate } from './candidate.ts';
import type { Constraints, SearchCircle, Target } from './constraints.ts';
import similarKinds from './similar-kinds.json' with { type: 'json' };
import { isDenied, isMet } from './wishes.ts';
import { reaches } from '../../search/understand/question/figures/read-rating.ts';

const PER_SEARCH = 40;
const PER_NEAR_SEARCH = 150;
/** Kinds searched when the question names none: "what is open" does not mean a taxi stand. */
const GOING_OUT = ['restaurant', 'bar', 'cafe', 'attraction', 'market'];
const RESTAURANT_KINDS = new Set(['restaurant', 'vegetarian', 'vegan', 'halal', 'kosher', 'gluten_free']);
const PER_FILTERED_SEARCH = 400;
const SEARCHES_MAX = 40;
const CANDIDATES_MAX = 40;
/** Diets that also satisfy a diet. */
const DIET_KINDS: Readonly<Record<string, readonly string[]>> = { vegetarian: ['vegetarian', 'vegan'] };

/** Finds matching places in index order, or nearest first when near a point. Closed places are not in the index. */
export function findCandidates(
  deps: OperationDeps,
  destination: Destination,
  constraints: Constraints,
): AnswerCandidate[] {
  const candidates = new Map<string, AnswerCandidate>();
  const order = (a: AnswerCandidate, b: AnswerCandidate) =>
    (a.metres ?? 0) - (b.metres ?? 0) || a.hit.spot.doc - b.hit.spot.doc;
  const searches = searchesFor(constraints);
  for (const search of searches) {
    const { category } = search;
    const fitting = hitsOf(deps, { ...search, destination }, constraints)
      .filter(({ card, hit }) => meetsConstraints(card, hit, constraints) && isOfKind(hit, card, category))
      .filter(({ hit }) => !constraints.aroundClock || neverCloses(hit, constraints));
    // Each alternative gets its share, so that many bars do not crowd out the museum.
    for (const one of fitting.sort(order).slice(0, Math.ceil(CANDIDATES_MAX / searches.length)))
      candidates.set(one.card.place_id, one);
  }
  return [...candidates.values()].sort(order);
}

/** True when a place is open around the clock; with `openLikely`, also by hours that are too old to be verified. */
export function neverCloses(hit: Hit, { openAt, openLikely }: Constraints): boolean {
  if (openAt === undefined) return false;
  const { open, until } = (openLikely === true && hit.openByHoursAt(openAt)) || hit.openAt(openAt);
  return open === true && until === null;
}

function isOpen(hit: Hit, { openAt, openLikely }: Pick<PlaceSearch, 'openAt' | 'openLikely'>): boolean {
  if (openAt === undefined || hit.openAt(openAt).open === true) return true;
  return openLikely === true && hit.openByHoursAt(openAt)?.open === true;
}

/** True when many index hits may be filtered out afterwards. */
function isFilteredAfterwards({ without, rated, rating, reviews, diets, aroundClock }: Constraints): boolean {
  const bounded = rating !== undefined || reviews !== undefined;
  return bounded || rated || aroundClock || without.length > 0 || diets.length > 1;
}

type Search = Omit<PlaceSearch, 'limit' | 'near'>;

/** Computes distances here when all matches fit into one page; otherwise the index finds the nearest. */
function hitsOf(deps: OperationDeps, search: Search, constraints: Constraints): AnswerCandidate[] {
  const { near } = constraints;
  const usual = near === undefined ? PER_SEARCH : PER_NEAR_SEARCH;
  const limit = isFilteredAfterwards(constraints) ? PER_FILTERED_SEARCH : usual;
  const candidates = candidatesOf(searchPlaces(deps, { ...search, limit }));
  if (near === undefined) return candidates;
  if (candidates.length === limit) return nearestOf(deps, search, near);
  return candidates
    .map((one) => ({ ...one, metres: metresTo(near, one.hit.place.point) }))
    .filter(({ metres }) => metres <= near.radiusM);
}

/**
 * Searches the index for the nearest places regardless of hours and filters them here: searching for open places only
 * would cost many times as much.
 */
function nearestOf(
  deps: OperationDeps,
  { openAt, openLikely, ...search }: Search,
  near: SearchCircle,
): AnswerCandidate[] {
  const result = searchPlaces(deps, { ...search, near, limit: PER_NEAR_SEARCH });
  return candidatesOf(result).filter(({ hit }) => isOpen(hit, { openAt, openLikely }));
}

function candidatesOf(result: FoundPlaces): AnswerCandidate[] {
  const cards = result.cards();
  return result.hits.flatMap((hit, at) => {
    const card = cards[at];
    return card === undefined ? [] : [{ hit, card, metres: hit.metres }];
  });
}

function searchesFor(constraints: Constraints): Omit<Search, 'destination'>[] {
  const { areas, prices, openAt, openLikely, wishes } = constraints;
  const searches: Omit<Search, 'destination'>[] = [];
  for (const { category, cuisine, diet } of targetsOf(constraints))
    for (const area of orNone(areas))
      for (const price of orNone(prices))
        searches.push({
          ...{ category, cuisine, area, price, openAt, openLikely },
          wishes: diet === undefined ? wishes : [...wishes, diet],
        });
  return searches.slice(0, SEARCHES_MAX);
}

/** Combines kinds and cuisines, unless they are separate wishes. */
function targetsOf(constraints: Constraints): Target[] {
  const { categories, cuisines, apart } = constraints;
  if (apart !== undefined)
    return [
      ...categories.map((category) => ({ category })),
      ...cuisines.map((cuisine) => ({ cuisine })),
      ...apart,
    ];
  const kinds = orNone(kindFilters(constraints));
  const byKind = kinds.flatMap((category) =>
    (takesCuisine(category, kinds) ? orNone(cuisines) : [undefined]).map((cuisine) => ({
      category,
      cuisine,
    })),
  );
  // A restaurant may cater for a diet without being categorized by it.
  const byDiet = dietWishes(constraints).flatMap((diet) =>
    orNone(categories).flatMap((category) =>
      orNone(cuisines).map((cuisine): Target => ({ category, cuisine, diet })),
    ),
  );
  return [...byKind, ...byDiet];
}

function dietWishes({ diets }: Constraints): Wish[] {
  return WISHES.filter((wish) => diets[0]?.includes(wish) === true);
}

/** True when the cuisine applies to this kind: in "Thai food and a museum" it applies to the food only. */
function takesCuisine(kind: string | undefined, kinds: readonly (string | undefined)[]): boolean {
  const isRestaurant = (one: string | undefined) =>
    one === undefined || RESTAURANT_KINDS.has(verticalOf(one) ?? one);
  return isRestaurant(kind) || !kinds.some(isRestaurant);
}

function orNone<T>(values: readonly T[]): readonly (T | undefined)[] {
  return values.length === 0 ? [undefined] : values;
}

/**
 * Returns the kinds to filter by. The index takes one kind besides the cuisine: "vegetarian" is more specific than
 * "restaurant".
 */
function kindFilters({ categories, cuisines, diets }: Constraints): readonly string[] {
  if (categories.length + cuisines.length + diets.length === 0) return GOING_OUT;
  if (diets.length === 0) return categories;
  if (categories.some((kind) => kind !== 'restaurant')) return categories;
  return [...new Set(diets.flat().flatMap((diet) => ownValue(DIET_KINDS, diet) ?? [diet]))];
}

/** Synonyms of kinds in map data. */
const SAME_KINDS: Readonly<Record<string, readonly string[]>> = similarKinds.same;

/** True when a place is of this kind. A search interprets a word broadly; an answer must match the request. */
export function isOfKind(hit: Hit, card: PlaceCard, kind: string | undefined): boolean {
  if (kind === undefined) return true;
  const kinds = [kind, ...(ownValue(SAME_KINDS, kind) ?? [])];
  if (kinds.some((one) => one === card.category || one === card.vertical || card.cuisine.includes(one)))
    return true;
  return hit.isOf(kinds);
}

/** True when the name of a place has one of these words, which the question excludes. */
export function isNamedLike({ name }: PlaceCard, words: readonly string[]): boolean {
  const plain = ` ${fold(name)} `;
  return words.some((word) => plain.includes(isUnspaced(word) ? word : ` ${word} `));
}

export function meetsConstraints(card: PlaceCard, hit: Hit, constraints: Constraints): boolean {
  const { diets, notDenied, without, withoutNames, rated, rating, reviews } = constraints;
  const kinds = [card.vertical, card.category, ...card.cuisine];
  if (!isName(card.name) || (card.area !== null && !isSafeText(card.area))) return false;
  if (rated && card.rating === null) return false;
  if (rating !== undefined && !reaches(card.rating ?? 0, rating)) return false;
  if (reviews !== undefined && !reaches(card.review_count, reviews)) return false;
  if (without.some((kind) => kinds.includes(kind) || card.area === kind)) return false;
  if (isNamedLike(card, withoutNames)) return false;
  if (diets.length + notDenied.length === 0) return true;
  const facts = hit.place.facts ?? {};
  return keepsDiets(card, facts, diets) && !notDenied.some((wish) => isDenied(wish, facts));
}

/** True when the record of a place satisfies one diet of each group. */
export function keepsDiets(
  { vertical, category, cuisine }: PlaceCard,
  facts: Facts,
  diets: readonly (readonly string[])[],
): boolean {
  const kinds = [vertical, category, ...cuisine];
  const isSatisfied = (diet: string) =>
    (ownValue(DIET_KINDS, diet) ?? [diet]).some((kind) => kinds.includes(kind)) ||
    WISHES.some((wish) => wish === diet && isMet(wish, facts));
  return diets.every((group) => group.some(isSatisfied));
}

const AREA_PLACES = 50;
const MEAN_FAR_M = 100_000;

/** Returns the middle of an area, estimated from its places. */
export function areaMiddle(deps: OperationDeps, destination: Destination, area: string): Point | undefined {
  const { hits } = searchPlaces(deps, { destination, area, limit: AREA_PLACES });
  const points = hits.flatMap(({ place }) => place.point ?? []);
  const [origin] = points;
  if (origin === undefined) return undefined;
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = { lat: mean(points.map(({ lat }) => lat)), lng: mean(points.map(({ lng }) => lng)) };
  // Across the date line the mean is wrong, so any place of the area is used.
  return metresTo(middle, origin) > MEAN_FAR_M ? origin : middle;
}
