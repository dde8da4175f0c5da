import type { Deps } from '../../../core/context.ts';
import { fold } from '../../../core/text/fold.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { Destination, DestinationSnapshot } from '../../../directory/destinations.ts';
import { emptyDestinationWords, findDestination } from '../../../directory/find-destination.ts';
import { hasNoPlaces } from '../../../search/empty-hint.ts';
import { searchDestinations, type FoundDestinations } from '../../../directory/search-destinations.ts';
import type { Understood } from '../../../search/understand/understood.ts';
import { userText } from '../frame/components.ts';
import { icon } from '../frame/icon.ts';
import { sentenceCase } from '../frame/wording.ts';
import { destinationUrl, findCards, readDestinationQuery, type ListedCard } from './destination-query.ts';
import { kindLabel } from './destination-search.ts';
import { kindLinks } from './kind-links.ts';
import { placeEntry } from './place-list.ts';
import { findThumbnails, type Thumbnails } from './place-picture.ts';
import { placeAddress, type PageReader } from './reader.ts';

type NamedDestination = Pick<
  Destination,
  'slug' | 'name' | 'country' | 'country_name' | 'places' | 'timezone'
>;

/** Result of the search on the home page: destinations and places. */
export interface HomeResults extends Pick<FoundDestinations, 'text' | 'isGuess'> {
  destinations: readonly NamedDestination[];
  places: readonly ListedCard[];
  thumbnails: Thumbnails;
  /** True when there are more places than these. */
  hasMore: boolean;
  areas: readonly { area: string; destination: string; href: string; isWhole: boolean }[];
  /** Page with the same search in the one destination that the text means, besides a place or a kind. */
  within: string | undefined;
  /** Name of a known destination without places that the text names. */
  emptyDestination: string | undefined;
  /** The destination that the text names beside words that nothing matches. */
  intended: NamedDestination | undefined;
  reader: PageReader;
  now: Date;
}

/** The home page before anybody searched. */
export const NO_SEARCH: HomeResults = {
  ...{ text: '', isGuess: false, destinations: [], areas: [], places: [], thumbnails: new Map() },
  ...{
    hasMore: false,
    within: undefined,
    emptyDestination: undefined,
    intended: undefined,
    reader: { languages: [], lang: '' },
    now: new Date(0),
  },
};

const DESTINATIONS_MAX = 8;
const SUGGESTIONS_MAX = 5;
const KINDS_MAX = 2;
const PLACES_MAX = 24;
const SEARCHES_MAX = 3;
const AREAS_MAX = 3;
const AREA_MIN = 3;

/** Finds destinations, and places in all of them, by the same reading of the text as every other search. */
export async function searchFromHome(
  deps: Deps,
  text: string,
  reader: PageReader,
  now: Date,
): Promise<HomeResults> {
  const snapshot = deps.destinations.current;
  const named = searchDestinations(snapshot, text);
  const destination = findDestination(snapshot, text);
  const found =
    text === '' || destination !== undefined
      ? { cards: [], nextCursor: null, understood: undefined }
      : findCards(deps, { text, limit: PLACES_MAX, languages: reader.languages }, now);
  const { cards: places, understood } = found;
  // Places near one landmark are all in its destination.
  const only = understood?.near === undefined ? undefined : onlyOne(places.map((card) => card.destination));
  const slug = understood?.destination ?? only;
  const inText = snapshot.destinations.find((one) => one.slug === slug);
  const within = places.length === 0 ? undefined : inText;
  const searched = destination ?? inText;
  const intended = places.length > 0 ? undefined : (inText ?? destinationInWords(snapshot, text));
  return {
    text: named.text,
    // A similar name is worth showing only if nothing else was found.
    ...(named.isGuess && places.length > 0
      ? { destinations: [], isGuess: false }
      : { destinations: named.destinations, isGuess: named.isGuess }),
    areas: areasFound(deps, text, reader),
    places,
    thumbnails: await findThumbnails(deps.publicReads, groupsOf(places).flat()),
    hasMore: found.nextCursor !== null,
    within:
      within && destinationUrl(within.slug, readDestinationQuery({ q: text, lang: reader.lang }, reader), {}),
    emptyDestination: searched !== undefined && hasNoPlaces(deps, searched) ? searched.name : undefined,
    intended: intended !== undefined && intended.places > 0 ? intended : undefined,
    reader,
    now,
  };
}

/** Most words of the name of a destination. */
const NAME_WORDS_MAX = 3;

