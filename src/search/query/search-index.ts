import { areasNamed } from '../areas/area-names.ts';
import type { DestinationSnapshot } from '../../directory/destinations.ts';
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
import { boxAround, coverBox, isInside, metresTo, type Box } from './geo-cells.ts';
import { Hit } from './hit.ts';
import { correctedStage, leaveOutStages, nothingUnderstood } from './loose-stages.ts';
import { filterExpression, filterStages, type Filters, type Stage } from './stages.ts';
import { textStages } from './text-stages.ts';

export interface IndexQuery extends Filters {
  text?: string | undefined;
  box?: Box | undefined;
  near?: { lat: number; lng: number; radiusM: number } | undefined;
  /** Only places that are open at this moment. */
  openAt?: Date | undefined;
  minRating?: number | undefined;
  /** The price range as a card shows it. */
  price?: string | undefined;
  /** Destinations that the text may name. */
  named?: DestinationSnapshot | undefined;
  limit: number;
  after?: Position | undefined;
}

/** Where a page ended: the way of matching, and the rank (or the distance) of its last place. */
export interface Position {
  stage: number;
  rank: number;
}

export interface Found {
  hits: Hit[];
  next: Position | undefined;
  /** How the text was understood, unless it was found as a name as it stands. */
  understood?: Understood | undefined;
}

// Fewer than this, and the words may have been misspelt.
const FEW_HITS = 3;
const FIRST_RING_M = 250;
const RING_GROWTH = 3;
const RING_ROWS_MAX = 20_000;

export function searchIndex(index: OpenIndex, query: IndexQuery, now: Date): Found {
  index.refresh();
  return withLists(() => search(index, withAreas(index, query), now));
}

/** The area of a search by whatever name, as the index knows it. */
function withAreas<Wanted extends Filters>(index: OpenIndex, filters: Wanted): Wanted {
  const { area, destination = WORLD } = filters;
  return area === undefined ? filters : { ...filters, areas: areasNamed(index, area, destination) };
}

function search(index: OpenIndex, query: IndexQuery, now: Date, isLoose = true): Found {
  if (query.near !== undefined) return searchNear(index, query, query.near, now);
  const cells = query.box === undefined ? undefined : coverBox(query.box);
  const filters = cells === undefined ? query : { ...query, cells };
  const page = new Page(index, query, now);
  if (query.text === undefined) return page.fill(filterStages(index, filters));
  const read = readText(index, query.text, query.destination ?? WORLD, query.named);
  const stages = textStages(index, read, filters);
  if (stages.length === 0) return page.fill(filterStages(index, filters));
  const found = page.fill(stages);
  // Who writes a whole name has not misspelt it. A page that began among corrected words goes on there.
  const enough =
    query.after === undefined
      ? found.hits.length >= FEW_HITS || page.beganWithName
      : query.after.stage < stages.length;
  // A page that is full has more behind it, however few it was asked for.
  if (enough || found.next !== undefined || !isLoose) return found;
  const isEmpty = () =>
    new Page(index, { ...query, after: undefined, limit: 1 }, now).fill(stages).hits.length === 0;
  const nothingFound = query.after === undefined ? found.hits.length === 0 : isEmpty();
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
    : { ...more, understood: nothingUnderstood(index, guess ?? read, filters) };
}

/** A page of an answer while it is filled, by one way of matching after the other. */
class Page {
  readonly #index: OpenIndex;
  readonly #query: IndexQuery;
  readonly #instant: Date;
  readonly #hits: Hit[] = [];
  readonly #ends: Position[] = [];
  /** What this page walked over; a place that matched in a better way does not come again. */
  readonly #walked = new Set<number>();
  readonly #open = new Map<number, OpenBits>();
  /** The way in which the first place was found. */
  #best: Stage | undefined;

  constructor(index: OpenIndex, query: IndexQuery, now: Date) {
    this.#index = index;
    this.#query = query;
    this.#instant = query.openAt ?? now;
  }

  /** Whether the best place is called as the text says. */
  get beganWithName(): boolean {
    return this.#best?.isName === true;
  }

