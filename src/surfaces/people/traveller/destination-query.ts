import { cutTyped } from '../../../core/text/visible-text.ts';
import { KeptWhile } from '../../../core/memory/kept-while.ts';
import { searchPlaces, type PlaceSearch } from '../../../search/search-places.ts';
import type { CountedArea } from '../../../search/areas/areas-in.ts';
import type { Languages } from '../../../core/text/languages.ts';
import { WISHES, type Wish } from '../../../directory/place/facts.ts';
import { languageNames, readsLatin, showName } from '../../../directory/place/place-names.ts';
import type { Hit } from '../../../search/query/hit.ts';
import type { Reader } from './reader.ts';
import type { Understood } from '../../../search/understand/understood.ts';
import type { cardSchema } from '../../../search/card.ts';
import type { Deps } from '../../../core/context.ts';
import type { Destination } from '../../../directory/destinations.ts';
import type { z } from 'zod';

/** A card, and its name in Latin letters for a reader who cannot read it otherwise. */
export type Card = z.infer<typeof cardSchema> & { latin_name?: string | null };

/** What a visitor asks for in a destination, as it stands in the address of the page. */
export interface DestinationQuery {
  q: string;
  category: string;
  area: string;
  open: boolean;
  wishes: readonly Wish[];
  reader: Reader;
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
  /** The kinds of place that there are here. */
  kinds: string[];
  /** The areas with the most places. */
  areas: CountedArea[];
  /** What any place here has. */
  wishes: Wish[];
}

const TEXT_MAX = 200;
const PAGE_MAX = 999;
const LIST_SIZE = 24;
export const MAP_SIZE = 200;
const AREAS_MAX = 40;
/** About what the filters of one destination take up, and what those of all may. */
const OFFER_BYTES = 4_000;
const OFFERS_BYTES = 1_000 * OFFER_BYTES;

/** In the order in which a traveller looks for them. */
const KINDS =
  'restaurant cafe bar nightclub hotel guesthouse hostel attraction beach tour boat event market shop spa massage salon gym clinic transport taxi other'.split(
    ' ',
  );

export function readDestinationQuery(given: Record<string, unknown>, reader: Reader): DestinationQuery {
  const page = Number(textOf(given['page']));
  return {
    q: textOf(given['q']),
    category: textOf(given['category']),
    area: textOf(given['area']),
    open: textOf(given['open']) !== '',
    wishes: wishesIn(textOf(given['wishes'])),
    reader,
    cursor: typeof given['cursor'] === 'string' ? given['cursor'] : '',
    page: Number.isInteger(page) && page > 1 && page <= PAGE_MAX ? page : 1,
  };
}

function wishesIn(text: string): Wish[] {
  const words = text.split(',');
  return WISHES.filter((wish) => words.includes(wish));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? cutTyped(value.trim(), TEXT_MAX) : '';
}

/** The address of the same page with some of the wishes changed. A changed wish begins at the first page. */
export function addressOf(slug: string, query: DestinationQuery, change: Partial<DestinationQuery>): string {
  const { q, category, area, open, wishes, reader, cursor, page } = {
    ...query,
    cursor: '',
    page: 1,
    ...change,
  };
  const asked = Object.entries({
    q,
    category,
    area,
    open: open ? '1' : '',
    wishes: wishes.join(','),
    lang: reader.lang,
    cursor,
  }).filter(([, value]) => value !== '');
  if (page > 1) asked.push(['page', String(page)]);
  // A comma may stand in a query as it is.
  const text = new URLSearchParams(asked).toString().replaceAll('%2C', ',');
  return `/d/${encodeURIComponent(slug)}${text === '' ? '' : `?${text}`}`;
}

export function isFiltered({ q, category, area, open, wishes }: DestinationQuery): boolean {
  return q !== '' || category !== '' || area !== '' || open || wishes.length > 0;
}

/** One page of the list, and the map beside it. */
export function findInDestination(
  deps: Deps,
  destination: Destination,
  query: DestinationQuery,
  now: Date,
): FoundInDestination {
  const { languages } = query.reader;
  const search: Omit<PlaceSearch, 'limit'> = {
    destination,
    text: query.q === '' ? undefined : query.q,
    category: query.category === '' ? undefined : query.category,
    area: query.area === '' ? undefined : query.area,
    openAt: query.open ? now : undefined,
    wishes: query.wishes,
    languages: languages.length === 0 ? undefined : languages,
  };
  const found = searchPlaces(
    deps,
    { ...search, limit: LIST_SIZE, cursor: query.cursor === '' ? undefined : query.cursor },
    (hit) => `,"open_until":${JSON.stringify(hit.open.until)}${latinName(hit, languages)}`,
  );
  const all = searchPlaces(deps, { ...search, limit: MAP_SIZE });
  return {
    query,
    cards: found.cards(),
    understood: found.understood,
    nextCursor: found.nextCursor,
    mapped: all.cards(),
    total: all.nextCursor === null ? all.hits.length : isFiltered(query) ? null : destination.places,
    ...offeredIn(deps, destination),
  };
}

type Offered = Pick<FoundInDestination, 'kinds' | 'areas' | 'wishes'>;

const offers = new WeakMap<Deps['places'], KeptWhile<Offered>>();

/** By what a destination can be filtered. That takes a search for each filter, and changes only with the index. */
function offeredIn(deps: Deps, destination: Destination): Offered {
  let kept = offers.get(deps.places);
  if (kept === undefined) offers.set(deps.places, (kept = new KeptWhile(OFFERS_BYTES)));
  const restsOn = [deps.places.version];
  const known = kept.find(destination.id, restsOn);
  if (known !== undefined) return known;
  const exists = (filter: Partial<PlaceSearch>): boolean =>
    searchPlaces(deps, { destination, limit: 1, ...filter }).hits.length > 0;
  const number = deps.places.destinationNumber(destination.id);
  const offered = {
    kinds: KINDS.filter((category) => exists({ category })),
    areas: number === undefined ? [] : deps.places.areasIn(number, AREAS_MAX),
    wishes: WISHES.filter((wish) => exists({ wishes: [wish] })),
  };
  kept.keep(destination.id, restsOn, offered, OFFER_BYTES);
  return offered;
}

const LATIN_NAME = '"latin_name":"';

/** For those who read Latin letters, and none of the languages that the place has a name in. */
function latinName({ place }: Hit, languages: Languages): string {
  if (!readsLatin(languages) || !place.bytes.includes(LATIN_NAME, place.cardEnd)) return '';
  const { name, names, country, latin_name } = place.described;
  const { wanted } = showName({ name, names: languageNames(names ?? {}), country }, languages);
  return wanted ? '' : `,"latin_name":${JSON.stringify(latin_name)}`;
}
