import { wordsOf } from '../../core/text/fold.ts';
import type { OpenAt } from '../../directory/hours/open-at.ts';
import { boxAround, coverBox, isInside, metresBetween, type Box } from '../store/geo-cells.ts';
import {
  begunStage,
  correctedStage,
  destinationExpression,
  filterStages,
  textStages,
  type Filters,
  type Vocabulary,
} from './match-expression.ts';
import { countSet, isSet } from './open-hours.ts';
import { vocabularyOf, type Generation, type Part } from '../store/generation.ts';
import type { IndexedRow } from '../build/indexed-row.ts';

export interface IndexQuery extends Filters {
  text?: string | undefined;
  box?: Box | undefined;
  near?: { lat: number; lng: number; radiusM: number } | undefined;
  /** Only places that are open at this moment. */
  openAt?: Date | undefined;
  minRating?: number | undefined;
  /** The price range as a card shows it. */
  price?: string | undefined;
  /** Other ways to read the text: a place's name with the name of its destination beside it. They come after it. */
  readings?: readonly Reading[] | undefined;
  limit: number;
  after?: Position | undefined;
}

export interface Reading {
  text: string;
  destination: number;
}

/** Where a page ended: the way of matching, and the rank (or the distance) of its last place. */
export interface Position {
  stage: number;
  rank: number;
}

export interface Hit {
  row: IndexedRow;
  part: Part;
  open: OpenAt;
  /** Which of the ways of matching found it. */
  stage?: number;
  metres?: number;
}

export interface Found {
  hits: Hit[];
  next: Position | undefined;
}

// Fewer than this, and the words may have been misspelt.
const FEW_HITS = 3;
/** The first way of matching. */
const WHOLE_NAME = 0;
const FIRST_RING_M = 250;
const RING_GROWTH = 3;
const RING_ROWS_MAX = 20_000;
/** To ask about one open place whether the filters let it through costs as much as to read so many that they do. */
const ASKED_ROWS = 5;

export function searchIndex(generation: Generation, query: IndexQuery, now: Date): Found {
  if (query.near !== undefined) return searchNear(generation, query, query.near, now);
  const cells = query.box === undefined ? undefined : coverBox(query.box);
  const filters = { ...query, ...(cells === undefined ? {} : { cells }) };
  if (query.text === undefined || wordsOf(query.text).length === 0) {
    return searchStages(generation, filterStages(filters), query, now);
  }
  const vocabulary = vocabularyOf(generation);
  const stages = [
    ...textStages(query.text, filters, vocabulary),
    ...(query.readings ?? []).flatMap((reading) => readingStages(reading, filters, vocabulary)),
  ];
  const found = searchStages(generation, stages, query, now);
  // Who writes a whole name has not misspelt it. A page that began among begun or corrected words goes on there.
  const enough =
    query.after === undefined
      ? found.hits.length >= FEW_HITS || found.hits[0]?.stage === WHOLE_NAME
      : query.after.stage < stages.length;
  if (enough) return found;
  const further = [
    begunStage(query.text, filters, vocabulary),
    correctedStage(spellingsOf(query.text, vocabulary), filters, vocabulary),
  ].filter((stage) => stage !== undefined);
  return searchStages(generation, [...stages, ...further], query, now);
}

function readingStages({ text, destination }: Reading, filters: Filters, vocabulary: Vocabulary) {
  const inside = { ...filters, destination };
  return text === '' ? filterStages(inside) : textStages(text, inside, vocabulary);
}

function spellingsOf(text: string, vocabulary: Vocabulary): string[][] {
  return wordsOf(text).map((word) => [word, ...vocabulary.corrections(word)]);
}

/** Goes through the ways of matching, best first; a place that matched in a better way does not come again. */
function searchStages(
  generation: Generation,
  stages: readonly (string | undefined)[],
  query: IndexQuery,
  now: Date,
): Found {
  const hits: (Hit & { stage: number })[] = [];
  const { stage: firstStage = 0, rank: firstRank = -1 } = query.after ?? {};
  // What this page walks over is remembered; only what earlier pages walked over must be asked about.
  const walkedBefore = query.after === undefined ? [] : stages.slice(0, firstStage + 1);
  const walked = { built: new Set<number>(), fresh: new Set<number>() };
  for (let stage = firstStage; stage < stages.length; stage++) {
    const after = stage === firstStage ? firstRank : -1;
    const earlier = stage === firstStage ? walkedBefore.slice(0, -1) : walkedBefore;
    const last = stage === stages.length - 1;
    for (const { row, part } of rowsOf(generation, stages[stage], after, query)) {
      const seen = part === generation.built ? walked.built : walked.fresh;
      if (seen.has(row.rowid) || matchesAny(row, part, earlier)) continue;
      if (!last) seen.add(row.rowid);
      const hit = judge(row, part, query, now);
      if (hit === undefined) continue;
      const end = hits.at(-1);
      if (hits.length === query.limit && end !== undefined)
        return { hits, next: { stage: end.stage, rank: end.row.rowid } };
      hits.push(Object.assign(hit, { stage }));
    }
  }
  return { hits, next: undefined };
}

