import { html, type Html } from '../../../core/text/html.ts';
import { withPlaces } from '../../../directory/destinations.ts';
import { finder } from '../frame/finder.ts';
import { page, type Site } from '../frame/layout.ts';
import { featuredSection, type Featured } from './featured.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import {
  arrangeDestinations,
  type CountryGroup,
  type HomeDestination,
  type RegionGroup,
} from './arrange-destinations.ts';
import { worldMap } from './map/world-map.ts';
import { kindLinks } from './kind-links.ts';
import { homeResults, NO_SEARCH, type HomeResults } from './home-search.ts';

export interface HomeModel {
  site: Site;
  destinations: readonly HomeDestination[];
  /** Result of the visitor's search. */
  results?: HomeResults;
  featured?: Featured | undefined;
}

/** Renders the home page: a search box, one destination with its places, and every destination on a map and in an index. */
export function homePage({ site, destinations: all, results = NO_SEARCH, featured }: HomeModel): string {
  const destinations = withPlaces(all);
  const regions = arrangeDestinations(destinations);
  const isSearch = results.text !== '';
  const isEmpty = destinations.length === 0;
  const shown = isSearch ? undefined : featured;
  return page({
    site,
    title: isSearch ? `“${results.text}”` : site.serviceName,
    description: isEmpty
      ? 'A directory of places to eat, stay and see.'
      : `Places to eat, stay and see in ${formatCount(destinations.length, 'destination')}.`,
    canonical: '/',
    // Searches are views of the same page.
    indexed: !isSearch,
    scripts: shown?.streets === undefined ? [] : ['street-map.js'],
    body: html`<div class="wrap">
      ${
        isEmpty
          ? nothingYet(site)
          : html`<div class="opening ${isSearch && 'searched'}">
              <div>
                <h1 class="${isSearch && 'unseen'}">${isSearch ? 'Search' : 'Where to next?'}</h1>
                ${finder(results.text)} ${!isSearch && kindLinks()}
              </div>
              ${shown !== undefined && featuredSection(shown)} ${!isSearch && signpost(regions)}
            </div>`
      }
      ${!isEmpty && homeResults(results, all)} ${regions.length > 1 && !isSearch && map(destinations)}
      ${
        !isEmpty &&
        !isSearch &&
        html`<div class="index" id="index">
          <p class="lead">${countsLine(site, destinations)}</p>
          ${regions.map(regionSection)}
        </div>`
      }
      ${!isSearch && audienceLinks()}
    </div>`,
  });
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

/** An installation without places: what visitors can expect, and where its operator goes on. */
function nothingYet({ serviceName }: Site): Html {
  return html`<section class="first-steps empty flow">
    <h1>There are no places here yet</h1>
    <p>
      ${serviceName} is running, and its directory is still empty. Places appear here as soon as they are
      loaded.
    </p>
    <p>Do you run this installation? <a href="/console/set-up">Set it up in the console</a>.</p>
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
