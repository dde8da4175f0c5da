import { ownValue } from '../../core/input/own-value.ts';
import type { OperationDeps } from '../../core/context.ts';
import type { Destination } from '../../directory/destinations.ts';
import { fold } from '../../core/text/fold.ts';
import type { Hit } from '../../search/query/hit.ts';
import { metresTo } from '../../search/query/geo-cells.ts';
import { searchPlaces, type FoundPlaces, type PlaceSearch } from '../../search/search-places.ts';
import { verticalOf } from '../question/lexicon.ts';
import { WISHES, type Facts, type Wish } from '../../directory/place/facts.ts';
import { isName, isSpeakable, type Candidate, type Card } from './candidate.ts';
import type { Constraints, Point, Target } from './constraints.ts';
import { isDenied, isMet } from './wishes.ts';
import { reaches } from '../question/figures/read-rating.ts';

const PER_SEARCH = 40;
const PER_NEAR_SEARCH = 150;
/** What is meant where nobody says what: somebody who asks what is open does not mean a taxi stand. */
const GOING_OUT = ['restaurant', 'bar', 'cafe', 'attraction', 'market'];
const TABLES = new Set(['restaurant', 'vegetarian', 'vegan', 'halal', 'kosher', 'gluten_free']);
const PER_FILTERED_SEARCH = 400;
const SEARCHES_MAX = 40;
const KEPT = 40;
/** Diets that another one keeps to as well. */
const DIET_KINDS: Readonly<Record<string, readonly string[]>> = { vegetarian: ['vegetarian', 'vegan'] };

/** The places that match, in the order of the index; near something, the nearest first. Closed ones are not in it. */
export function findCandidates(
  deps: OperationDeps,
  destination: Destination,
  constraints: Constraints,
): Candidate[] {
  const found = new Map<string, Candidate>();
  const order = (a: Candidate, b: Candidate) =>
    (a.metres ?? 0) - (b.metres ?? 0) || a.hit.spot.doc - b.hit.spot.doc;
  const searches = searchesFor(constraints);
  for (const search of searches) {
    const { category } = search;
    const fitting = hitsOf(deps, { ...search, destination }, constraints)
      .map(({ hit, card, metres }): Candidate => ({ card, hit, metres }))
      .filter(({ card, hit }) => isWanted(card, hit, constraints) && isOfKind(hit, card, category))
      .filter(({ hit }) => !constraints.aroundClock || neverCloses(hit, constraints.openAt));
    // Each alternative gets its share: a town with many bars still has its museum.
    for (const one of fitting.sort(order).slice(0, Math.ceil(KEPT / searches.length)))
      found.set(one.card.place_id, one);
  }
  return [...found.values()].sort(order);
}

function neverCloses(hit: Hit, openAt: Date | undefined): boolean {
  if (openAt === undefined) return false;
  const { open, until } = hit.openAt(openAt);
  return open === true && until === null;
}

/** Whether much of what the index finds may be left out afterwards. */
function isSieved({ without, rated, rating, reviews, diets, aroundClock }: Constraints): boolean {
  const bounded = rating !== undefined || reviews !== undefined;
  return bounded || rated || aroundClock || without.length > 0 || diets.length > 1;
}

type Search = Omit<PlaceSearch, 'limit' | 'near'>;

/** Where all that match fit into one page, their distances are worked out here; a crowd is left to the index. */
function hitsOf(deps: OperationDeps, search: Search, constraints: Constraints): Candidate[] {
  const { near } = constraints;
  const usual = near === undefined ? PER_SEARCH : PER_NEAR_SEARCH;
  const limit = isSieved(constraints) ? PER_FILTERED_SEARCH : usual;
  const found = candidatesOf(searchPlaces(deps, { ...search, limit }));
  if (near === undefined) return found;
  if (found.length === limit) return nearestOf(deps, search, near);
  return found
    .map((one) => ({ ...one, metres: metresTo(near, one.hit.place.point) }))
    .filter(({ metres }) => metres <= near.radiusM);
}

/** The index looks ring by ring for all, open or not: to ask it for open ones only would cost many times as much. */
function nearestOf(deps: OperationDeps, { openAt, ...search }: Search, near: Point): Candidate[] {
  const found = searchPlaces(deps, { ...search, near, limit: PER_NEAR_SEARCH });
  return candidatesOf(found).filter(({ hit }) => openAt === undefined || hit.openAt(openAt).open === true);
}

function candidatesOf(found: FoundPlaces): Candidate[] {
  const cards = found.cards();
  return found.hits.flatMap((hit, at) => {
    const card = cards[at];
    return card === undefined ? [] : [{ hit, card, metres: hit.metres }];
  });
}

