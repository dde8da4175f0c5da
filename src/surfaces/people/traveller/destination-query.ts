import { searchPlaces, type PlaceSearch } from '../../../search/search-places.ts';
import type { Understood } from '../../../search/understand/understood.ts';
import type { cardSchema } from '../../../search/card.ts';
import type { Deps } from '../../../core/context.ts';
import type { Destination } from '../../../directory/destinations.ts';
import type { z } from 'zod';

export type Card = z.infer<typeof cardSchema>;

/** What a visitor asks for in a destination, as it stands in the address of the page. */
export interface DestinationQuery {
  q: string;
  category: string;
  area: string;
  open: boolean;
  cursor: string;
  /** How many pages the visitor has turned; only shown, never relied on. */
  page: number;
}

export interface FoundInDestination {
  query: DestinationQuery;
  cards: Card[];
  /** How the words of the search were understood. */
  understood?: Understood | undefined;
  nextCursor: string | null;
  /** The places on the map: the best of all that match, whatever page is shown. */
  mapped: Card[];
  /** How many places match, or null when there are more than the map shows. */
  total: number | null;
  /** The kinds of place and the areas that have any place here. */
  kinds: string[];
  areas: string[];
}

const TEXT_MAX = 200;
const PAGE_MAX = 999;
const LIST_SIZE = 24;
export const MAP_SIZE = 200;
const AREAS_MAX = 40;

/** In the order in which a traveller looks for them. */
const KINDS =
  'restaurant cafe bar nightclub hotel guesthouse hostel attraction beach tour boat event market shop spa massage salon gym clinic transport taxi other'.split(
    ' ',
  );

export function readDestinationQuery(given: Record<string, unknown>): DestinationQuery {
  const page = Number(textOf(given['page']));
  return {
    q: textOf(given['q']),
    category: textOf(given['category']),
    area: textOf(given['area']),
    open: textOf(given['open']) !== '',
    cursor: typeof given['cursor'] === 'string' ? given['cursor'] : '',
    page: Number.isInteger(page) && page > 1 && page <= PAGE_MAX ? page : 1,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, TEXT_MAX) : '';
}

/** The address of the same page with some of the wishes changed. A changed wish begins at the first page. */
export function addressOf(slug: string, query: DestinationQuery, change: Partial<DestinationQuery>): string {
  const { q, category, area, open, cursor, page } = { ...query, cursor: '', page: 1, ...change };
  const wishes = Object.entries({ q, category, area, open: open ? '1' : '', cursor }).filter(
    ([, value]) => value !== '',
  );
  if (page > 1) wishes.push(['page', String(page)]);
  const text = new URLSearchParams(wishes).toString();
  return `/d/${encodeURIComponent(slug)}${text === '' ? '' : `?${text}`}`;
}

export function isFiltered({ q, category, area, open }: DestinationQuery): boolean {
  return q !== '' || category !== '' || area !== '' || open;
}

/** One page of the list, and the map beside it. */
export function findInDestination(
  deps: Deps,
  destination: Destination,
  query: DestinationQuery,
): FoundInDestination {
  const search: Omit<PlaceSearch, 'limit'> = {
    destination,
    text: query.q === '' ? undefined : query.q,
    category: query.category === '' ? undefined : query.category,
    area: query.area === '' ? undefined : query.area,
    openAt: query.open ? deps.clock.now() : undefined,
  };
  const found = searchPlaces(
    deps,
    { ...search, limit: LIST_SIZE, cursor: query.cursor === '' ? undefined : query.cursor },
    ({ open }) => `,"open_until":${JSON.stringify(open.until)}`,
  );
  const all = searchPlaces(deps, { ...search, limit: MAP_SIZE });
  const exists = (filter: Partial<PlaceSearch>): boolean =>
    searchPlaces(deps, { destination, limit: 1, ...filter }).hits.length > 0;
  return {
    query,
    cards: found.cards(),
    understood: found.understood,
    nextCursor: found.nextCursor,
    mapped: all.cards(),
    total: all.nextCursor === null ? all.hits.length : isFiltered(query) ? null : destination.places,
    kinds: KINDS.filter((category) => exists({ category })),
    areas: destination.areas.slice(0, AREAS_MAX).filter((area) => exists({ area })),
  };
}