/** Finds the destination that the last or the first words of a text name. */
function destinationInWords(snapshot: DestinationSnapshot, text: string): Destination | undefined {
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (let count = Math.min(NAME_WORDS_MAX, words.length - 1); count > 0; count--)
    for (const some of [words.slice(-count), words.slice(0, count)]) {
      const found = findDestination(snapshot, some.join(' '));
      if (found !== undefined) return found;
    }
  return undefined;
}

function onlyOne<Value>(values: readonly Value[]): Value | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

/** Finds areas whose name begins with the text, in the reader's language. */
function areasFound(deps: Deps, text: string, { languages, lang }: PageReader): HomeResults['areas'] {
  if (fold(text).length < AREA_MIN) return [];
  return deps.places.areasStarting(text, AREAS_MAX).flatMap(({ name, destination: id, isWhole }) => {
    const destination = deps.destinations.current.destinations.find((one) => one.id === id);
    if (destination === undefined || fold(destination.name) === fold(name)) return [];
    const [area = name] = deps.places.localizedAreas([name], destination.country, languages);
    const query = new URLSearchParams({ area, ...(lang === '' ? {} : { lang }) }).toString();
    return [{ area, destination: destination.name, href: `/d/${destination.slug}?${query}`, isWhole }];
  });
}

/** What the search box suggests for a text that is still being typed. */
export interface Suggested extends HomeResults {
  kinds: readonly string[];
  searches: readonly SuggestedSearch[];
  /** True when places have names that begin with the text. They come before the searches. */
  isNameStart: boolean;
  /** The slug of the destination whose name the text is. */
  named?: string | undefined;
}

/** A search that the text may become, with what it finds. */
interface SuggestedSearch {
  text: string;
  understood: Understood;
  cards: readonly ListedCard[];
}

/**
 * Completes the text to searches, and finds places whose name begins with it, then those of the first search or else of
 * the text itself, and kinds of places. The search reads every text, so that each suggestion finds what it says.
 */
export async function suggestFromHome(
  deps: Deps,
  text: string,
  reader: PageReader,
  now: Date,
): Promise<Suggested> {
  const results = await searchFromHome(deps, text, reader, now);
  if (text === '') return { ...results, kinds: [], searches: [], isNameStart: false };
  const { languages } = reader;
  const searches = deps.places
    .completeText(text, deps.destinations.current)
    .flatMap((one) => readSearch(deps, one, reader, now))
    .slice(0, SEARCHES_MAX);
  const { cards } = findCards(deps, { text, nameStart: true, limit: PLACES_MAX, languages }, now);
  const started = await realFirst(deps, cards);
  const isNameStart = started.length > 0;
  const found = isNameStart ? results.places : (searches[0]?.cards ?? results.places);
  const places = [...new Map([...started, ...found].map((card) => [card.place_id, card])).values()];
  return {
    ...results,
    places,
    // A similar name of a destination is worth showing only if nothing else was found.
    ...(results.isGuess && places.length > 0 && { destinations: [], isGuess: false }),
    kinds: deps.places.kindsStarting(text, KINDS_MAX),
    searches,
    isNameStart,
    named: findDestination(deps.destinations.current, text)?.slug,
  };
}

/** Searches for a completed text; nothing unless the search finds something and understands where. */
function readSearch(deps: Deps, text: string, { languages }: PageReader, now: Date): SuggestedSearch[] {
  const { cards, understood } = findCards(deps, { text, limit: SUGGESTIONS_MAX, languages }, now);
  if (understood === undefined || cards.length === 0) return [];
  const { near, destination, area, left_out, corrected } = understood;
  const isWhere = near !== undefined || destination !== undefined || area !== undefined;
  return isWhere && left_out === undefined && corrected === undefined ? [{ text, understood, cards }] : [];
}

/** Puts real places before fictional ones of the same name. */
async function realFirst(deps: Deps, cards: readonly ListedCard[]): Promise<ListedCard[]> {
  const ids = cards.map(({ place_id }) => place_id);
  const rows = await deps.publicReads<
    { id: string }[]
  >`select id from place where id = any(${ids}) and source = 'demo'`;
  const fictional = new Set(rows.map(({ id }) => id));
  return [...Map.groupBy(cards, ({ name }) => fold(name)).values()].flatMap((namesakes) =>
    namesakes.toSorted((a, b) => Number(fictional.has(a.place_id)) - Number(fictional.has(b.place_id))),
  );
}

