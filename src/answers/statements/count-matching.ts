import type { OperationDeps } from '../../core/context.ts';
import { fold, isUnspaced } from '../../core/text/fold.ts';
import type { Destination } from '../../directory/destinations.ts';
import type { PlaceCard } from '../../directory/place/place-fields.ts';
import { metresTo } from '../../search/query/geo-cells.ts';
import type { Hit } from '../../search/query/hit.ts';
import { searchPlaces, type PlaceSearch } from '../../search/search-places.ts';
import { DISHES, verticalOf } from '../../search/understand/lexicon/lexicon.ts';
import { reaches } from '../../search/understand/question/figures/read-rating.ts';
import type { Constraints } from '../search/constraints.ts';
import {
  isNamedLike,
  isOfKind,
  keepsDiets,
  meetsConstraints,
  neverCloses,
} from '../search/find-candidates.ts';

const PAGE = 200;
const PAGES_MAX = 12;
const NAMED_MAX = 40;
const SEARCHES_MAX = 60;
/** Verticals of places that have a cuisine. */
const WITH_CUISINE = new Set(['restaurant', 'cafe', 'bar', 'hotel', 'market', 'nightclub']);

/** The number of places that meet constraints. */
export interface MatchingPlaces {
  ids: ReadonlySet<string>;
  /** False when there may be more than were counted. */
  complete: boolean;
}

interface Target {
  kind?: string | undefined;
  cuisine?: string | undefined;
}

/**
 * Counts the places that meet constraints by plain index queries: by the fields of the records, and by the names, because
 * a taqueria may be recorded as a restaurant. Unlike the search for an answer, it has no order, no relaxation and no
 * shortlist. Counts places that are only usually open too, unless they must be `certain`. Stops after `enough` places.
 */
export function countMatching(
  deps: OperationDeps,
  destination: Destination,
  asked: Constraints,
  { words, enough, certain }: { words: ReadonlyMap<string, string>; enough: number; certain: boolean },
): MatchingPlaces {
  const constraints = { ...asked, openLikely: !certain };
  const ids = new Set<string>();
  const targets = targetsOf(constraints);
  const searches = targets.flatMap((target) => searchesFor(destination, constraints, target));
  let complete = searches.length <= SEARCHES_MAX;
  for (const [target, search] of searches.slice(0, SEARCHES_MAX)) {
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = searchPlaces(deps, { ...search, limit: PAGE, cursor });
      const cards = page.cards();
      for (const [at, hit] of page.hits.entries()) {
        const card = cards[at] as PlaceCard;
        if (isOfTarget(hit, card, target) && meets(hit, card, constraints)) ids.add(card.place_id);
      }
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && ids.size < enough && ++pages < PAGES_MAX);
    if (cursor !== undefined) complete = false;
    if (ids.size >= enough) return { ids, complete: false };
  }
  for (const id of namedMatches(deps, destination, constraints, targets, words)) ids.add(id);
  return { ids, complete };
}

function targetsOf({ categories: requested, cuisines, apart, diets }: Constraints): Target[] {
  // A café that caters for a diet contradicts that nobody does.
  const isGeneral = diets.length > 0 && requested.every((kind) => kind === 'restaurant');
  const categories = isGeneral ? ['restaurant', 'cafe'] : requested;
  if (apart !== undefined)
    return [
      ...categories.map((kind) => ({ kind })),
      ...cuisines.map((cuisine) => ({ cuisine })),
      ...apart.map(({ category, cuisine }) => ({ kind: category, cuisine })),
    ];
  const targets = orNone(categories).flatMap((kind) =>
    orNone(cuisines).map((cuisine): Target => ({ kind, cuisine })),
  );
  // "Thai food and a museum": the cuisine does not apply to the museum.
  const others = cuisines.length === 0 ? [] : categories.filter((kind) => !hasCuisine(kind));
  return [...targets, ...(others.length < categories.length ? others.map((kind) => ({ kind })) : [])];
}

