import { areasNamed } from '../areas/area-names.ts';
import { lazy } from '../../core/memory/lazy.ts';
import { WORLD } from '../store/keys.ts';
import { END, withLists } from '../store/list.ts';
import { OpenBits, UNVERIFIED } from '../store/open-bits.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { guessReading, readText } from '../understand/read-text.ts';
import { docsIn } from './expression.ts';
import { boxAround, coverBox, isInside, metresTo } from './geo-cells.ts';
import type { IndexQuery, SearchResult } from './index-query.ts';
import { aroundArea, readAround, type AroundText } from '../landmark/read-around.ts';
import { searchNameStart } from './name-start.ts';
import { withOldHours } from './open-filter.ts';
import { correctedStage, leaveOutStages, describeEmpty } from './loose-stages.ts';
import { ResultPage } from './result-page.ts';
import { filterExpression, filterStages, type Filters } from './stages.ts';
import { textStages } from './text-stages.ts';

// With fewer hits than this, the words may have been misspelt.
const FEW_HITS = 3;
const FIRST_RING_M = 250;
const RING_GROWTH = 3;
const RING_ROWS_MAX = 20_000;

export function searchIndex(index: OpenIndex, query: IndexQuery, now: Date): SearchResult {
  index.refresh();
  return withLists(() => {
    if (query.nameStart === true && query.text !== undefined)
      return { hits: searchNameStart(index, query.text, query.limit, now), next: undefined };
    const resolved = withAreas(index, query);
    const { text, near, destination: scope = WORLD, named: destinations } = query;
    const around =
      text === undefined || near !== undefined ? undefined : readAround(text, { index, scope, destinations });
    return around === undefined ? search(index, resolved, now) : searchAround(index, resolved, around, now);
  });
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
  const page = new ResultPage(index, query, now);
  if (query.text === undefined) return page.fill(withOldHours(filterStages(index, filters), query));
  const read = readText(query.text, {
    ...{ index, scope: query.destination ?? WORLD, destinations: query.named },
  });
  const textual = textStages(index, read, filters);
  const stages = withOldHours(
    query.byKind === true ? textual.filter(({ isKind }) => isKind === true) : textual,
    query,
  );
  if (query.byKind === true) return page.fill(stages);
  const isEmpty = lazy(
    () => new ResultPage(index, { ...query, after: undefined, limit: 1 }, now).fill(stages).hits.length === 0,
  );
  const beside = () => {
    const area = isLoose && query.box === undefined ? aroundArea(index, read, query.named) : undefined;
    return (
      area &&
      searchAround(
        index,
        { ...query, destination: filters.destination ?? read.destination?.number },
        area,
        now,
      )
    );
  };
  if (query.after !== undefined && query.after.stage < AROUND_WAYS.length && isEmpty()) {
    const more = beside();
    if (more !== undefined) return more;
  }
  if (stages.length === 0) return page.fill(withOldHours(filterStages(index, filters), query));
  const result = page.fill(stages);
  // A whole name is not misspelt. A page that began among corrected words continues there.
  const enough =
    query.after === undefined
      ? result.hits.length >= FEW_HITS || page.beganWithName
      : query.after.stage < stages.length;
  // A full page is followed by more, however small the limit.
  if (enough || result.next !== undefined || !isLoose) return result;
  const nothingFound = query.after === undefined ? result.hits.length === 0 : isEmpty();
  if (nothingFound && query.after === undefined) {
    const nearest = beside();
    if (nearest !== undefined && nearest.hits.length > 0) return nearest;
  }
  const guess = nothingFound ? guessReading(index, read, query.named) : undefined;
  const guessed = guess === undefined ? [] : textStages(index, guess, filters);
  const others = withOldHours(
    [
      ...guessed.map((stage) => ({ ...stage, isName: false })),
      correctedStage(index, guess ?? read, filters, nothingFound),
      ...(nothingFound ? leaveOutStages(index, guess ?? read, filters) : []),
    ],
    query,
  );
  const more = page.fill([...stages, ...others], stages.length);
  return more.hits.length > 0 || query.after !== undefined
    ? more
    : { ...more, understood: describeEmpty(index, guess ?? read, filters) };
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

type Near = NonNullable<IndexQuery['near']>;

/**
 * Returns the nearest places first. Words are corrected and dropped only when the whole circle has no match, because
 * better matches may be farther away.
 */
function searchNear(index: OpenIndex, query: IndexQuery, near: Near, now: Date): SearchResult {
  const strict = searchCircle(index, query, near, now, query.isCount === true ? near.radiusM : undefined);
  const isFirst = query.after === undefined || query.after.stage === NEAR_STRICT;
  if (strict.hits.length > 0 || (query.after !== undefined && isFirst)) return strict;
  return ring(index, query, near, near.radiusM, now, true);
}

/**
 * The radius grows until a page is full, so that a dense city does not cost more. `first` is a radius to begin with: the
 * circle inside it is empty.
 */
function searchCircle(
  index: OpenIndex,
  query: IndexQuery,
  near: Near,
  now: Date,
  first = FIRST_RING_M,
): SearchResult {
  for (
    let radius = Math.min(first, near.radiusM);
    radius < near.radiusM;
    radius = Math.min(radius * RING_GROWTH, near.radiusM)
  ) {
    const result = ring(index, query, near, radius, now, false);
    // Farther places come before near ones that are only usually open, or only of an implied kind.
    if (result.next !== undefined && !result.hits.some((hit) => hit.openNotVerified || hit.isImplied))
      return result;
  }
  return ring(index, query, near, near.radiusM, now, false);
}

/** How the words near a landmark are matched: by kind alone, then in names too, then with some left out. */
const AROUND_WAYS = ['kind', 'words', 'loose'] as const;
const AROUND_M = [2_000, 5_000, 15_000] as const;
export const AROUND_FAR_M = 50_000;
/** Circles around a landmark. The next one is searched only when one has no match. */
const CIRCLES = [
  ...AROUND_M.flatMap((radiusM) => (['kind', 'words'] as const).map((way) => ({ way, radiusM }))),
  ...AROUND_M.map((radiusM) => ({ way: 'loose' as const, radiusM })),
  ...AROUND_WAYS.map((way) => ({ way, radiusM: AROUND_FAR_M })),
];
const WIDEST = [{ way: 'words', radiusM: AROUND_FAR_M }] as const;

/** Searches near a landmark. Without a landmark of that name, the other words are searched for, and it is left out. */
function searchAround(
  index: OpenIndex,
  query: IndexQuery,
  { rest, found, name }: AroundText,
  now: Date,
): SearchResult {
  const wanted = { ...query, text: rest === '' ? undefined : rest };
  if (found === undefined) {
    const result = search(index, wanted, now);
    const left_out = [...(result.understood?.left_out ?? []), name];
    return { ...result, understood: { ...result.understood, left_out } };
  }
  const { landmark, others } = found;
  const { lat, lng, place_id: except } = landmark;
  // Wider circles begin outside the ones without a match.
  const firstM: Partial<Record<(typeof AROUND_WAYS)[number], number>> = {};
  const within = (asked: IndexQuery, { way, radiusM }: (typeof CIRCLES)[number]) => {
    const near = { lat, lng, radiusM, except };
    if (way === 'loose') return ring(index, asked, near, radiusM, now, true);
    const first = asked.isCount === true ? radiusM : firstM[way];
    if (way === 'words') return searchCircle(index, asked, near, now, first);
    return searchCircle(index, { ...asked, byKind: true }, near, now, first);
  };
  const hasAny = (circle: (typeof CIRCLES)[number]) =>
    within({ ...wanted, after: undefined, limit: 1 }, circle).hits.length > 0;
  const after = query.after?.stage;
  let result: SearchResult = { hits: [], next: undefined };
  for (const circle of query.isCount === true ? WIDEST : CIRCLES) {
    const stage = AROUND_WAYS.indexOf(circle.way);
    if (after !== undefined && stage !== after) continue;
    const { next, ...page } = within(wanted, circle);
    result = { ...page, next: next && { ...next, stage } };
    if (result.hits.length > 0 || (after !== undefined && hasAny(circle))) break;
    firstM[circle.way] = circle.radiusM * RING_GROWTH;
  }
  return {
    ...result,
    understood: { ...result.understood, near: landmark, ...(others.length > 0 && { near_others: others }) },
  };
}

/** Stages of a page of nearest places. */
const NEAR_STRICT = 0;
const NEAR_LOOSE = 1;
/** Added to the distance of places of implied kinds, and of those that are open by old hours: they come after others. */
const IMPLIED = 1e8;
const BY_OLD_HOURS = 1e9;
const OWN_MIN = 3;

function ring(
  index: OpenIndex,
  query: IndexQuery,
  { lat, lng, except }: Near,
  radius: number,
  now: Date,
  isLoose: boolean,
): SearchResult {
  const stage = isLoose ? NEAR_LOOSE : NEAR_STRICT;
  const after = query.after?.rank ?? -1;
  const box = boxAround(lat, lng, radius);
  const whole = { ...query, box, near: undefined, after: undefined, limit: RING_ROWS_MAX };
  const { hits, understood } = search(index, whole, now, isLoose);
  const all = hits
    .map((hit) => {
      const metres = metresTo({ lat, lng }, hit.place.point);
      const behind = (hit.openNotVerified ? BY_OLD_HOURS : 0) + (hit.isImplied ? IMPLIED : 0);
      return { hit, metres, rank: metres + behind };
    })
    .filter(({ hit: { place }, metres }) => {
      if (metres > radius) return false;
      if (query.box !== undefined && !isInside(query.box, place.point)) return false;
      return except === undefined || place.placeId !== except;
    })
    .sort((a, b) => a.rank - b.rank || a.hit.spot.doc - b.hit.spot.doc);
  // Among places of the kind itself, those of implied kinds are not missed.
  const own = all.filter(({ hit }) => !hit.isImplied);
  const inside = (own.length >= OWN_MIN ? own : all).filter(({ rank }) => rank > after);
  const page = inside.slice(0, query.limit);
  const last = page.at(-1);
  return {
    hits: page.map(({ hit, metres }) => hit.at(metres, query.openAt ?? now)),
    next: inside.length > query.limit && last !== undefined ? { stage, rank: last.rank } : undefined,
    understood,
  };
}
