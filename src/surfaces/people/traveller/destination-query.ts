import { cutTyped } from '../../../core/text/visible-text.ts';
import { DependencyCache } from '../../../core/memory/dependency-cache.ts';
import {
  distanceOf,
  searchPlaces,
  type FoundPlaces,
  type PlaceSearch,
} from '../../../search/search-places.ts';
import type { CountedArea } from '../../../search/areas/areas-in.ts';
import type { Languages } from '../../../core/text/languages.ts';
import { shortUsualWords } from '../../../directory/hours/open-status.ts';
import { WISHES, type Wish } from '../../../directory/place/facts.ts';
import { languageNames, readsLatin, chooseDisplayName } from '../../../directory/place/place-names.ts';
import type { Hit } from '../../../search/query/hit.ts';
import { findThumbnails, type Thumbnails } from './place-picture.ts';
import type { BoundingBox, Point } from '../../../core/geo.ts';
import { nearText, readNear, type PageReader } from './reader.ts';
import type { Understood } from '../../../search/understand/understood.ts';
import type { PlaceCard } from '../../../directory/place/place-fields.ts';
import type { Deps } from '../../../core/context.ts';
import type { Destination } from '../../../directory/destinations.ts';
import words from './words.json' with { type: 'json' };

/**
 * A card with the place's name in Latin letters, for readers who cannot read its other names, with its state by hours
 * that are too old to be verified, and whether it has a phone number.
 */
export type ListedCard = PlaceCard & {
  latin_name?: string | null;
  usually?: string | null;
  hasPhone?: boolean;
};

/** Search parameters of a destination page, as they appear in its URL. */
export interface DestinationQuery {
  q: string;
  category: string;
  area: string;
  open: boolean;
  wishes: readonly Wish[];
  /** The part of the map that the visitor looks at. */
  box?: BoundingBox | undefined;
  /** Where the visitor is. */
  near?: Point | undefined;
  reader: PageReader;
  cursor: string;
  /** Number of the current page, for display only. */
  page: number;
}

export interface DestinationResults {
  query: DestinationQuery;
  cards: ListedCard[];
  /** Photos of the listed places. */
  thumbnails: Thumbnails;
  /** Interpretation of the search text. */
  understood?: Understood | undefined;
  nextCursor: string | null;
  /** Places on the map: the best matches, independent of the current page. */
  mapped: ListedCard[];
  /** Number of matching places; null when there are more than the map shows. */
  total: number | null;
  /** Categories that occur in this destination, with the number of their places. */
  kinds: CountedFilter<string>[];
  areas: CountedArea[];
  /** The area that is searched, in the reader's language; undefined if it is unknown here. */
  area: string | undefined;
  /** Features that at least one place here has. */
  wishes: CountedFilter<Wish>[];
}

/** A filter that finds something, with the number of its places, at most FILTER_COUNT_MAX + 1. */
interface CountedFilter<Name> {
  name: Name;
  places: number;
}

export const FILTER_COUNT_MAX = 200;
const TEXT_MAX = 200;
const PAGE_MAX = 999;
const LIST_SIZE = 24;
export const MAP_SIZE = 200;
const NEAR_M = 25_000;
const AREAS_MAX = 40;
/** Approximate cache size of one destination's filters, and maximum for all. */
const FILTERS_BYTES = 4_000;
const FILTER_CACHE_BYTES = 1_000 * FILTERS_BYTES;

/** In the order in which travellers look for them. */
const KINDS = Object.keys(words.kinds);

export function readDestinationQuery(
  parameters: Record<string, unknown>,
  reader: PageReader,
): DestinationQuery {
  const page = Number(textOf(parameters['page']));
  return {
    q: textOf(parameters['q']),
    category: textOf(parameters['category']),
    area: textOf(parameters['area']),
    open: textOf(parameters['open']) !== '',
    wishes: wishesIn(textOf(parameters['wishes'])),
    box: readBox(textOf(parameters['map'])),
    near: readNear(parameters),
    reader,
    cursor: typeof parameters['cursor'] === 'string' ? parameters['cursor'] : '',
    page: Number.isInteger(page) && page > 1 && page <= PAGE_MAX ? page : 1,
  };
}

