import type { Point } from '../../../core/geo.ts';
import { fold } from '../../../core/text/fold.ts';
import { html, join, type Html } from '../../../core/text/html.ts';
import type { Destination } from '../../../directory/destinations.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import { badge, link, softText, userText } from '../frame/components.ts';
import { icon } from '../frame/icon.ts';
import { sentenceCase } from '../frame/wording.ts';
import {
  CLEAN,
  destinationUrl,
  isFiltered,
  MAP_SIZE,
  type DestinationQuery,
  type DestinationResults,
  type ListedCard,
} from './destination-query.ts';
import { kindLabel, WISH_WORDS } from './destination-search.ts';
import { clockAt } from './local-clock.ts';
import { placeThumbnail, type Thumbnails } from './place-picture.ts';
import { placeAddress, type PageReader } from './reader.ts';
import { understoodWords } from '../../../search/understand/understood.ts';

/** Renders the list of places with its pager, or the empty state. */
export function placeListView(destination: Destination, results: DestinationResults, now: Date): Html {
  if (results.cards.length === 0) return emptyList(destination, results);
  const shown = {
    reader: results.query.reader,
    thumbnails: results.thumbnails,
    near: results.query.near ?? results.understood?.near,
  };
  return html`<ol class="places">
      ${results.cards.map((card, at) => placeEntry(card, { ...shown, number: at + 1 }, destination.timezone, now))}
    </ol>
    ${pager(destination.slug, results)}`;
}

/** States how many places match, and the search. */
export function resultsLine(results: DestinationResults): Html {
  const { query, total } = results;
  const amount =
    total === null
      ? `More than ${formatNumber(MAP_SIZE)} places`
      : total === 0
        ? 'No place'
        : formatCount(total, 'place');
  return html`<div class="found-line">
    <p class="found" role="status">
      ${amount}${query.q !== '' && html` for <q><bdi>${query.q}</bdi></q>`}${
        query.category !== '' && html` · <bdi>${kindLabel(query.category)}</bdi>`
      }${query.area !== '' && html` · <bdi>${query.area}</bdi>`}${query.open && ' · open now or usually open'}${query.wishes.map((wish) => ` · ${WISH_WORDS[wish]}`)}${query.near !== undefined && ' · nearest to you first'}${query.box !== undefined && ' · in this part of the map'}
    </p>
    ${results.cards.length > 0 && understoodLine(results)}
  </div>`;
}

/** States how the search text was interpreted, where that is not obvious. */
function understoodLine({ query, understood = {} }: DestinationResults): Html | false {
  const { kind, cuisine, area, brand, wishes = [], open_now } = understood;
  const values = [kind, cuisine, brand, area, ...wishes, open_now === true ? 'open now' : undefined].filter(
    (one) => one !== undefined,
  );
  // Positions say nothing to readers.
  const notes = understoodWords(understood, ({ name }) => name);
  // The reader knows what a text of one kind means.
  if (notes === '' && values.length === 1 && fold(values[0] ?? '') === fold(query.q)) return false;
  if (values.length === 0 && notes === '') return false;
  const terms = values.map((value) => value.split('|').map(kindLabel).join(' or '));
  return html`<p class="understood soft">
    ${terms.length > 0 && html`Understood as <bdi>${terms.join(', ')}</bdi>.`} <bdi>${notes}</bdi>
  </p>`;
}

interface EntryContext {
  reader: PageReader;
  thumbnails: Thumbnails;
  /** Names the destination of a card in a list that has several. */
  destinationOf?: (card: ListedCard) => string;
  /** The point around which the visitor searched. */
  near?: Point | undefined;
  /** Number of the place in the list, which its pin on the map repeats. */
  number?: number;
}

/** Renders one place of a list: its picture, name, kind, rating and open state. */
export function placeEntry(
  card: ListedCard,
  { reader, thumbnails, destinationOf, near, number }: EntryContext,
  timezone: string,
  now: Date,
): Html {
  const { place_id, name, local_name, latin_name, rating, review_count, distance_m } = card;
  const also = local_name ?? latin_name ?? '';
  return html`<li class="place" data-place="${place_id}">
    ${placeThumbnail(card, thumbnails)}
    <div>
      <h3>
        ${
          // Screen readers have the order of the list.
          number !== undefined && html`<span class="list-number" aria-hidden="true">${number}</span>`
        }<a href="${placeAddress(place_id, reader, near)}"><bdi>${name}</bdi></a>
      </h3>
      ${also !== '' && also !== name && html`<p class="soft also-named"><bdi>${also}</bdi></p>`}
      <p class="soft">
        ${
          rating !== null &&
          html`<span class="rating"
              ><b class="number">${rating.toFixed(1)}</b> ${icon('star')} (${formatNumber(review_count)}<span
                class="unseen"
              >
                ${review_count === 1 ? 'review' : 'reviews'}</span
              >)</span
            >
            · `
        }${kindLine(card)}${destinationOf !== undefined && html` · <bdi>${destinationOf(card)}</bdi>`}
      </p>
    </div>
    <p class="state">
      ${openWords(card, timezone, now)}${distance_m !== undefined && html`<span>${icon(walkMinutes(distance_m) === undefined ? 'navigation' : 'footprints')} ${walkWords(distance_m)}</span>`}${bookWords(card)}${card.badge === 'claimed' && badgeOf(card.badge)}
    </p>
  </li>`;
}

/** Kinds of places where people book. */
export const BOOKED: ReadonlySet<string> = new Set([
  'restaurant',
  'cafe',
  'bar',
  'nightclub',
  'hotel',
  'guesthouse',
  'hostel',
  'spa',
]);

