import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { Destination } from '../../../directory/destinations.ts';
import type { FoundDestinations } from '../../../directory/search-destinations.ts';
import { count } from '../frame/wording.ts';

const SHOWN_MAX = 8;

/** What a finder needs to know of the destinations that were found. */
export interface Finds extends Pick<FoundDestinations, 'text' | 'isGuess'> {
  destinations: readonly Pick<Destination, 'slug' | 'name' | 'country' | 'country_name' | 'places'>[];
}

/** The box in which a traveller looks for a destination. A script puts what it finds under it while they type. */
export function finder(found: Finds): Html {
  return html`<form class="finder" action="/" method="get" role="search">
    <label for="q">Find a destination or a country</label>
    <div>
      <input
        id="q"
        name="q"
        type="search"
        value="${found.text}"
        maxlength="80"
        autocomplete="off"
        spellcheck="false"
      /><button class="button">Find</button>
    </div>
    <div class="finds" role="status">${finds(found)}</div>
  </form>`;
}

/** What was found, for under the box. */
export function finds({ text, destinations, isGuess }: Finds): Html | false {
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
              ><span class="number">${places > 0 && count(places, 'place')}</span></a
            >
          </li>`,
      )}
    </ul>
    ${more > 0 && html`<p><a href="${rest(destinations)}">${count(more, 'more destination')} in the list</a></p>`}`;
}

function heading(text: string, length: number, isGuess: boolean): Html {
  if (isGuess)
    return html`Nothing is called <q><bdi>${text}</bdi></q
      >. Did you mean this?`;
  return html`${count(length, 'destination')} for <q><bdi>${text}</bdi></q>`;
}

/** Where the others stand: under their country, where they have one in common. */
function rest(destinations: Finds['destinations']): string | null {
  const [country, ...others] = new Set(destinations.map((one) => one.country.toLowerCase()));
  return safeHref(country !== undefined && others.length === 0 ? `#country-${country}` : '#index');
}
