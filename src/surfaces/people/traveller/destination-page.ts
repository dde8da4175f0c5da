import { html, type Html } from '../../../core/text/html.ts';
import type { Destination } from '../../../directory/destinations.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page, type Site } from '../frame/layout.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import { isFiltered, MAP_SIZE, type DestinationResults } from './destination-query.ts';
import { areaLinks, searchForm, wishLinks } from './destination-search.ts';
import { localTime, zoneOffset } from './local-clock.ts';
import type { BaseMap } from './map/ground.ts';
import { locatorMap } from './map/locator-map.ts';
import { locationParts } from './place/place-head.ts';
import { placeListView, resultsLine } from './place-list.ts';
import { resultsMap } from './map/results-map.ts';

export interface DestinationModel {
  site: Site;
  /** Time for which the local time is shown. */
  now: Date;
  destination: Destination;
  results: DestinationResults;
  ground: BaseMap;
}

/** Renders a destination: its location, local time, and its places with search, filters and map. */
export function destinationPage(model: DestinationModel): string {
  const { site, now, destination, results } = model;
  const { slug, name, country_name } = destination;
  const where = locationParts([name, country_name]).join(', ');
  return page({
    site,
    title: where,
    description: `${formatCount(destination.places, 'place')} to eat, stay and see in ${where}.`,
    current: '/',
    canonical: `/d/${slug}`,
    // Only the unfiltered first page is indexed; searches are views of it.
    indexed: !isFiltered(results.query) && results.query.page === 1,
    scripts: results.cards.length > 0 ? ['results-map.js'] : [],
    body: html`<div class="wrap">
      <div class="place-head">
        <div>
          <p><a href="/#country-${destination.country.toLowerCase()}">${country_name}</a></p>
          <h1><bdi>${name}</bdi></h1>
          ${facts(destination, now)}
        </div>
        <figure class="map locator">${locatorMap(destination)}</figure>
      </div>
      ${places(model)}
    </div>`,
  });
}

function places({ destination, results, now, ground }: DestinationModel): Html {
  const { slug, name } = destination;
  return html`<section class="region" id="places" aria-labelledby="places-title">
    <h2 id="places-title">Places</h2>
    ${destination.places > 0 && searchForm(slug, name, results)}
    ${results.areas.length > 0 && areaLinks(slug, results)}
    ${results.wishes.length + results.query.wishes.length > 0 && wishLinks(slug, results)}
    ${destination.places > 0 && resultsLine(destination, results)}
    <div class="results ${results.cards.length === 0 && 'none'}">
      ${
        results.cards.length > 0 &&
        resultsMap(name, results.mapped, results.total === null || results.total > MAP_SIZE, ground)
      }
      <div>${placeListView(destination, results, now)}</div>
    </div>
  </section>`;
}

function facts(destination: Destination, now: Date): Html {
  const { places: total, verified_places, timezone } = destination;
  return definitionList('facts', [
    ['Places', formatNumber(total)],
    ['Verified within the last year', formatNumber(verified_places)],
    [
      'Local time',
      html`<time data-zone="${timezone}" datetime="${now.toISOString()}">${localTime(now, timezone)}</time>`,
    ],
    ['Time zone', `${timezone} (${zoneOffset(now, timezone)})`],
  ]);
}