function hasCuisine(kind: string): boolean {
  return WITH_CUISINE.has(verticalOf(kind) ?? kind);
}

type Search = readonly [Target, Omit<PlaceSearch, 'limit' | 'cursor'>];

function searchesFor(
  destination: Destination,
  { areas, prices, openAt, openLikely, wishes }: Constraints,
  target: Target,
): Search[] {
  return orNone(areas).flatMap((area) =>
    orNone(prices).map((price): Search => {
      const { kind: category, cuisine } = target;
      return [target, { destination, category, cuisine, area, price, openAt, openLikely, wishes }];
    }),
  );
}

/** Finds places whose name has the word for the kind or the cuisine. */
function namedMatches(
  deps: OperationDeps,
  destination: Destination,
  constraints: Constraints,
  targets: readonly Target[],
  words: ReadonlyMap<string, string>,
): string[] {
  const values = new Set(targets.flatMap(({ kind, cuisine }) => [kind, cuisine]));
  return [...values]
    .flatMap((value) => {
      if (value === undefined) return [];
      const texts = [value.replaceAll('_', ' '), words.get(value) ?? '', ...dishesOf(value)];
      const names = [...new Set(texts.map(fold))].filter(Boolean);
      return names.flatMap((text) =>
        searchesFor(destination, constraints, {}).flatMap(([, search]) => {
          const found = searchPlaces(deps, { ...search, text, limit: NAMED_MAX });
          return found.cards().filter((card, at) => {
            const hit = found.hits[at] as Hit;
            return hasName(card, text) && couldBe(card, value) && meets(hit, card, constraints);
          });
        }),
      );
    })
    .map(({ place_id }) => place_id);
}

/** Dishes that a kind stands for: a place called after tacos may be a taqueria. */
function dishesOf(kind: string): string[] {
  const isCalled = (names: string) =>
    names.split('|').some((name) => fold(name) === kind.replaceAll('_', ' '));
  return Object.entries(DISHES)
    .filter(([, { category, names = '' }]) => category === kind || isCalled(names))
    .map(([dish]) => dish.replaceAll('_', ' '));
}

function hasName({ name }: PlaceCard, word: string): boolean {
  return ` ${fold(name)}`.includes(isUnspaced(word) ? word : ` ${word}`);
}

/** True when a place of this vertical may be what the word says: a Thai massage is no Thai kitchen. */
function couldBe({ vertical }: PlaceCard, value: string): boolean {
  const own = verticalOf(value);
  return own === undefined ? WITH_CUISINE.has(vertical) : own === vertical;
}

function isOfTarget(hit: Hit, card: PlaceCard, { kind, cuisine }: Target): boolean {
  return isOfKind(hit, card, kind) && isOfKind(hit, card, cuisine);
}

function meets(hit: Hit, card: PlaceCard, constraints: Constraints): boolean {
  const { without, withoutNames, rated, rating, reviews, near, diets, aroundClock } = constraints;
  const kinds = [card.vertical, card.category, ...card.cuisine];
  if (without.some((kind) => kinds.includes(kind) || card.area === kind)) return false;
  if (isNamedLike(card, withoutNames)) return false;
  if (rated && card.rating === null) return false;
  if (rating !== undefined && !reaches(card.rating ?? 0, rating)) return false;
  if (reviews !== undefined && !reaches(card.review_count, reviews)) return false;
  if (near !== undefined && metresTo(near, hit.place.point) > near.radiusM) return false;
  if (aroundClock && !neverCloses(hit, constraints)) return false;
  // An answer could not name such a place, which does not contradict that there is none.
  if (constraints.openLikely !== true && !meetsConstraints(card, hit, constraints)) return false;
  return keepsDiets(card, hit.place.facts ?? {}, diets);
}

function orNone<T>(values: readonly T[]): readonly (T | undefined)[] {
  return values.length === 0 ? [undefined] : values;
}