function matchesAny(row: IndexedRow, part: Part, expressions: readonly (string | undefined)[]): boolean {
  return expressions.some(
    (expression) => expression !== undefined && part.segment.rowMatches(row.rowid, expression),
  );
}

function judge(row: IndexedRow, part: Part, query: IndexQuery, now: Date): Hit | undefined {
  if (query.box !== undefined && !isInside(query.box, row.lat, row.lng)) return undefined;
  if (!isWanted(row.card, query)) return undefined;
  const open = part.hours.at(row, query.openAt ?? now);
  if (query.openAt !== undefined && open.open !== true) return undefined;
  return { row, part, open };
}

/** Looks at the text of a card: inside a JSON string no quote stands bare, so only the member itself can match. */
function isWanted(card: string, { minRating, price }: IndexQuery): boolean {
  if (price !== undefined && !card.includes(`"price_range":${JSON.stringify(price)}`)) return false;
  return minRating === undefined || Number(/"rating":([\d.]+)/.exec(card)?.[1] ?? Number.NaN) >= minRating;
}

/** The rows of both parts in one order. What the built part holds of a place that changed since is left out. */
function* rowsOf(
  generation: Generation,
  expression: string | undefined,
  after: number,
  query: IndexQuery,
): Generator<{ row: IndexedRow; part: Part }> {
  const built = builtRows(generation, expression, after, query);
  const fresh = generation.changes === 0 ? NONE : generation.fresh.rows(expression, after);
  let [a, b] = [built.next(), fresh.next()];
  while (a.done !== true || b.done !== true) {
    if (b.done === true || (a.done !== true && a.value.rowid < b.value.rowid)) {
      if (!generation.replaced.has((a.value as IndexedRow).rowid))
        yield { row: a.value as IndexedRow, part: generation.built };
      a = built.next();
    } else {
      yield { row: b.value, part: generation.fresh };
      b = fresh.next();
    }
  }
}

const NONE: Iterator<IndexedRow> = [][Symbol.iterator]();

function builtRows(
  generation: Generation,
  expression: string | undefined,
  after: number,
  query: IndexQuery,
): Iterator<IndexedRow> {
  const { built } = generation;
  if (query.openAt === undefined || query.destination === undefined) return built.rows(expression, after);
  const bits = built.hours.bits(query.destination, query.openAt);
  if (bits === undefined) return [][Symbol.iterator]();
  if (expression === undefined || expression === destinationExpression(query.destination))
    return openRows(built, bits.open, bits.rowids, undefined, after);
  // Few are open, many match: then the open ones are asked about. Else those that match are looked at.
  return built.segment.matchesAtLeast(expression, countSet(bits.open) * ASKED_ROWS + 1)
    ? openRows(built, bits.open, bits.rowids, expression, after)
    : matchingOpenRows(built, bits.open, expression, after);
}

function* openRows(
  part: Part,
  open: Uint8Array,
  rowids: Float64Array,
  expression: string | undefined,
  after: number,
): Generator<IndexedRow> {
  for (let byte = 0; byte < open.length; byte++) {
    if (open[byte] === 0) continue;
    for (let ordinal = byte * 8; ordinal < byte * 8 + 8; ordinal++) {
      const rowid = rowids[ordinal];
      if (rowid === undefined || rowid <= after || !isSet(open, ordinal)) continue;
      if (expression !== undefined && !part.segment.rowMatches(rowid, expression)) continue;
      const row = part.segment.row(rowid);
      if (row !== undefined) yield row;
    }
  }
}

function* matchingOpenRows(
  part: Part,
  open: Uint8Array,
  expression: string | undefined,
  after: number,
): Generator<IndexedRow> {
  for (const row of part.rows(expression, after)) if (isSet(open, row.ordinal)) yield row;
}

/** The nearest first: rings around the point grow until they hold a page, so that a dense city costs no more. */
function searchNear(
  generation: Generation,
  query: IndexQuery,
  near: { lat: number; lng: number; radiusM: number },
  now: Date,
): Found {
  const after = query.after?.rank ?? -1;
  for (
    let radius = Math.min(FIRST_RING_M, near.radiusM);
    ;
    radius = Math.min(radius * RING_GROWTH, near.radiusM)
  ) {
    const box = boxAround(near.lat, near.lng, radius);
    const hits = ringHits(
      generation,
      { ...query, box, near: undefined, after: undefined, limit: RING_ROWS_MAX },
      near,
      radius,
      now,
    )
      .filter((hit) => hit.metres > after)
      .sort((a, b) => a.metres - b.metres || a.row.rowid - b.row.rowid);
    if (hits.length > query.limit || radius >= near.radiusM) {
      const page = hits.slice(0, query.limit);
      const last = page.at(-1);
      return {
        hits: page,
        next: hits.length > query.limit && last !== undefined ? { stage: 0, rank: last.metres } : undefined,
      };
    }
  }
}

function ringHits(
  generation: Generation,
  query: IndexQuery,
  near: { lat: number; lng: number },
  radius: number,
  now: Date,
) {
  return searchIndex(generation, query, now)
    .hits.map((hit) => ({ ...hit, metres: metresBetween(near.lat, near.lng, hit.row.lat, hit.row.lng) }))
    .filter((hit) => hit.metres <= radius);
}