/** Reads the sides of a part of the map: south, west, north, east. */
function readBox(text: string): BoundingBox | undefined {
  const sides = text.split(',').map((side) => (/^-?\d{1,3}(?:\.\d{1,8})?$/.test(side) ? Number(side) : NaN));
  const [south = NaN, west = NaN, north = NaN, east = NaN] = sides;
  const isBox = sides.length === 4 && south >= -90 && north <= 90 && south < north;
  return isBox && Math.abs(west) <= 180 && Math.abs(east) <= 180 ? { south, west, north, east } : undefined;
}

function wishesIn(text: string): Wish[] {
  const words = text.split(',');
  return WISHES.filter((wish) => words.includes(wish));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? cutTyped(value.trim(), TEXT_MAX) : '';
}

/** Returns the URL of the same page with some parameters changed. A change returns to the first page. */
export function destinationUrl(
  slug: string,
  query: DestinationQuery,
  change: Partial<DestinationQuery>,
): string {
  const { q, category, area, open, wishes, box, near, reader, cursor, page } = {
    ...query,
    cursor: '',
    page: 1,
    ...change,
  };
  const parameters = Object.entries({
    q,
    category,
    area,
    open: open ? '1' : '',
    wishes: wishes.join(','),
    map: box === undefined ? '' : mapText(box),
    near: near === undefined ? '' : nearText(near),
    lang: reader.lang,
    cursor,
  }).filter(([, value]) => value !== '');
  if (page > 1) parameters.push(['page', String(page)]);
  // A comma needs no escaping in a query.
  const text = new URLSearchParams(parameters).toString().replaceAll('%2C', ',');
  return `/d/${encodeURIComponent(slug)}${text === '' ? '' : `?${text}`}`;
}

/** Writes a part of the map as the parameter `map`. */
export function mapText({ south, west, north, east }: BoundingBox): string {
  return [south, west, north, east].join();
}

/** Changes that leave nothing of a search. */
export const CLEAN = {
  ...{ q: '', category: '', area: '', open: false, wishes: [] },
  ...{ box: undefined, near: undefined },
} satisfies Partial<DestinationQuery>;

export function isFiltered({ q, category, area, open, wishes, box, near }: DestinationQuery): boolean {
  const isPlaced = box !== undefined || near !== undefined;
  return q !== '' || category !== '' || area !== '' || open || wishes.length > 0 || isPlaced;
}

/** Finds one page of the list, and the places on the map. */
export async function findInDestination(
  deps: Deps,
  destination: Destination,
  query: DestinationQuery,
  now: Date,
): Promise<DestinationResults> {
  const { languages } = query.reader;
  const search: Omit<PlaceSearch, 'limit'> = {
    destination,
    text: query.q === '' ? undefined : query.q,
    category: query.category === '' ? undefined : query.category,
    area: query.area === '' ? undefined : query.area,
    openAt: query.open ? now : undefined,
    openLikely: query.open,
    wishes: query.wishes,
    box: query.box,
    near: query.near && { ...query.near, radiusM: NEAR_M },
    languages,
  };
  const { cards, ...listed } = findCards(
    deps,
    { ...search, limit: LIST_SIZE, cursor: query.cursor === '' ? undefined : query.cursor },
    now,
  );
  const all = searchPlaces(deps, { ...search, limit: MAP_SIZE });
  return {
    query,
    cards,
    thumbnails: await findThumbnails(deps.publicReads, cards),
    understood: listed.understood,
    nextCursor: listed.nextCursor,
    mapped: all.cards(),
    total: all.nextCursor === null ? all.hits.length : isFiltered(query) ? null : destination.places,
    area: query.area === '' ? undefined : areaFor(deps, destination, query),
    ...localizedFilters(deps, destination, languages),
  };
}

