import type { PagePosition } from '../../core/cursor.ts';
import { WORLD } from '../store/keys.ts';
import { NONE } from '../store/list.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { FIRST_UNNAMED_DOC, serialOf } from '../store/rank.ts';
import type { StoredPlace } from '../store/stored-place.ts';
import { docsIn, spotsOf, worldDoc } from './expression.ts';
import { isInside } from './geo-cells.ts';
import { Hit } from './hit.ts';
import type { IndexQuery, SearchResult } from './index-query.ts';
import { OpenFilter } from './open-filter.ts';
import type { Stage } from './stages.ts';

/** Fills a page of results, one stage after another. */
export class ResultPage {
  readonly #index: OpenIndex;
  readonly #query: IndexQuery;
  readonly #instant: Date;
  readonly #hits: Hit[] = [];
  readonly #ends: PagePosition[] = [];
  /** Places that this page has visited. A place that matched in an earlier stage is not repeated. */
  #visited = new Set<number>();
  readonly #openFilters = new Map<Stage, OpenFilter | undefined>();
  /** Stage in which the first place was found. */
  #best: Stage | undefined;

  constructor(index: OpenIndex, query: IndexQuery, now: Date) {
    this.#index = index;
    this.#query = query;
    this.#instant = query.openAt ?? now;
  }

  /** True when the name of the best place is the text. */
  get beganWithName(): boolean {
    return this.#best?.isName === true;
  }

  fill(stages: readonly Stage[], from = 0): SearchResult {
    const { after, limit } = this.#query;
    const first = Math.max(from, after?.stage ?? 0);
    for (let number = first; number < stages.length; number++) {
      const stage = stages[number] as Stage;
      const startStage = after?.stage ?? number;
      const onlyWhenEmpty = stage.whenEmpty === true;
      if (onlyWhenEmpty && (this.#hits.length > 0 || startStage < number)) break;
      // Places visited so far did not match the whole text, but may match the rest of it.
      if (onlyWhenEmpty) this.#visited.clear();
      // Places that are not known to be open were visited too.
      else if (stage.byOldHours === true && stages[number - 1]?.byOldHours !== true)
        this.#visited = new Set(this.#hits.map(({ spot }) => idOf(spot)));
      const expression = stage.expression();
      if (expression === undefined) continue;
      const continuesHere = number === after?.stage;
      const afterRank = continuesHere ? after.rank : -1;
      // Places of this page are remembered; only the stages of earlier pages must be evaluated again.
      const earlier = stages
        .slice(0, after === undefined || onlyWhenEmpty ? 0 : continuesHere ? number : after.stage + 1)
        .filter((one) => stage.byOldHours !== true || one.byOldHours === true || !this.#isOpenOnly(one));
      const matchedEarlier = matcher(this.#index, earlier, stage.scope);
      const isLast = number === stages.length - 1;
      for (const spot of spotsOf(this.#index, expression, stage.scope, afterRank)) {
        if (stage.onlyNamed === true && spot.doc >= FIRST_UNNAMED_DOC) break;
        const id = idOf(spot);
        if (this.#visited.has(id) || matchedEarlier(spot)) continue;
        if (!isLast) this.#visited.add(id);
        const hit = this.#hitAt(spot, stage);
        if (hit === undefined) continue;
        if (this.#hits.length === limit) return this.#result(this.#ends.at(-1));
        this.#best ??= stage;
        this.#hits.push(hit);
        this.#ends.push({ stage: number, rank: spot.rank });
      }
    }
    return this.#result(undefined);
  }

  #result(next: PagePosition | undefined): SearchResult {
    return { hits: this.#hits, next, understood: this.#best?.understood?.() };
  }

  #hitAt(spot: Hit['spot'], stage: Stage): Hit | undefined {
    const { box, minRating, price = stage.price } = this.#query;
    const openFilter = this.#openFilterOf(stage);
    if (openFilter?.mayMatch(spot) === false) return undefined;
    const place = this.#index.place(spot);
    if (place === undefined) return undefined;
    if (box !== undefined && !isInside(box, place.point)) return undefined;
    if (!hasValues(place, { minRating, price })) return undefined;
    const hit = new Hit(this.#index, spot, place, this.#instant);
    hit.openNotVerified = stage.byOldHours === true;
    hit.isImplied = stage.isImplied === true;
    return openFilter?.matches(hit) === false ? undefined : hit;
  }

  /** True for a stage that lists only places that are open at some time. */
  #isOpenOnly({ openings }: Stage): boolean {
    return this.#query.openAt !== undefined || openings !== undefined;
  }

  #openFilterOf(stage: Stage): OpenFilter | undefined {
    if (!this.#isOpenOnly(stage)) return undefined;
    return this.#openFilters.getOrInsertComputed(
      stage,
      () => new OpenFilter(this.#index, stage, this.#query.openAt, this.#instant),
    );
  }
}

/**
 * Returns a test for whether places match one of some stages. Places must come in the order of their ranks in the
 * scope.
 */
function matcher(index: OpenIndex, stages: readonly Stage[], scope: number): (spot: RankedSpot) => boolean {
  if (stages.length === 0) return () => false;
  const lists = stages.map((stage) => {
    const expression = stage.expression();
    return {
      scope: stage.scope,
      docs: expression === undefined ? NONE : docsIn(index, stage.scope, expression),
    };
  });
  return (spot) =>
    lists.some((list) => {
      const doc = list.scope === scope ? spot.rank : docInScope(index, spot, list.scope);
      return doc !== undefined && list.docs.seek(doc) === doc;
    });
}

type RankedSpot = Hit['spot'] & { rank: number };

/** Returns the document of a place in another scope than the one in which it was found. */
function docInScope(index: OpenIndex, spot: Hit['spot'], scope: number): number | undefined {
  if (scope !== WORLD) return spot.destination === scope ? spot.doc : undefined;
  const world = index.place(spot)?.world;
  return world === undefined ? undefined : worldDoc({ ...spot, world });
}

/** True when a place has the requested rating and price. */
function hasValues(
  place: StoredPlace,
  { minRating, price }: Pick<IndexQuery, 'minRating' | 'price'>,
): boolean {
  if (price !== undefined && !place.hasPrice(price)) return false;
  return minRating === undefined || place.rating >= minRating;
}

/** Returns a unique number for a place: the serial of a document is unique in its destination. */
function idOf({ destination, doc }: Hit['spot']): number {
  return destination * 2 ** 28 + serialOf(doc);
}