/** One search for each combination of alternatives. */
function searchesFor(constraints: Constraints): Omit<Search, 'destination'>[] {
  const { areas, prices, openAt, wishes } = constraints;
  const searches: Omit<Search, 'destination'>[] = [];
  for (const { category, cuisine, diet } of targetsOf(constraints))
    for (const area of orNone(areas))
      for (const price of orNone(prices))
        searches.push({
          category,
          cuisine,
          area,
          price,
          openAt,
          wishes: diet === undefined ? wishes : [...wishes, diet],
        });
  return searches.slice(0, SEARCHES_MAX);
}

/** A kind and a kitchen are one wish, unless they are several things. */
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
    (hasKitchen(category, kinds) ? orNone(cuisines) : [undefined]).map((cuisine) => ({ category, cuisine })),
  );
  // A kitchen may cater for a diet without being called by it.
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

/** Of "Thai food and a museum", the kitchen is a wish about the food. */
function hasKitchen(kind: string | undefined, kinds: readonly (string | undefined)[]): boolean {
  const isTable = (one: string | undefined) => one === undefined || TABLES.has(verticalOf(one) ?? one);
  return isTable(kind) || !kinds.some(isTable);
}

function orNone<T>(values: readonly T[]): readonly (T | undefined)[] {
  return values.length === 0 ? [undefined] : values;
}

/** The index takes one kind beside the kitchen: of "vegetarian" and "restaurant", the first says more. */
function kindFilters({ categories, cuisines, diets }: Constraints): readonly string[] {
  if (categories.length + cuisines.length + diets.length === 0) return GOING_OUT;
  if (diets.length === 0) return categories;
  if (categories.some((kind) => kind !== 'restaurant')) return categories;
  return [...new Set(diets.flat().flatMap((diet) => ownValue(DIET_KINDS, diet) ?? [diet]))];
}

/** Other words for the same kind, as maps spell it. */
const SAME_KINDS: Readonly<Record<string, readonly string[]>> = {
  dental: ['dentist'],
  jewellery: ['jewelry'],
  steakhouse: ['steak_house'],
  grill: ['barbecue'],
  hair_salon: ['hairdresser'],
  noodles: ['noodle'],
  cafe: ['coffee_shop'],
  pub: ['beer_garden'],
  park: ['garden'],
  garden: ['park'],
  clinic: ['doctor', 'hospital'],
  market: ['marketplace'],
  temple: ['place_of_worship', 'shrine'],
  hotpot: ['hot_pot'],
  taqueria: ['tacos'],
};

/** A search takes a word for all that it may stand for; an answer keeps to what was asked. */
export function isOfKind(hit: Hit, card: Card, kind: string | undefined): boolean {
  if (kind === undefined) return true;
  const kinds = [kind, ...(ownValue(SAME_KINDS, kind) ?? [])];
  if (kinds.some((one) => one === card.category || one === card.vertical || card.cuisine.includes(one)))
    return true;
  return hit.isOf(kinds);
}

function isWanted(card: Card, hit: Hit, constraints: Constraints): boolean {
  const { diets, notDenied, without, withoutNames, rated, rating, reviews } = constraints;
  const kinds = [card.vertical, card.category, ...card.cuisine];
  if (!isName(card.name) || (card.area !== null && !isSpeakable(card.area))) return false;
  if (rated && card.rating === null) return false;
  if (rating !== undefined && !reaches(card.rating ?? 0, rating)) return false;
  if (reviews !== undefined && !reaches(card.review_count, reviews)) return false;
  if (without.some((kind) => kinds.includes(kind) || card.area === kind)) return false;
  if (withoutNames.some((name) => ` ${fold(card.name)} `.includes(` ${name} `))) return false;
  if (diets.length + notDenied.length === 0) return true;
  const facts = hit.place.facts ?? {};
  return keepsDiets(card, facts, diets) && !notDenied.some((wish) => isDenied(wish, facts));
}

/** Whether the record says that a place keeps to one diet of each group. */
export function keepsDiets(
  { vertical, category, cuisine }: Card,
  facts: Facts,
  diets: readonly (readonly string[])[],
): boolean {
  const kinds = [vertical, category, ...cuisine];
  const isKept = (diet: string) =>
    (ownValue(DIET_KINDS, diet) ?? [diet]).some((kind) => kinds.includes(kind)) ||
    WISHES.some((wish) => wish === diet && isMet(wish, facts));
  return diets.every((group) => group.some(isKept));
}

const AREA_PLACES = 50;
const MEAN_FAR_M = 100_000;

/** The middle of an area, as far as the places in it tell. */
export function areaMiddle(
  deps: OperationDeps,
  destination: Destination,
  area: string,
  radiusM: number,
): Point | undefined {
  const { hits } = searchPlaces(deps, { destination, area, limit: AREA_PLACES });
  const points = hits.flatMap(({ place }) => place.point ?? []);
  const [origin] = points;
  if (origin === undefined) return undefined;
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = { lat: mean(points.map(({ lat }) => lat)), lng: mean(points.map(({ lng }) => lng)) };
  // Across the date line a mean is nowhere: then any place of the area serves.
  const far = metresTo(middle, origin) > MEAN_FAR_M;
  return { ...(far ? origin : middle), radiusM };
}
