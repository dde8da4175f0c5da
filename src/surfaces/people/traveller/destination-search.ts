import { ownValue } from '../../../core/input/own-value.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { sentenceCase } from '../frame/wording.ts';
import type { Wish } from '../../../directory/place/facts.ts';
import {
  CLEAN,
  destinationUrl,
  FILTER_COUNT_MAX,
  isFiltered,
  mapText,
  type DestinationResults,
} from './destination-query.ts';
import { nearText } from './reader.ts';
import words from './words.json' with { type: 'json' };

/** Labels of the feature filters. */
export const WISH_WORDS: Readonly<Record<Wish, string>> = words.wishes;

/** Returns the label of a category in the filter. */
export function kindLabel(kind: string): string {
  return ownValue<string>(words.kinds, kind) ?? sentenceCase(kind);
}

const FORM = 'search';

/** Renders the search box as a GET form, so that every search has a URL to share and return to. */
export function searchForm(slug: string, name: string, { query }: DestinationResults): Html {
  return html`<form class="search" id="${FORM}" action="/d/${slug}" method="get" role="search" data-filters>
    <div class="ask">
      <label class="unseen" for="q">Search in <bdi>${name}</bdi></label>
      <input
        id="q"
        name="q"
        type="search"
        value="${query.q}"
        maxlength="200"
        placeholder="A name, a dish, a kind of place"
        autocomplete="off"
        spellcheck="false"
      /><button class="button">Search</button>
    </div>
    ${query.wishes.length > 0 && html`<input type="hidden" name="wishes" value="${query.wishes.join(',')}" />`}
    ${query.near !== undefined && html`<input type="hidden" name="near" value="${nearText(query.near)}" />`}
    ${query.box !== undefined && html`<input type="hidden" name="map" value="${mapText(query.box)}" />`}
    ${query.reader.lang !== '' && html`<input type="hidden" name="lang" value="${query.reader.lang}" />`}
  </form>`;
}

/** Renders the filters of the search form. They follow the results, which the Tab key reaches first. */
export function searchFilters(slug: string, results: DestinationResults): Html {
  const { query, kinds, areas, wishes } = results;
  return html`<div class="filters" role="group" aria-label="Filters">
    <label class="check"
      ><input type="checkbox" name="open" value="1" form="${FORM}" ${query.open && html` checked`} /> Open
      now</label
    >
    ${choice('category', 'Kind of place', 'Any kind', kinds, query.category, kindLabel)}
    ${areas.length > 0 && choice('area', 'Area', 'Any area', areas, query.area, (area) => area)}
    ${wishes.length + query.wishes.length > 0 && wishFilter(slug, results)}
    ${isFiltered(query) && html`<a class="clear" href="${destinationUrl(slug, query, CLEAN)}">Clear all</a>`}
  </div>`;
}

function choice(
  name: string,
  label: string,
  none: string,
  counted: readonly Counted[],
  chosen: string,
  wording: (option: string) => string,
): Html {
  // A shared URL may name a finer value than the form offers; keep it as an option.
  const isOffered = chosen === '' || counted.some((option) => option.name === chosen);
  const options: readonly Counted[] = isOffered ? counted : [...counted, { name: chosen }];
  return html`<select id="${name}" name="${name}" form="${FORM}" aria-label="${label}">
    <option value="">${none}</option>
    ${options.map(
      ({ name: option, places }) =>
        html`<option value="${option}" ${option === chosen && html` selected`}>
          ${wording(option)}${places !== undefined && ` (${countLabel(places)})`}
        </option>`,
    )}
  </select>`;
}

/** A filter and how many places have it; absent where it was not counted. */
interface Counted {
  name: string;
  places?: number;
}

function countLabel(places: number): string {
  return places > FILTER_COUNT_MAX ? `${formatNumber(FILTER_COUNT_MAX)}+` : formatNumber(places);
}

/** Renders the features as links: several may be chosen, and a place must have all of them. */
function wishFilter(slug: string, { query, wishes }: DestinationResults): Html {
  const chosenCount = query.wishes.length;
  const counts = new Map(wishes.map(({ name, places }) => [name, places]));
  const choices = [...new Set([...counts.keys(), ...query.wishes])];
  return html`<details class="wishes" ${chosenCount > 0 && html` open`}>
    <summary>Wishes${chosenCount > 0 && ` (${chosenCount})`}</summary>
    <ul aria-label="What a place must have">
      ${choices.map((wish) => {
        const chosen = query.wishes.includes(wish);
        const others = query.wishes.filter((one) => one !== wish);
        const href = destinationUrl(slug, query, { wishes: chosen ? others : [...others, wish] });
        const places = counts.get(wish);
        return html`<li>
          <a class="chip" href="${href}" rel="nofollow" ${chosen && html` aria-current="true"`}
            >${WISH_WORDS[wish]}
            ${places !== undefined && html`<span class="number">${countLabel(places)}</span>`}${chosen && html`<span class="unseen"> (chosen; remove it)</span>`}</a
          >
        </li>`;
      })}
    </ul>
  </details>`;
}
