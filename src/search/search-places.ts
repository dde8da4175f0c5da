import { decodeCursor, encodeCursor } from '../core/cursor.ts';
import type { OperationDeps } from '../core/context.ts';
import { briefCard, cardLine, EVERYTHING, moreLines, openingOf, type CardField } from './brief-card.ts';
import { CardWriter, type cardSchema } from './card.ts';
import type { z } from 'zod';
import type { Destination } from '../directory/destinations.ts';
import { whenNeeded } from '../core/memory/when-needed.ts';
import { counted } from '../core/text/counted.ts';
import { toldLines } from '../core/text/told-line.ts';
import type { Languages } from '../core/text/languages.ts';
import type { Hit } from './query/hit.ts';
import type { IndexQuery, Position } from './query/search-index.ts';
import { understoodWords, type Understood } from './understand/understood.ts';

export interface PlaceSearch extends Omit<IndexQuery, 'destination' | 'after' | 'cells' | 'named'> {
  destination?: Destination | undefined;
  cursor?: string | undefined;
  /** In which languages names are shown; undefined: as they stand on the signs. */
  languages?: Languages | undefined;
  /** What was taken for something else before the search, by the words as they were sent. */
  corrected?: Record<string, string> | undefined;
}

export interface FoundPlaces {
  hits: readonly Hit[];
  nextCursor: string | null;
  /** How the text was understood, unless it was found as a name as it stands. */
  understood: Understood | undefined;
  /** The answer as JSON: the cards between what comes before and after them. */
  write(before: string, after: string, fields?: readonly CardField[]): Buffer;
  /** Each card by itself. */
  cards(): Card[];
  /** The cards as JSON without what nobody asked for. */
  brief(fields: readonly CardField[]): string;
  /** The places as a text that stands alone, a line each, and what was asked for beneath. */
  summary(fields: readonly CardField[]): string;
}

type Card = z.output<typeof cardSchema>;

/** What is told of each place beside the rest: what was asked for. Of the only place that a search found it is everything. */
export function fieldsTold(
  { hits, nextCursor }: FoundPlaces,
  { fields, cursor }: { fields?: readonly CardField[] | undefined; cursor?: string | undefined },
): readonly CardField[] {
  if (fields !== undefined) return fields;
  return hits.length === 1 && nextCursor === null && cursor === undefined ? EVERYTHING : [];
}

const writers = new WeakMap<object, CardWriter>();

/** The search that every surface and page uses. A place that is known to have closed is not in the index at all. */
export function searchPlaces(
  deps: OperationDeps,
  search: PlaceSearch,
  extra: (hit: Hit) => string = distance,
): FoundPlaces {
  const { destination, cursor: _cursor, languages, corrected, ...query } = search;
  const number = destination === undefined ? undefined : deps.places.destinationNumber(destination.id);
  const {
    hits,
    next,
    understood: heard,
  } = destination !== undefined && number === undefined
    ? { hits: [], next: undefined, understood: undefined }
    : deps.places.search({
        ...query,
        destination: number,
        named: search.text === undefined ? undefined : deps.destinations.current,
        after: readCursor(deps, search),
      });
  const understood =
    corrected === undefined ? heard : { ...heard, corrected: { ...corrected, ...heard?.corrected } };
  const write = (before: string, after: string, fields: readonly CardField[] = []) => {
    const more = fields.some((field) => BESIDE_CARD.has(field));
    const members = more ? (hit: Hit) => extra(hit) + besideCard(hit) : extra;
    return writerOf(deps).write(before, hits, after, members, languages);
  };
  const cardsWith = (fields: readonly CardField[]) =>
    JSON.parse(write('[', ']', fields).toString()) as Card[];
  const cards = whenNeeded(() => cardsWith([]));
  const nextCursor = next === undefined ? null : encodeCursor(deps.secrets.session, purposeOf(search), next);
  return {
    hits,
    nextCursor,
    understood,
    write,
    cards,
    brief: (fields) => {
      const told = fields.length === 0 ? cards() : cardsWith(fields);
      return JSON.stringify(told.map((card) => briefCard(card, fields, destination !== undefined)));
    },
    summary: (fields) => {
      const told = fields.length === 0 ? cards() : cardsWith(fields);
      const lines = told.map((card, at) => {
        const hit = hits[at] as Hit;
        const line = `${at + 1}. ${cardLine(card, openingOf(hit, search.openAt ?? deps.clock.now()))}`;
        return fields.length === 0 ? line : toldLines(line, moreLines(card, fields, hit));
      });
      return toldLines(
        hits.length === 0 ? 'No place matches.' : `${counted(hits.length, 'place', 'places')}:`,
        ...lines,
        understood && understoodWords(understood),
        nextCursor !== null && `More with cursor ${nextCursor}`,
      );
    },
  };
}

function writerOf({ config }: OperationDeps): CardWriter {
  let writer = writers.get(config);
  if (writer === undefined) writers.set(config, (writer = new CardWriter(config.baseUrl, config.prefix)));
  return writer;
}

/** What the index has of a place beside its card. */
const BESIDE_CARD: ReadonlySet<CardField> = new Set(['phone', 'hours', 'all']);

function besideCard({ place, week }: Hit): string {
  return `,"phone":${JSON.stringify(place.phone)},"hours":${JSON.stringify(week)}`;
}

function distance(hit: Hit): string {
  return hit.metres === undefined ? '' : `,"distance_m":${Math.round(hit.metres)}`;
}

/** A cursor belongs to one search: with another one it would skip places without a word. Pages may differ in size and language. */
function purposeOf(search: PlaceSearch): string {
  const { destination, openAt, limit: _limit, cursor: _cursor, languages: _languages, ...asked } = search;
  const { corrected: _corrected, ...rest } = asked;
  const filters = Object.entries(rest).filter(([, value]) => value !== undefined);
  return `search ${JSON.stringify([destination?.id, openAt !== undefined, filters.sort(byName)])}`;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function readCursor(deps: OperationDeps, search: PlaceSearch): Position | undefined {
  return search.cursor === undefined
    ? undefined
    : (decodeCursor(deps.secrets.session, purposeOf(search), search.cursor) as Position);
}