/**
 * Renders the suggestions under the search box: a destination or an area that was typed exactly, searches, kinds, a few
 * places, then further areas and destinations.
 */
export function suggestions(results: Suggested, all: readonly NamedDestination[]): Html | false {
  const { text, kinds, places, searches, destinations, areas, isGuess, isNameStart, reader } = results;
  if (text === '') return false;
  const lists = [kinds, places, searches, areas, destinations];
  if (lists.every(({ length }) => length === 0)) return nothingFound(results);
  const destinationOf = destinationNames(all);
  const searchLinks = searches.length > 0 && searchList(searches, destinationOf, reader);
  const areaNames = areas.length > 0 && areaList(areas);
  const destinationLinks = destinations.length > 0 && destinationList(text, destinations, isGuess);
  const [isArea, isMain] = [areas[0]?.isWhole === true, fold(destinations[0]?.name ?? '') === fold(text)];
  const isDestination = isMain || (results.named !== undefined && results.named === destinations[0]?.slug);
  return html`${isMain && destinationLinks} ${isArea && areaNames}
  ${isDestination && !isMain && destinationLinks} ${!isNameStart && searchLinks}
  ${kinds.length > 0 && kindList(kinds, reader)}
  ${
    places.length > 0 &&
    html`<p class="found" id="finds-places">Places</p>
      <ul aria-labelledby="finds-places">
        ${places.slice(0, SUGGESTIONS_MAX).map(
          (place) =>
            html`<li>
              <a class="entry" href="${placeAddress(place.place_id, reader)}"
                ><span
                  >${userText(place.name)} <span class="soft">· ${sentenceCase(place.category)}</span></span
                ><span class="number">${userText(destinationOf(place))}</span></a
              >
            </li>`,
        )}
      </ul>`
  }
  ${isNameStart && searchLinks} ${!isArea && areaNames} ${!isDestination && destinationLinks}`;
}

function searchList(
  searches: readonly SuggestedSearch[],
  destinationOf: (card: ListedCard) => string,
  { lang }: PageReader,
): Html {
  return html`<p class="found" id="finds-searches">${searches.length === 1 ? 'Search' : 'Searches'}</p>
    <ul aria-labelledby="finds-searches">
      ${searches.map(({ text, understood, cards: [first] }) => {
        const query = new URLSearchParams({ q: text, ...(lang === '' ? {} : { lang }) });
        return html`<li>
          <a class="entry" href="${safeHref(`/?${query.toString()}`)}"
            ><span
              >${icon('search')} ${userText(text)} <span class="soft">${kindWords(understood)}</span></span
            ><span class="number">${first !== undefined && userText(destinationOf(first))}</span></a
          >
        </li>`;
      })}
    </ul>`;
}

/** Names the kinds that a search means. */
function kindWords({ kind, cuisine }: Understood): string {
  const names = [kind, cuisine].flatMap((one) => (one === undefined ? [] : one.split('|').map(kindLabel)));
  return names.length === 0 ? '' : `· ${names.slice(0, KINDS_MAX).join(', ')}`;
}

/** Renders everything that was found, below the search box. */
export function homeResults(results: HomeResults, all: readonly NamedDestination[]): Html | false {
  const { text, places, destinations, areas, isGuess, hasMore } = results;
  if (text === '') return false;
  if (places.length === 0 && destinations.length === 0) return nothingFound(results);
  const zones = new Map(all.map(({ slug, timezone }) => [slug, timezone]));
  const destinationOf = destinationNames(all);
  return html`<section class="home-results" aria-label="Results">
    ${destinations.length > 0 && html`<div class="finds">${destinationList(text, destinations, isGuess)}</div>`}
    ${areas.length > 0 && html`<div class="finds">${areaList(areas)}</div>`}
    ${
      places.length > 0 &&
      html`<p class="found" role="status">
          ${hasMore ? `The first ${formatCount(places.length, 'place')}` : formatCount(places.length, 'place')}
          for <q>${userText(text)}</q>, by destination
        </p>
        <div class="groups">
          ${groupsOf(places).map((cards) => destinationGroup(cards, results, destinationOf, zones))}
        </div>`
    }
    <p><a class="button plain" href="/#index">All destinations</a></p>
  </section>`;
}

/** Groups places by destination, the one of the best place first. */
function groupsOf(places: readonly ListedCard[]): ListedCard[][] {
  return [...Map.groupBy(places, ({ destination }) => destination).values()];
}

