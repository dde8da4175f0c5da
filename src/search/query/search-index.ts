import { areasNamed } from '../areas/area-names.ts';
import type { DestinationSnapshot } from '../../directory/destinations.ts';
import { weekdayOf } from '../../directory/hours/compile/compiled-hours.ts';
import { localMinuteOf } from '../../directory/hours/zone-clock.ts';
import { WORLD } from '../store/keys.ts';
import { END, NONE, withLists } from '../store/list.ts';
import { OpenBits, UNVERIFIED } from '../store/open-bits.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { serialOf } from '../store/rank.ts';
import type { StoredPlace } from '../store/stored-place.ts';
import { guessReading, readText } from '../understand/read-text.ts';
import type { Understood } from '../understand/understood.ts';
import { docsIn, spotsOf, worldDoc } from './expression.ts';
import type { BoundingBox } from '../../core/geo.ts';
import { boxAround, coverBox, isInside, metresTo } from './geo-cells.ts';
import { Hit } from './hit.ts';
import { correctedStage, leaveOutStages, describeEmpty } from './loose-stages.ts';
import { filterExpression, filterStages, type Filters, type Stage } from './stages.ts';
import { textStages } from './text-stages.ts';

export interface IndexQuery extends Filters {
  text?: string | undefined;
  box?: BoundingBox | undefined;
  near?: { lat: number; lng: number; radiusM: number } | undefined;
  /** Only places that are open at this time. */
  openAt?: Date | undefined;
  minRating?: number | undefined;
  /** The price range as shown on a card. */
  price?: string | undefined;
  /** Destinations that the text may name. */
  named?: DestinationSnapshot | undefined;
  limit: number;
  after?: PagePosition | undefined;
}

/** End of a page: the stage, and the rank (or the distance) of its last place. */
export interface PagePosition {
  stage: number;
  rank: number;
}

export interface SearchResult {
  hits: Hit[];
  next: PagePosition | undefined;
  /** Interpretation of the text, unless it matched a whole name. */
  understood?: Understood | undefined;
}

const DAY_HOURS = 24;
// With fewer hits than this, the words may have been misspelt.
const FEW_HITS = 3;
const FIRST_RING_M = 250;
const RING_GROWTH = 3;
const RING_ROWS_MAX = 20_000;

export function searchIndex(index: OpenIndex, query: IndexQuery, now: Date): SearchResult {
  index.refresh();
  return withLists(() => search(index, withAreas(index, query), now));
}

/** Resolves the area of a search, in whatever language, to the keys of the index. */
function withAreas<Wanted extends Filters>(index: OpenIndex, filters: Wanted): Wanted {
  const { area, destination = WORLD } = filters;
  return area === undefined ? filters : { ...filters, areas: areasNamed(index, area, destination) };
}

function search(index: OpenIndex, query: IndexQuery, now: Date, isLoose = true): SearchResult {
  if (query.near !== undefined) return searchNear(index, query, query.near, now);
  const cells = query.box === undefined ? undefined : coverBox(query.box);
  const filters = cells === undefined ? query : { ...query, cells };
  const page = new Page(index, query, now);
  if (query.text === undefined) return page.fill(filterStages(index, filters));
  const read = readText(query.text, {
    ...{ index, scope: query.destination ?? WORLD, destinations: query.named },
  });
  const stages = textStages(index, read, filters);
  if (stages.length === 0) return page.fill(filterStages(index, filters));
  const result = page.fill(stages);
  // A whole name is not misspelt. A page that began among corrected words continues there.
  const enough =
    query.after === undefined
      ? result.hits.length >= FEW_HITS || page.beganWithName
      : query.after.stage < stages.length;
  // A full page is followed by more, however small the limit.
  if (enough || result.next !== undefined || !isLoose) return result;
  const isEmpty = () =>
    new Page(index, { ...query, after: undefined, limit: 1 }, now).fill(stages).hits.length === 0;
  const nothingFound = query.after === undefined ? result.hits.length === 0 : isEmpty();
  const guess = nothingFound ? guessReading(index, read, query.named) : undefined;
  const guessed = guess === undefined ? [] : textStages(index, guess, filters);
  const others = [
    ...guessed.map((stage) => ({ ...stage, isName: false })),
    correctedStage(index, guess ?? read, filters, nothingFound),
    ...(nothingFound ? leaveOutStages(index, guess ?? read, filters) : []),
  ];
  const more = page.fill([...stages, ...others], stages.length);
  return more.hits.length > 0 || query.after !== undefined
    ? more
    : { ...more, understood: describeEmpty(index, guess ?? read, filters) };
}

