import { html, type Html } from '../../../core/text/html.ts';
import { page, type Site } from '../frame/layout.ts';
import { count, figure } from '../frame/wording.ts';
import {
  arrangeDestinations,
  type CountryGroup,
  type HomeDestination,
  type ListedDestination,
  type RegionGroup,
} from './arrange-destinations.ts';
import { worldMap } from './map/world-map.ts';

export interface HomeModel {
  site: Site;
  destinations: readonly HomeDestination[];
  /** What the visitor typed into the finder; the rest is hidden, not left out, so that a script can bring it back. */
  query?: string;
}

/** The traveller's home: every destination on a map and in an index. */
export function homePage({ site, destinations, query = '' }: HomeModel): string {
  const regions = arrangeDestinations(destinations, query);
  const listed = regions.flatMap((region) => region.countries.flatMap((country) => country.destinations));
  return page({
    site,
    title: site.serviceName,
    description: `An open directory of places in ${count(destinations.length, 'destination')}.`,
    current: '/',
    canonical: '/',
    body: html`<div class="wrap">
      <div class="opening">
        <div>${opening(site, destinations)}${listed.length > 0 && finder(query, listed)}</div>
        ${destinations.length > 0 && signpost(regions, query)}
      </div>
      ${destinations.length > 0 && map(listed)} ${index(regions, listed, query)} ${doors(site)}
    </div>`,
  });
}

function opening(site: Site, destinations: readonly HomeDestination[]): Html {
  if (destinations.length === 0) {
    return html`<h1>An open directory of places</h1>
      <p class="lead">${site.serviceName} has no destinations yet.</p>`;
  }
  return html`<h1>An open directory of places in ${count(destinations.length, 'destination')}</h1>
    <p class="lead">${countsLine(site, destinations)}</p>`;
}

/** Counted from the model: the page claims nothing that it was not given. */
function countsLine(site: Site, destinations: readonly HomeDestination[]): string {
  const countries = new Set(destinations.map(({ country }) => country)).size;
  const places = destinations.reduce((sum, destination) => sum + destination.places, 0);
  const verified = destinations.reduce((sum, destination) => sum + destination.verified_places, 0);
  const where = count(countries, 'country', 'countries');
  if (places === 0) return `${site.serviceName} covers ${where}. No places are listed yet.`;
  return `${site.serviceName} lists ${count(places, 'place')} to eat, stay and see in ${where}; ${figure(verified)} of them ${verified === 1 ? 'was' : 'were'} verified by a person or a source within the last year.`;
}

function finder(query: string, listed: readonly ListedDestination[]): Html {
  const shown = listed.filter(({ hidden }) => !hidden).length;
  return html`<form class="finder" action="/#index" method="get" role="search">
    <label for="q">Find a destination or a country</label>
    <div>
      <input
        id="q"
        name="q"
        type="search"
        value="${query}"
        maxlength="80"
        autocomplete="off"
        spellcheck="false"
      /><button class="button">Find</button>
    </div>
    <p class="found" role="status">
      ${query !== '' && `${figure(shown)} of ${count(listed.length, 'destination')}`}
    </p>
  </form>`;
}

function signpost(regions: readonly RegionGroup[], query: string): Html {
  return html`<nav class="signpost" aria-label="Continents">
    <ul>
      ${regions.map(
        ({ id, name, total }) =>
          html`<li>
            <a href="${query === '' ? '' : '/'}#${id}"
              ><span>${name}</span
              ><span class="number"
                >${figure(total)}<span class="unseen">
                  ${total === 1 ? 'destination' : 'destinations'}</span
                ></span
              ></a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function map(listed: readonly ListedDestination[]): Html {
  return html`<figure class="map">
    <a class="skip unseen" href="#index">Skip the map</a>
    ${worldMap(listed, 'Map of the destinations')}
    <figcaption>
      Each dot is a destination and a link. Land: Natural Earth, in the Equal Earth projection.
    </figcaption>
  </figure>`;
}

function index(regions: readonly RegionGroup[], listed: readonly ListedDestination[], query: string): Html {
  if (listed.length === 0) return EMPTY_DIRECTORY;
  return html`<div class="index" id="index">
    <div class="empty" ${listed.some(({ hidden }) => !hidden) && html` hidden`}>
      <p>
        <strong>No destination or country matches <q>${query}</q>.</strong>
      </p>
      <p>Try fewer letters, or <a href="/">look at all destinations</a>.</p>
    </div>
    ${regions.map(regionSection)}
  </div>`;
}

const EMPTY_DIRECTORY = html`<div class="index" id="index">
  <div class="empty">
    <p><strong>There are no destinations yet.</strong></p>
    <p>They appear here, on the map and by country, as soon as the operator has loaded a catalogue.</p>
  </div>
</div>`;

function regionSection({ id, name, total, countries, hidden }: RegionGroup): Html {
  return html`<section class="region" id="${id}" aria-labelledby="${id}-title" ${hidden && html` hidden`}>
    <div class="region-title">
      <h2 id="${id}-title">${name}</h2>
      <p class="soft">${count(total, 'destination')} in ${count(countries.length, 'country', 'countries')}</p>
    </div>
    <div class="countries">${countries.map(countryBlock)}</div>
  </section>`;
}

function countryBlock({ code, name, destinations, hidden }: CountryGroup): Html {
  return html`<div class="country" id="country-${code.toLowerCase()}" ${hidden && html` hidden`}>
    <h3>${name}</h3>
    <ul>
      ${destinations.map(entry)}
    </ul>
  </div>`;
}

function entry({ slug, name, other_names = [], places, hidden }: ListedDestination): Html {
  const also = other_names.length > 0 && html` data-also="${other_names.join(', ')}"`;
  return html`<li${hidden && html` hidden`}${also}><a class="entry" href="/d/${slug}"><span>${name}</span><span class="number">${figure(places)}<span class="unseen"> ${places === 1 ? 'place' : 'places'}</span></span></a></li>`;
}

function doors(site: Site): Html {
  const partner = site.partnerUrl === site.baseUrl ? '' : site.partnerUrl;
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
        <p class="links"><a href="${partner}/api/partner">Partner directory</a></p>
      </li>
      <li>
        <h3>Venues</h3>
        <p>The concierge asks for a table. The venue decides.</p>
        <p class="links"><a href="${partner}/api/concierge">Concierge</a></p>
      </li>
    </ul>
  </section>`;
}
