import { html, safeHref, type Html } from '../../../core/html.ts';
import { page, type Site } from '../layout.ts';
import { count, figure, sentenceCase } from '../wording.ts';
import type { HomeDestination } from './arrange-destinations.ts';
import { locatorMap } from './locator-map.ts';

export interface ListedPlace {
  place_id: string;
  name: string;
  category: string;
  area: string | null;
  rating: number | null;
  review_count: number;
  price_range: string | null;
  badge: 'mapped' | 'claimed';
  /** The place's own page, once it has one. */
  url?: string;
}

export interface DestinationModel {
  site: Site;
  /** The moment for which the local time is shown. */
  now: Date;
  destination: HomeDestination & { areas: readonly string[] };
  places: readonly ListedPlace[];
}

const PLACES_MAX = 50;

/** One destination: where it is, what time it is there, its areas and the first of its places. */
export function destinationPage({ site, now, destination, places }: DestinationModel): string {
  const { slug, name, country_name } = destination;
  return page({
    site,
    title: `${name}, ${country_name}`,
    description: `${count(destination.places, 'place')} in ${name}, ${country_name}.`,
    current: '/',
    canonical: `/d/${slug}`,
    body: html`<div class="wrap">
      <div class="place-head">
        <div>
          <p><a href="/#country-${destination.country.toLowerCase()}">${country_name}</a></p>
          <h1>${name}</h1>
          ${facts(destination, now)}
        </div>
        <figure class="map locator">${locatorMap(destination)}</figure>
      </div>
      ${destination.areas.length > 0 && areas(destination.areas)}
      ${placeList(destination, places.slice(0, PLACES_MAX))}
    </div>`,
  });
}

function facts(destination: HomeDestination, now: Date): Html {
  const { places, verified_places, timezone } = destination;
  return html`<dl class="facts">
    <div>
      <dt>Places</dt>
      <dd>${figure(places)}</dd>
    </div>
    <div>
      <dt>Verified within the last year</dt>
      <dd>${figure(verified_places)}</dd>
    </div>
    <div>
      <dt>Local time</dt>
      <dd>
        <time data-zone="${timezone}" datetime="${now.toISOString()}">${localTime(now, timezone)}</time>
      </dd>
    </div>
    <div>
      <dt>Time zone</dt>
      <dd>${timezone} (${offset(now, timezone)})</dd>
    </div>
  </dl>`;
}

function localTime(now: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(now);
}

function offset(now: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now);
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return zone.replace('GMT', 'UTC');
}

function areas(names: readonly string[]): Html {
  return html`<section class="region" aria-labelledby="areas-title">
    <div class="region-title"><h2 id="areas-title">Areas</h2></div>
    <ul class="areas">
      ${names.map((name) => html`<li>${name}</li>`)}
    </ul>
  </section>`;
}

function placeList(destination: HomeDestination, places: readonly ListedPlace[]): Html {
  const some = places.length < destination.places;
  return html`<section class="region" aria-labelledby="places-title">
    <div class="region-title">
      <h2 id="places-title">Places</h2>
      ${
        some &&
        places.length > 0 &&
        html`<p class="soft">The first ${figure(places.length)} of ${figure(destination.places)}</p>`
      }
    </div>
    ${places.length > 0 ? placeTable(destination, places) : emptyList(destination)}
  </section>`;
}

function placeTable({ name }: HomeDestination, places: readonly ListedPlace[]): Html {
  return html`<table class="stack">
    <caption class="unseen">
      Places in ${name}
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Category</th>
        <th scope="col">Area</th>
        <th scope="col" class="number">Rating</th>
        <th scope="col" class="number">Reviews</th>
        <th scope="col">Price</th>
        <th scope="col">Listing</th>
      </tr>
    </thead>
    <tbody>
      ${places.map(placeRow)}
    </tbody>
  </table>`;
}

function placeRow(place: ListedPlace): Html {
  const { category, area, rating, review_count, price_range, badge } = place;
  return html`<tr>
    <th scope="row">${placeName(place)}</th>
    <td>${sentenceCase(category)}</td>
    <td>${area}</td>
    <td class="number" data-label="Rating">${rating === null ? 'not rated' : rating.toFixed(1)}</td>
    <td class="number" data-label="Reviews">${figure(review_count)}</td>
    <td data-label="Price">${price_range}</td>
    <td>
      ${
        badge === 'claimed'
          ? html`<span class="badge sign">Claimed</span>`
          : html`<span class="badge">Mapped</span>`
      }
    </td>
  </tr>`;
}

function placeName({ name, url }: ListedPlace): Html | string {
  return url === undefined ? name : html`<a href="${safeHref(url)}">${name}</a>`;
}

function emptyList({ name }: HomeDestination): Html {
  return html`<div class="empty">
    <p><strong>No places are listed in ${name} yet.</strong></p>
    <p>A place appears here once it was imported from the map, or submitted and approved by a person.</p>
  </div>`;
}
