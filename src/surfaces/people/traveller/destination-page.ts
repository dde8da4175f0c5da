import { html, type Html } from '../../../core/text/html.ts';
import type { Destination } from '../../../directory/destinations.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page, type Site } from '../frame/layout.ts';
import { count, figure } from '../frame/wording.ts';
import { isFiltered, MAP_SIZE, type FoundInDestination } from './destination-query.ts';
import { areaLinks, searchForm, wishLinks } from './destination-search.ts';
import { localTime, zoneOffset } from './local-clock.ts';
import type { Ground } from './map/ground.ts';
import { locatorMap } from './map/locator-map.ts';
import { whereabouts } from './place/whereabouts.ts';
import { placeList, resultsLine } from './place-list.ts';
import { resultsMap } from './map/results-map.ts';

export interface DestinationModel {
  site: Site;
  /** The moment for which the local time is shown. */
  now: Date;
  destination: Destination;
  found: FoundInDestination;
  ground: Ground;
}

/** One destination: where it is, what time it is there, and its places, to be searched, filtered and seen on a map. */
export function destinationPage(model: DestinationModel): string {
  const { site, now, destination, found } = model;
  const { slug, name, country_name } = destination;
  const where = whereabouts([name, country_name]).join(', ');
  return page({
    site,
    title: where,
    description: `${count(destination.places, 'place')} to eat, stay and see in ${where}.`,
    current: '/',
    canonical: `/d/${slug}`,
    // One address stands for the destination; every search of it is a view of the same.
    indexed: !isFiltered(found.query) && found.query.page === 1,
    scripts: found.cards.length > 0 ? ['results-map.js'] : [],
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

function places({ destination, found, now, ground }: DestinationModel): Html {
  const { slug, name } = destination;
  return html`<section class="region" id="places" aria-labelledby="places-title">
    <h2 id="places-title">Places</h2>
    ${destination.places > 0 && searchForm(slug, name, found)}
    ${found.areas.length > 0 && areaLinks(slug, found)}
    ${found.wishes.length + found.query.wishes.length > 0 && wishLinks(slug, found)}
    ${destination.places > 0 && resultsLine(destination, found)}
    <div class="results ${found.cards.length === 0 && 'none'}">
      ${
        found.cards.length > 0 &&
        resultsMap(name, found.mapped, found.total === null || found.total > MAP_SIZE, ground)
      }
      <div>${placeList(destination, found, now)}</div>
    </div>
  </section>`;
}

function facts(destination: Destination, now: Date): Html {
  const { places: total, verified_places, timezone } = destination;
  return definitionList('facts', [
    ['Places', figure(total)],
    ['Verified within the last year', figure(verified_places)],
    [
      'Local time',
      html`<time data-zone="${timezone}" datetime="${now.toISOString()}">${localTime(now, timezone)}</time>`,
    ],
    ['Time zone', `${timezone} (${zoneOffset(now, timezone)})`],
  ]);
}