/** Fills a page of results, one stage after another. */
class Page {
  readonly #index: OpenIndex;
  readonly #query: IndexQuery;
  readonly #instant: Date;
  readonly #hits: Hit[] = [];
  readonly #ends: PagePosition[] = [];
  /** Places that this page has visited. A place that matched in an earlier stage is not repeated. */
  readonly #visited = new Set<number>();
  readonly #open = new Map<number, OpenBits>();
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
      const expression = stage.expression();
      if (expression === undefined) continue;
      const continuesHere = number === after?.stage;
      const afterRank = continuesHere ? after.rank : -1;
      // Places of this page are remembered; only the stages of earlier pages must be evaluated again.
      const earlier = stages.slice(
        0,
        after === undefined || onlyWhenEmpty ? 0 : continuesHere ? number : after.stage + 1,
      );
      const matchedEarlier = matcher(this.#index, earlier, stage.scope);
      const isLast = number === stages.length - 1;
      for (const spot of spotsOf(this.#index, expression, stage.scope, afterRank)) {
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
    const openAt = this.#query.openAt ?? (stage.openNow === true ? this.#instant : undefined);
    if (openAt !== undefined && !this.#bitsOf(spot.destination).has(spot.doc)) return undefined;
    const place = this.#index.place(spot);
    if (place === undefined) return undefined;
    if (box !== undefined && !isInside(box, place.point)) return undefined;
    if (!hasValues(place, { minRating, price })) return undefined;
    const hit = new Hit(this.#index, spot, place, this.#instant);
    return openAt !== undefined && hit.open.open !== true ? undefined : hit;
  }

  #bitsOf(destination: number): OpenBits {
    let bits = this.#open.get(destination);
    if (bits === undefined) {
      const timezone = this.#index.destination(destination)?.timezone ?? 'UTC';
      bits = new OpenBits(this.#index.store, destination, hourOfWeek(timezone, this.#instant));
      this.#open.set(destination, bits);
    }
    return bits;
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

/** Returns the local hour of the week; 0 is the first hour of Monday. */
function hourOfWeek(timezone: string, instant: Date): number {
  const hours = Math.floor(localMinuteOf(timezone, instant) / 60);
  const day = Math.floor(hours / DAY_HOURS);
  return weekdayOf(day) * DAY_HOURS + hours - day * DAY_HOURS;
}

/** Counts places that match the filters and have unverified hours. */
export function countUnverified(index: OpenIndex, filters: Filters & { destination: number }): number {
  const { destination, category, cuisine, area } = filters;
  const bits = new OpenBits(index.store, destination, UNVERIFIED);
  if ([category, cuisine, area].every((filter) => filter === undefined)) return bits.count();
  return withLists(() => {
    const docs = docsIn(index, destination, filterExpression(index, withAreas(index, filters)));
    let count = 0;
    for (let doc = docs.seek(0); doc !== END; doc = docs.seek(doc + 1)) if (bits.has(doc)) count++;
    return count;
  });
}

/** Returns a unique number for a place: the serial of a document is unique in its destination. */
function idOf({ destination, doc }: Hit['spot']): number {
  return destination * 2 ** 28 + serialOf(doc);
}

type Near = NonNullable<IndexQuery['near']>;

/**
 * Returns the nearest places first. The radius grows until a page is full, so that a dense city does not cost more.
 * Words are corrected and dropped only when the whole circle has no match, because better matches may be farther away.
 */
function searchNear(index: OpenIndex, query: IndexQuery, near: Near, now: Date): SearchResult {
  for (
    let radius = Math.min(FIRST_RING_M, near.radiusM);
    radius < near.radiusM;
    radius = Math.min(radius * RING_GROWTH, near.radiusM)
  ) {
    const result = ring(index, query, near, radius, now, false);
    if (result.next !== undefined) return result;
  }
  const strict = ring(index, query, near, near.radiusM, now, false);
  const isFirst = query.after === undefined || query.after.stage === NEAR_STRICT;
  if (strict.hits.length > 0 || (query.after !== undefined && isFirst)) return strict;
  return ring(index, query, near, near.radiusM, now, true);
}

/** Stages of a page of nearest places. */
const NEAR_STRICT = 0;
const NEAR_LOOSE = 1;

function ring(
  index: OpenIndex,
  query: IndexQuery,
  { lat, lng }: Near,
  radius: number,
  now: Date,
  isLoose: boolean,
): SearchResult {
  const stage = isLoose ? NEAR_LOOSE : NEAR_STRICT;
  const after = query.after?.rank ?? -1;
  const box = boxAround(lat, lng, radius);
  const whole = { ...query, box, near: undefined, after: undefined, limit: RING_ROWS_MAX };
  const { hits, understood } = search(index, whole, now, isLoose);
  const inside = hits
    .map((hit) => ({ hit, metres: metresTo({ lat, lng }, hit.place.point) }))
    .filter(({ metres }) => metres <= radius && metres > after)
    .sort((a, b) => a.metres - b.metres || a.hit.spot.doc - b.hit.spot.doc);
  const page = inside.slice(0, query.limit);
  const last = page.at(-1);
  return {
    hits: page.map(({ hit, metres }) => hit.at(metres, query.openAt ?? now)),
    next: inside.length > query.limit && last !== undefined ? { stage, rank: last.metres } : undefined,
    understood,
  };
}