/** Renders the found places of one destination below its name, which leads to the same search there. */
function destinationGroup(
  cards: readonly ListedCard[],
  { text, reader, thumbnails, now }: HomeResults,
  destinationOf: (card: ListedCard) => string,
  zones: ReadonlyMap<string, string>,
): Html | false {
  const [first] = cards;
  if (first === undefined) return false;
  const query = readDestinationQuery({ q: text, lang: reader.lang }, reader);
  const zone = zones.get(first.destination) ?? 'UTC';
  return html`<section class="of-destination" aria-labelledby="in-${first.destination}">
    <h2 id="in-${first.destination}">
      <a href="${destinationUrl(first.destination, query, {})}">${userText(destinationOf(first))}</a>
    </h2>
    <ol class="places">
      ${cards.map((card) => placeEntry(card, { reader, thumbnails }, zone, now))}
    </ol>
  </section>`;
}

function destinationNames(all: readonly NamedDestination[]): (card: ListedCard) => string {
  const names = new Map(all.map(({ slug, name }) => [slug, name]));
  return ({ destination, city }) => names.get(destination) ?? city ?? '';
}

function nothingFound({ text, emptyDestination, intended, reader }: HomeResults): Html {
  const page =
    intended && destinationUrl(intended.slug, readDestinationQuery({ lang: reader.lang }, reader), {});
  return html`<section class="home-results" aria-label="Results">
    <p>
      <strong
        >${emptyDestination === undefined ? html`Nothing matches <q>${userText(text)}</q>.` : userText(emptyDestinationWords(emptyDestination))}</strong
      >
    </p>
    ${
      intended === undefined
        ? html`<p>Try fewer words, or look through the <a href="/#index">list of all destinations</a>.</p>
            ${kindLinks()}`
        : html`<p>
              There is more in <a href="${safeHref(page ?? '/')}"><bdi>${intended.name}</bdi></a
              >:
            </p>
            ${kindLinks(`/d/${intended.slug}`)}`
    }
  </section>`;
}

function kindList(kinds: readonly string[], { lang }: PageReader): Html {
  return html`<p class="found" id="finds-kinds">Kinds of places</p>
    <ul aria-labelledby="finds-kinds">
      ${kinds.map((kind) => {
        const query = new URLSearchParams({ q: kind.replaceAll('_', ' '), ...(lang === '' ? {} : { lang }) });
        return html`<li>
          <a class="entry" href="${safeHref(`/?${query.toString()}`)}"
            ><span>${userText(kindLabel(kind))}</span><span class="number">everywhere</span></a
          >
        </li>`;
      })}
    </ul>`;
}

function areaList(areas: HomeResults['areas']): Html {
  return html`<p class="found" id="finds-areas">${areas.length === 1 ? 'Area' : 'Areas'}</p>
    <ul aria-labelledby="finds-areas">
      ${areas.map(
        ({ area, destination, href }) =>
          html`<li>
            <a class="entry" href="${safeHref(href)}"
              ><span>${userText(area)}</span><span class="number">${userText(destination)}</span></a
            >
          </li>`,
      )}
    </ul>`;
}

function destinationList(text: string, destinations: HomeResults['destinations'], isGuess: boolean): Html {
  const more = destinations.length - DESTINATIONS_MAX;
  const heading = isGuess
    ? html`Nothing is called <q>${userText(text)}</q>. Did you mean this?`
    : formatCount(destinations.length, 'destination');
  return html`<p class="found" id="finds-destinations">${heading}</p>
    <ul aria-labelledby="finds-destinations">
      ${destinations.slice(0, DESTINATIONS_MAX).map(
        ({ slug, name, country_name, places }) =>
          html`<li>
            <a class="entry" href="/d/${slug}"
              ><span
                >${userText(name)} <span class="soft">${country_name !== name && country_name}</span></span
              ><span class="number">${places > 0 && formatCount(places, 'place')}</span></a
            >
          </li>`,
      )}
    </ul>
    ${more > 0 && html`<p><a href="${restLink(destinations)}">${formatCount(more, 'more destination')} in the list</a></p>`}`;
}

/** Links to the rest of the list: to the country, where all results are in one. */
function restLink(destinations: HomeResults['destinations']): string | null {
  const [country, ...others] = new Set(destinations.map((one) => one.country.toLowerCase()));
  return safeHref(country !== undefined && others.length === 0 ? `/#country-${country}` : '/#index');
}