/** States how to book, for kinds of places where people book. */
export function bookWords({
  booking,
  vertical,
  hasPhone,
}: Pick<ListedCard, 'vertical' | 'hasPhone'> & { booking: Pick<ListedCard['booking'], 'method'> }):
  Html | false {
  if (booking.method === 'request') return html`<span>${icon('calendar-days')} Takes table requests</span>`;
  if (booking.method === 'venue_system') return html`<span>${icon('globe')} Book on its page</span>`;
  const isCalled = isBookedByPhone({ method: booking.method, vertical, hasPhone: hasPhone === true });
  return isCalled && html`<span>${icon('phone')} Book by phone</span>`;
}

/** True for a kind of place where people book, if they do it by phone. */
export function isBookedByPhone(place: { method: string; vertical: string; hasPhone: boolean }): boolean {
  return place.method === 'phone' && place.hasPhone && BOOKED.has(place.vertical);
}

const KILOMETRE_M = 1_000;

/** A walk is longer than the straight line. */
const DETOUR = 1.3;
const WALK_METRES_PER_MINUTE = 80;
const WALK_MINUTES_MAX = 45;

function distanceWords(metres: number): string {
  return metres < KILOMETRE_M ? `${Math.round(metres)} m` : `${(metres / KILOMETRE_M).toFixed(1)} km`;
}

/** Returns how long the walk takes; undefined if nobody would walk so far. */
function walkMinutes(metres: number): number | undefined {
  const minutes = Math.max(1, Math.round((metres * DETOUR) / WALK_METRES_PER_MINUTE));
  return minutes > WALK_MINUTES_MAX ? undefined : minutes;
}

/** States a distance, and how long the walk takes if anybody would walk it. */
export function walkWords(metres: number): string {
  const minutes = walkMinutes(metres);
  const distance = distanceWords(metres);
  return minutes === undefined ? distance : `${minutes} min walk (${distance})`;
}

/** Renders category, price and area, as far as known. */
export function kindLine(place: {
  category: string;
  cuisine: readonly string[];
  price_range: string | null;
  area: string | null;
}): Html {
  const kinds = [...new Set([place.category, ...place.cuisine.slice(0, 3)].map(sentenceCase))];
  const parts = [...kinds, place.price_range, place.area].filter((part) => part !== null && part !== '');
  return join(parts.map(userText), ' · ');
}

export function badgeOf(standing: string): Html {
  return standing === 'claimed' ? badge('sign', 'Claimed') : badge('', 'Mapped');
}

const LODGING = new Set(['hotel', 'guesthouse', 'hostel']);

/** True for a place whose unknown hours nobody misses: guests sleep there. */
export function needsNoHours(place: { vertical: string; hours?: object | null | undefined }): boolean {
  return LODGING.has(place.vertical) && place.hours == null;
}

function openWords(card: ListedCard, timezone: string, now: Date): Html | false {
  const { open_now, open_until, usually } = card;
  if (usually != null) return softText(sentenceCase(usually));
  if (open_now === null) return !needsNoHours(card) && softText('Hours not verified');
  const change = typeof open_until === 'string' ? clockAt(new Date(open_until), timezone, now) : null;
  return open_now
    ? html`<span><span class="open">Open now</span>${change !== null && ` until ${change}`}</span>`
    : html`<span>Closed now${change !== null && `, opens ${change}`}</span>`;
}

function pager(slug: string, { query, nextCursor }: DestinationResults): Html | false {
  if (nextCursor === null && query.page === 1) return false;
  return html`<nav class="pager" aria-label="Pages">
    ${query.page > 1 && html`<a class="button plain" rel="first" href="${destinationUrl(slug, query, {})}">First page</a>`}
    <span class="number">Page ${formatNumber(query.page)}</span>
    ${
      nextCursor !== null &&
      html`<a
        class="button"
        rel="next"
        href="${destinationUrl(slug, query, { cursor: nextCursor, page: query.page + 1 })}"
        >Next page</a
      >`
    }
  </nav>`;
}

/** Empty state: offers to remove each filter separately. */
function emptyList({ slug, name, places }: Destination, { query, understood }: DestinationResults): Html {
  const unknown = understood?.left_out ?? [];
  if (places === 0 && !isFiltered(query))
    return html`<div class="empty">
      <p><strong>No places are listed in ${name} yet.</strong></p>
      <p>
        A place appears here once it is imported from the map, or submitted and approved by a person. Until
        then, look at the <a href="/">other destinations</a>.
      </p>
    </div>`;
  const suggestions: [boolean, string, Partial<DestinationQuery>][] = [
    [query.open, 'Include places that are closed now or whose hours are not verified', { open: false }],
    [query.area !== '', `Look in all of ${name}`, { area: '' }],
    [query.category !== '', 'Look for every kind of place', { category: '' }],
    [query.wishes.length > 0, 'Include places for which this is unknown', { wishes: [] }],
    [query.box !== undefined, 'Look outside this part of the map', { box: undefined }],
    [query.near !== undefined, 'Look farther away', { near: undefined }],
    [query.q !== '', `Leave out the words “${query.q}”`, { q: '' }],
    [true, `Show all ${formatCount(places, 'place')} in ${name}`, CLEAN],
  ];
  const links = suggestions
    .filter(([applies]) => applies)
    .map(([, words, change]) => html`<li>${link(destinationUrl(slug, query, change), userText(words))}</li>`);
  return html`<div class="empty flow">
    <p><strong>No place in ${name} matches all of this.</strong></p>
    ${unknown.length > 0 && html`<p>No place here matches <bdi>${unknown.map((word) => `“${word}”`).join(' or ')}</bdi>.</p>`}
    <p>Try one of these:</p>
    <ul class="ways">
      ${links}
    </ul>
  </div>`;
}
