import { html, type Html } from '../../../core/text/html.ts';
import { withPlaces } from '../../../directory/destinations.ts';
import { codeBlock } from '../docs/code-block.ts';
import { page, type Site } from '../frame/layout.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import {
  arrangeDestinations,
  type CountryGroup,
  type HomeDestination,
  type RegionGroup,
} from './arrange-destinations.ts';
import { worldMap } from './map/world-map.ts';
import { homeFinder, homeResults, NO_SEARCH, type HomeResults } from './home-search.ts';

export interface HomeModel {
  site: Site;
  destinations: readonly HomeDestination[];
  /** Result of the visitor's search. */
  results?: HomeResults;
}

/** Renders the home page: every destination that has places, on a map and in an index. */
export function homePage({ site, destinations: all, results = NO_SEARCH }: HomeModel): string {
  const destinations = withPlaces(all);
  const regions = arrangeDestinations(destinations);
  const isSearch = results.text !== '';
  return page({
    site,
    title: site.serviceName,
    description: `An open directory of places in ${formatCount(destinations.length, 'destination')}.`,
    current: '/',
    canonical: '/',
    // Searches are views of the same page.
    indexed: !isSearch,
    body: html`<div class="wrap">
      <div class="opening ${isSearch && 'searched'}">
        <div>
          ${!isSearch && opening(site, destinations)}${isSearch && html`<h1 class="unseen">Search</h1>`}${destinations.length > 0 && homeFinder(results)}
        </div>
        ${destinations.length > 0 && !isSearch && signpost(regions)}
      </div>
      ${homeResults(results, all)} ${destinations.length === 0 && firstSteps(site)}
      ${destinations.length > 0 && !isSearch && map(destinations)}
      ${destinations.length > 0 && html`<div class="index" id="index">${regions.map(regionSection)}</div>`}
      ${audienceLinks()}
    </div>`,
  });
}

function opening(site: Site, destinations: readonly HomeDestination[]): Html {
  if (destinations.length === 0) {
    return html`<h1>An open directory of places</h1>
      <p class="lead">${site.serviceName} has no destinations yet.</p>`;
  }
  return html`<h1>An open directory of places in ${formatCount(destinations.length, 'destination')}</h1>
    <p class="lead">${countsLine(site, destinations)}</p>`;
}

/** Computes all counts from the model, so that the page claims nothing else. */
function countsLine(site: Site, destinations: readonly HomeDestination[]): string {
  const countries = new Set(destinations.map(({ country }) => country)).size;
  const places = destinations.reduce((sum, destination) => sum + destination.places, 0);
  const verified = destinations.reduce((sum, destination) => sum + destination.verified_places, 0);
  const where = formatCount(countries, 'country', 'countries');
  return `${site.serviceName} lists ${formatCount(places, 'place')} to eat, stay and see in ${where}; ${formatNumber(verified)} of them ${verified === 1 ? 'was' : 'were'} verified by a person or a source within the last year.`;
}

function signpost(regions: readonly RegionGroup[]): Html {
  return html`<nav class="signpost" aria-label="Continents">
    <ul>
      ${regions.map(
        ({ id, name, total }) =>
          html`<li>
            <a href="#${id}"
              ><span>${name}</span
              ><span class="number"
                >${formatNumber(total)}<span class="unseen">
                  ${total === 1 ? 'destination' : 'destinations'}</span
                ></span
              ></a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function map(destinations: readonly HomeDestination[]): Html {
  return html`<figure class="map">
    <a class="skip unseen" href="#index">Skip the map</a>
    ${worldMap(destinations, 'Map of the destinations')}
    <figcaption>
      Each dot is a destination and a link. Land: Natural Earth, in the Equal Earth projection.
    </figcaption>
  </figure>`;
}

/** Explains how to import places into an empty directory. */
function firstSteps({ serviceName }: Site): Html {
  return html`<section class="first-steps empty flow" aria-labelledby="first-title">
    <h2 id="first-title">There are no places here yet</h2>
    <p>
      ${serviceName} was started without data. Its operator can import places with one command, from an
      extract of OpenStreetMap (a file, a folder or an address):
    </p>
    ${codeBlock('In the folder of the service, with its settings', 'npx waypost import osm extract.osm.pbf --auto-destinations')}
    <p>
      The start of the service and its console print the command with those settings. The places appear here
      within seconds, on the map and by country. To look around first, start the service with
      <code>DEMO=on</code> on a new data directory: it then shows fictional venues in real destinations.
    </p>
  </section>`;
}

function regionSection({ id, name, total, countries }: RegionGroup): Html {
  return html`<section class="region" id="${id}" aria-labelledby="${id}-title">
    <div class="region-title">
      <h2 id="${id}-title">${name}</h2>
      <p class="soft">
        ${formatCount(total, 'destination')} in ${formatCount(countries.length, 'country', 'countries')}
      </p>
    </div>
    <div class="countries">${countries.map(countryBlock)}</div>
  </section>`;
}

function countryBlock({ code, name, destinations }: CountryGroup): Html {
  return html`<div class="country" id="country-${code.toLowerCase()}">
    <h3>${name}</h3>
    <ul>
      ${destinations.map(entry)}
    </ul>
  </div>`;
}

function entry({ slug, name, places }: HomeDestination): Html {
  return html`<li>
    <a class="entry" href="/d/${slug}"
      ><span>${name}</span
      ><span class="number"
        >${formatNumber(places)}<span class="unseen"> ${places === 1 ? 'place' : 'places'}</span></span
      ></a
    >
  </li>`;
}

function audienceLinks(): Html {
  return html`<section class="doors" aria-labelledby="doors-title">
    <h2 id="doors-title">For agents, partners and venues</h2>
    <ul>
      <li>
        <h3>Agents</h3>
        <p>Read the directory and write to it, over REST or MCP.</p>
        <p class="links">
          <a href="/docs">API reference</a> <a href="/openapi.json">openapi.json</a>
          <a href="/llms.txt">llms.txt</a>
        </p>
      </li>
      <li>
        <h3>Partners</h3>
        <p>Answer your own travellers from the directory, read-only, over MCP.</p>
        <p class="links"><a href="/partner">Partner area</a> <a href="/docs">How to connect</a></p>
      </li>
      <li>
        <h3>Venues</h3>
        <p>The concierge asks for a table. The venue decides, and manages its own listing.</p>
        <p class="links"><a href="/venue">Look after your listing</a></p>
      </li>
    </ul>
  </section>`;
}
