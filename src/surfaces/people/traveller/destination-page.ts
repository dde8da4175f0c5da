import { html, type Html } from '../../../core/text/html.ts';
import type { Destination } from '../../../directory/destinations.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page, type Site } from '../frame/layout.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import {
  CLEAN,
  destinationUrl,
  isFiltered,
  MAP_SIZE,
  mapText,
  type DestinationResults,
} from './destination-query.ts';
import { kindLabel, searchFilters, searchForm } from './destination-search.ts';
import { localTime, zoneOffset } from './local-clock.ts';
import type { BaseMap } from './map/ground.ts';
import type { StreetMap } from '../../../streets/street-tiles.ts';
import { streetAttributes, streetsOf } from './map/street-figure.ts';
import { locatorMap } from './map/locator-map.ts';
import { canonicalPath, NAME_LANGUAGES } from './reader.ts';
import { locationParts } from './place/place-model.ts';
import { placeListView, resultsLine } from './place-list.ts';
import { resultsMap } from './map/results-map.ts';

export interface DestinationModel {
  site: Site;
  /** Time for which the local time is shown. */
  now: Date;
  destination: Destination;
  results: DestinationResults;
  ground: BaseMap;
  streets: StreetMap | undefined;
}

/** Renders a destination: its location, local time, and its places with search, filters and map. */
export function destinationPage(model: DestinationModel): string {
  const { site, destination, results } = model;
  const { slug, name, country_name } = destination;
  const where = locationParts([name, country_name]).join(', ');
  const { q, category, area } = results.query;
  const searched = [q === '' ? '' : `“${q}”`, category === '' ? '' : kindLabel(category), area].filter(
    (part) => part !== '',
  );
  return page({
    site,
    title: [...searched, where].join(' · '),
    description: `${formatCount(destination.places, 'place')} to eat, stay and see in ${where}.`,
    canonical: canonicalPath(`/d/${slug}`, results.query.reader),
    nameLanguages: NAME_LANGUAGES,
    picture: { path: `/d/${slug}/share.png`, alt: where },
    linkedData: linkedDestination(model),
    // Only the unfiltered first page is indexed; searches are views of it.
    indexed: !isFiltered(results.query) && results.query.page === 1,
    scripts: results.cards.length > 0 ? ['results-map.js'] : [],
    skip: results.cards.length > 0 ? { text: 'Skip to the results', target: 'results' } : undefined,
    body: html`<div class="wrap destination">
      <div class="destination-head">
        ${titleOf(model)} ${destination.places > 0 && searchForm(slug, name, results)}
      </div>
      ${places(model)} ${about(model)}
    </div>`,
  });
}

/** Names what the page lists: an area with its destination, or the destination with its country. */
function titleOf({ destination, results: { area, query } }: DestinationModel): Html {
  const { slug, name, country_name } = destination;
  if (area === undefined)
    return html`<h1><bdi>${name}</bdi></h1>
      ${country_name !== name && html`<p class="soft">${country_name}</p>`}`;
  return html`<h1><bdi>${area}</bdi></h1>
    <p class="soft">
      <a href="${destinationUrl(slug, query, CLEAN)}"><bdi>${name}</bdi></a>
    </p>`;
}

/** Returns the destination and the listed places as schema.org data. It contains nothing that the page does not show. */
function linkedDestination({ site, destination, results }: DestinationModel): object {
  const { slug, name, other_names, country_name, lat, lng } = destination;
  const url = `${site.baseUrl}/d/${slug}`;
  const itemListElement = results.cards.map(({ place_id, name: place }, at) => ({
    ...{ '@type': 'ListItem', position: at + 1, name: place, url: `${site.baseUrl}/p/${place_id}` },
  }));
  return {
    '@context': 'https://schema.org',
    '@type': 'TouristDestination',
    '@id': url,
    ...{ url, name },
    ...(other_names.length > 0 && { alternateName: other_names }),
    ...(country_name !== name && { containedInPlace: { '@type': 'Country', name: country_name } }),
    geo: { '@type': 'GeoCoordinates', latitude: lat, longitude: lng },
    ...(itemListElement.length > 0 && { mainEntity: { '@type': 'ItemList', itemListElement } }),
  };
}

function places({ destination, results, now, ground, streets }: DestinationModel): Html {
  const shown = streetsOf(streets, destination);
  const drawn = {
    listed: results.cards.map(({ place_id }) => place_id),
    ground,
    streets: shown !== undefined && streetAttributes(shown, results.query.reader.languages),
    near: results.query.near ?? results.understood?.near,
    part: results.query.box && mapText(results.query.box),
  };
  const { slug, name } = destination;
  const hasResults = results.cards.length > 0;
  const hasMap = hasResults && (shown !== undefined || !ground.isPlain);
  return html`<section id="places" aria-labelledby="places-title">
    <h2 class="unseen" id="places-title">Places</h2>
    <div class="results ${!hasMap && 'mapless'}" id="results" tabindex="-1">
      <div>
        ${destination.places > 0 && resultsLine(results)} ${placeListView(destination, results, now)}
        ${hasMap && html`<p class="to-map"><a class="button" href="#map">Map</a></p>`}
      </div>
      <div class="beside">
        ${destination.places > 0 && searchFilters(slug, results)}
        ${hasMap && resultsMap(name, results.mapped, results.total === null || results.total > MAP_SIZE, drawn)}
      </div>
    </div>
  </section>`;
}

/** Renders what is known about the destination itself, below its places. */
function about({ destination, now }: DestinationModel): Html {
  return html`<section class="about-destination" aria-labelledby="about-title">
    <div>
      <h2 id="about-title">About <bdi>${destination.name}</bdi></h2>
      ${facts(destination, now)}
    </div>
    <figure class="map locator">${locatorMap(destination)}</figure>
  </section>`;
}

function facts(destination: Destination, now: Date): Html {
  const { places: total, verified_places, timezone, country, country_name } = destination;
  return definitionList('facts', [
    ['Country', html`<a href="/#country-${country.toLowerCase()}">${country_name}</a>`],
    ['Places', formatNumber(total)],
    ['Verified within the last year', formatNumber(verified_places)],
    [
      'Local time',
      html`<time data-zone="${timezone}" datetime="${now.toISOString()}">${localTime(now, timezone)}</time>`,
    ],
    ['Time zone', `${timezone} (${zoneOffset(now, timezone)})`],
  ]);
}
