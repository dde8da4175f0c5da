import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { withPlaces, type Destination } from '../../../directory/destinations.ts';
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
import type { FoundDestinations } from '../../../directory/search-destinations.ts';

export interface HomeModel {
  site: Site;
  destinations: readonly HomeDestination[];
  /** Result of the visitor's destination search. */
  searchResult?: DestinationMatches;
}

const NO_SEARCH: DestinationMatches = { text: '', destinations: [], isGuess: false };

/** Renders the home page: every destination that has places, on a map and in an index. */
export function homePage({ site, destinations: all, searchResult = NO_SEARCH }: HomeModel): string {
  const nonEmpty = withPlaces(all);
  const isEmpty = nonEmpty.length === 0;
  const destinations = isEmpty ? all : nonEmpty;
  const regions = arrangeDestinations(destinations);
  return page({
    site,
    title: site.serviceName,
    description: `An open directory of places in ${formatCount(destinations.length, 'destination')}.`,
    current: '/',
    canonical: '/',
    // Searches are views of the same page.
    indexed: searchResult.text === '',
    body: html`<div class="wrap">
      <div class="opening">
        <div>${opening(site, destinations)}${destinations.length > 0 && destinationFinder(searchResult)}</div>
        ${destinations.length > 0 && signpost(regions)}
      </div>
      ${isEmpty && firstSteps(site)} ${destinations.length > 0 && map(destinations)}
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
  if (places === 0) return `${site.serviceName} covers ${where}. No places are listed yet.`;
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

const SHOWN_MAX = 8;

/** The part of a destination search that the finder shows. */
export interface DestinationMatches extends Pick<FoundDestinations, 'text' | 'isGuess'> {
  destinations: readonly Pick<Destination, 'slug' | 'name' | 'country' | 'country_name' | 'places'>[];
}

/** Renders the destination search box. A script fills in results while the visitor types. */
export function destinationFinder(result: DestinationMatches): Html {
  return html`<form class="finder" action="/" method="get" role="search">
    <label for="q">Find a destination or a country</label>
    <div>
      <input
        id="q"
        name="q"
        type="search"
        value="${result.text}"
        maxlength="80"
        autocomplete="off"
        spellcheck="false"
      /><button class="button">Find</button>
    </div>
    <div class="finds" role="status">${finderResults(result)}</div>
  </form>`;
}

/** Renders the results under the search box. */
export function finderResults({ text, destinations, isGuess }: DestinationMatches): Html | false {
  if (text === '') return false;
  if (destinations.length === 0)
    return html`<p>
      <strong
        >No destination or country is called <q><bdi>${text}</bdi></q
        >.</strong
      >
      Try fewer letters, or look through the <a href="#index">list of all destinations</a>.
    </p>`;
  const more = destinations.length - SHOWN_MAX;
  return html`<p class="found">${heading(text, destinations.length, isGuess)}</p>
    <ul>
      ${destinations.slice(0, SHOWN_MAX).map(
        ({ slug, name, country_name, places }) =>
          html`<li>
            <a class="entry" href="/d/${slug}"
              ><span
                ><bdi>${name}</bdi> <span class="soft">${country_name !== name && country_name}</span></span
              ><span class="number">${places > 0 && formatCount(places, 'place')}</span></a
            >
          </li>`,
      )}
    </ul>
    ${more > 0 && html`<p><a href="${restLink(destinations)}">${formatCount(more, 'more destination')} in the list</a></p>`}`;
}

function heading(text: string, length: number, isGuess: boolean): Html {
  if (isGuess)
    return html`Nothing is called <q><bdi>${text}</bdi></q
      >. Did you mean this?`;
  return html`${formatCount(length, 'destination')} for <q><bdi>${text}</bdi></q>`;
}

/** Links to the rest of the list: to the country, where all results are in one. */
function restLink(destinations: DestinationMatches['destinations']): string | null {
  const [country, ...others] = new Set(destinations.map((one) => one.country.toLowerCase()));
  return safeHref(country !== undefined && others.length === 0 ? `#country-${country}` : '#index');
}