  fill(stages: readonly Stage[], from = 0): Found {
    const { after, limit } = this.#query;
    const first = Math.max(from, after?.stage ?? 0);
    for (let number = first; number < stages.length; number++) {
      const stage = stages[number] as Stage;
      const cameFrom = after?.stage ?? number;
      const alone = stage.whenEmpty === true;
      if (alone && (this.#hits.length > 0 || cameFrom < number)) break;
      // What was walked over so far was not what the text asks for, and may be what is left of it.
      if (alone) this.#walked.clear();
      const wanted = stage.wanted();
      if (wanted === undefined) continue;
      const goesOn = number === after?.stage;
      const begun = goesOn ? after.rank : -1;
      // What this page walks over is remembered; only what earlier pages walked over must be asked about.
      const earlier = stages.slice(0, after === undefined || alone ? 0 : goesOn ? number : after.stage + 1);
      const cameBefore = matcher(this.#index, earlier, stage.scope);
      const isLast = number === stages.length - 1;
      for (const spot of spotsOf(this.#index, wanted, stage.scope, begun)) {
        const id = idOf(spot);
        if (this.#walked.has(id) || cameBefore(spot)) continue;
        if (!isLast) this.#walked.add(id);
        const hit = this.#judge(spot, stage);
        if (hit === undefined) continue;
        if (this.#hits.length === limit) return this.#found(this.#ends.at(-1));
        this.#best ??= stage;
        this.#hits.push(hit);
        this.#ends.push({ stage: number, rank: spot.rank });
      }
    }
    return this.#found(undefined);
  }

  #found(next: Position | undefined): Found {
    return { hits: this.#hits, next, understood: this.#best?.understood?.() };
  }

  #judge(spot: Hit['spot'], stage: Stage): Hit | undefined {
    const { box } = this.#query;
    const openAt = this.#query.openAt ?? (stage.openNow === true ? this.#instant : undefined);
    if (openAt !== undefined && !this.#bitsOf(spot.destination).has(spot.doc)) return undefined;
    const place = this.#index.place(spot);
    if (place === undefined) return undefined;
    if (box !== undefined && !isInside(box, place.point)) return undefined;
    if (!isWanted(place, this.#query, stage.price)) return undefined;
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

/** Tells of places that come in the order of their ranks in a scope whether they match in one of some ways. */
function matcher(index: OpenIndex, stages: readonly Stage[], scope: number): (spot: RankedSpot) => boolean {
  if (stages.length === 0) return () => false;
  const lists = stages.map((stage) => {
    const wanted = stage.wanted();
    return { scope: stage.scope, docs: wanted === undefined ? NONE : docsIn(index, stage.scope, wanted) };
  });
  return (spot) =>
    lists.some((list) => {
      const doc = list.scope === scope ? spot.rank : docInScope(index, spot, list.scope);
      return doc !== undefined && list.docs.seek(doc) === doc;
    });
}

type RankedSpot = Hit['spot'] & { rank: number };

/** The document of a place in another scope than the one in which it was found. */
function docInScope(index: OpenIndex, spot: Hit['spot'], scope: number): number | undefined {
  if (scope !== WORLD) return spot.destination === scope ? spot.doc : undefined;
  const world = index.place(spot)?.world;
  return world === undefined ? undefined : worldDoc({ ...spot, world });
}

/** Looks at the text of a card: inside a JSON string no quote stands bare, so only the member itself can match. */
function isWanted(place: StoredPlace, query: IndexQuery, asked: string | undefined): boolean {
  const { minRating, price = asked } = query;
  if (price !== undefined && !place.card.includes(`"price_range":${JSON.stringify(price)}`)) return false;
  return (
    minRating === undefined || Number(/"rating":([\d.]+)/.exec(place.card)?.[1] ?? Number.NaN) >= minRating
  );
}

const WEEK_MINUTES = 10_080;
// The epoch was a Thursday.
const EPOCH_MINUTE_OF_WEEK = 3 * 1440;

/** 0 is the first hour of Monday. */
function hourOfWeek(timezone: string, instant: Date): number {
  const minutes = localMinuteOf(timezone, instant) + EPOCH_MINUTE_OF_WEEK;
  return Math.floor((((minutes % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES) / 60);
}

/** How many places the filters let through whose hours nobody has verified. */
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

/** One number for a place: a document's serial is its own in its destination. */
function idOf({ destination, doc }: Hit['spot']): number {
  return destination * 2 ** 28 + serialOf(doc);
}

type Near = NonNullable<IndexQuery['near']>;

/**
 * The nearest first: rings around the point grow until they hold a page, so that a dense city costs no more. Only where the
 * whole circle has nothing are words corrected and left out: what fits better may lie farther away.
 */
function searchNear(index: OpenIndex, query: IndexQuery, near: Near, now: Date): Found {
  for (
    let radius = Math.min(FIRST_RING_M, near.radiusM);
    radius < near.radiusM;
    radius = Math.min(radius * RING_GROWTH, near.radiusM)
  ) {
    const found = ring(index, query, near, radius, now, false);
    if (found.next !== undefined) return found;
  }
  const strict = ring(index, query, near, near.radiusM, now, false);
  const isFirst = query.after === undefined || query.after.stage === NEAR_STRICT;
  if (strict.hits.length > 0 || (query.after !== undefined && isFirst)) return strict;
  return ring(index, query, near, near.radiusM, now, true);
}

/** Which of the two a page of the nearest came from. */
const NEAR_STRICT = 0;
const NEAR_LOOSE = 1;

function ring(
  index: OpenIndex,
  query: IndexQuery,
  { lat, lng }: Near,
  radius: number,
  now: Date,
  isLoose: boolean,
): Found {
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
