import { decodeCursor, encodeCursor } from '../core/cursor.ts';
import type { OperationDeps } from '../core/context.ts';
import { briefCard, cardLine, openingOf, type CardField } from './brief-card.ts';
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
}

export interface FoundPlaces {
  hits: readonly Hit[];
  nextCursor: string | null;
  /** How the text was understood, unless it was found as a name as it stands. */
  understood: Understood | undefined;
  /** The answer as JSON: the cards between what comes before and after them. */
  write(before: string, after: string): Buffer;
  /** Each card by itself. */
  cards(): Card[];
  /** The cards as JSON without what nobody asked for. */
  brief(fields: readonly CardField[]): string;
  /** The places as a text that stands alone, a line each. */
  summary(): string;
}

type Card = z.output<typeof cardSchema>;

const writers = new WeakMap<object, CardWriter>();

/** The search that every surface and page uses. A place that is known to have closed is not in the index at all. */
export function searchPlaces(
  deps: OperationDeps,
  search: PlaceSearch,
  extra: (hit: Hit) => string = distance,
): FoundPlaces {
  const { destination, cursor: _cursor, languages, ...query } = search;
  const number = destination === undefined ? undefined : deps.places.destinationNumber(destination.id);
  const { hits, next, understood } =
    destination !== undefined && number === undefined
      ? { hits: [], next: undefined, understood: undefined }
      : deps.places.search({
          ...query,
          destination: number,
          named: search.text === undefined ? undefined : deps.destinations.current,
          after: readCursor(deps, search),
        });
  const write = (before: string, after: string) =>
    writerOf(deps).write(before, hits, after, extra, languages);
  const cards = whenNeeded(() => JSON.parse(write('[', ']').toString()) as Card[]);
  const nextCursor = next === undefined ? null : encodeCursor(deps.secrets.session, purposeOf(search), next);
  return {
    hits,
    nextCursor,
    understood,
    write,
    cards,
    brief: (fields) =>
      JSON.stringify(cards().map((card) => briefCard(card, fields, destination !== undefined))),
    summary: () => {
      const lines = cards().map((card, at) => {
        const opening = openingOf(hits[at] as Hit, search.openAt ?? deps.clock.now());
        return `${at + 1}. ${cardLine(card, opening)}`;
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

function distance(hit: Hit): string {
  return hit.metres === undefined ? '' : `,"distance_m":${Math.round(hit.metres)}`;
}

/** A cursor belongs to one search: with another one it would skip places without a word. Pages may differ in size and language. */
function purposeOf(search: PlaceSearch): string {
  const { limit: _limit, cursor: _cursor, languages: _languages, openAt, destination, ...rest } = search;
  const asked = Object.entries(rest).filter(([, value]) => value !== undefined);
  return `search ${JSON.stringify([destination?.id, openAt !== undefined, asked.sort(byName)])}`;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function readCursor(deps: OperationDeps, search: PlaceSearch): Position | undefined {
  return search.cursor === undefined
    ? undefined
    : (decodeCursor(deps.secrets.session, purposeOf(search), search.cursor) as Position);
}