function areaFor(
  deps: Deps,
  { id, country }: Destination,
  { area, reader: { languages } }: DestinationQuery,
): string | undefined {
  const number = deps.places.destinationNumber(id);
  const name = number === undefined ? undefined : deps.places.areaNamed(number, area);
  return name === undefined ? undefined : (deps.places.localizedAreas([name], country, languages)[0] ?? name);
}

type Filters = Pick<DestinationResults, 'kinds' | 'areas' | 'wishes'>;

const filterCaches = new WeakMap<Deps['places'], DependencyCache<Filters>>();

function localizedFilters(deps: Deps, destination: Destination, languages: Languages): Filters {
  const filters = filtersOf(deps, destination);
  const names = deps.places.localizedAreas(
    filters.areas.map(({ name }) => name),
    destination.country,
    languages,
  );
  return { ...filters, areas: filters.areas.map((area, at) => ({ ...area, name: names[at] ?? area.name })) };
}

/**
 * Returns the filters that a destination offers. It takes one search for each filter, so it is cached until the index
 * changes.
 */
function filtersOf(deps: Deps, destination: Destination): Filters {
  let cache = filterCaches.get(deps.places);
  if (cache === undefined) filterCaches.set(deps.places, (cache = new DependencyCache(FILTER_CACHE_BYTES)));
  const dependencies = [deps.places.version];
  const cached = cache.find(destination.id, dependencies);
  if (cached !== undefined) return cached;
  const count = <Name extends string>(name: Name, filter: Partial<PlaceSearch>): CountedFilter<Name>[] => {
    const { hits } = searchPlaces(deps, { destination, limit: FILTER_COUNT_MAX + 1, ...filter });
    return hits.length === 0 ? [] : [{ name, places: hits.length }];
  };
  const number = deps.places.destinationNumber(destination.id);
  const filters = {
    kinds: KINDS.flatMap((category) => count(category, { category })),
    areas: number === undefined ? [] : deps.places.areasIn(number, AREAS_MAX),
    wishes: WISHES.flatMap((wish) => count(wish, { wishes: [wish] })),
  };
  cache.keep(destination.id, dependencies, filters, FILTERS_BYTES);
  return filters;
}

/** Finds places with everything that a list shows of them. */
export function findCards(
  deps: Deps,
  search: PlaceSearch,
  now: Date,
): Pick<FoundPlaces, 'understood' | 'nextCursor'> & { cards: ListedCard[] } {
  const languages = search.languages ?? [];
  const found = searchPlaces(
    deps,
    { ...search, languages: languages.length === 0 ? undefined : languages },
    (hit) => ({ open_until: hit.open.until?.toISOString() ?? null, ...distanceOf(hit) }),
  );
  const cards = found.cards().map((card, at) => {
    const hit = found.hits[at];
    const usual = hit?.openByHours ?? null;
    return {
      ...card,
      ...latinName(hit, languages),
      usually: hit === undefined || usual === null ? null : shortUsualWords(usual, hit.timezone, now),
      hasPhone: hit !== undefined && hit.place.phone !== null,
    };
  });
  return { understood: found.understood, nextCursor: found.nextCursor, cards };
}

/** Returns the Latin name for readers of Latin letters who read none of the place's named languages. */
function latinName(hit: Hit | undefined, languages: Languages): { latin_name?: string } {
  const latin_name = readsLatin(languages) ? hit?.place.latinName : null;
  if (hit === undefined || latin_name == null) return {};
  const { names, ...described } = hit.place.described;
  const { isRequestedLanguage } = chooseDisplayName(
    { ...described, names: languageNames(names ?? {}) },
    languages,
  );
  return isRequestedLanguage ? {} : { latin_name };
}
