import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { Destination } from '../../../directory/destinations.ts';
import type { FoundDestinations } from '../../../directory/search-destinations.ts';
import { formatCount } from '../../../core/text/format-count.ts';

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
