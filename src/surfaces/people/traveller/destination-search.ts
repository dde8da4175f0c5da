import { ownValue } from '../../../core/input/own-value.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { sentenceCase } from '../frame/wording.ts';
import type { Wish } from '../../../directory/place/facts.ts';
import { destinationUrl, type DestinationResults } from './destination-query.ts';
import words from './words.json' with { type: 'json' };

/** Labels of the feature filters. */
export const WISH_WORDS: Readonly<Record<Wish, string>> = words.wishes;

/** Returns the label of a category in the filter. */
export function kindLabel(kind: string): string {
  return ownValue<string>(words.kinds, kind) ?? sentenceCase(kind);
}

/** Renders the search box and its filters as a GET form, so that every search has a URL to share and return to. */
export function searchForm(slug: string, name: string, results: DestinationResults): Html {
  const { query, kinds, areas } = results;
  return html`<form class="search" action="/d/${slug}#places" method="get" role="search">
    <div class="field wide">
      <label for="q">Search in <bdi>${name}</bdi></label>
      <input
        id="q"
        name="q"
        type="search"
        value="${query.q}"
        maxlength="200"
        placeholder="A name, a dish, a kind of place"
        autocomplete="off"
        spellcheck="false"
      />
    </div>
    ${choice('category', 'Kind of place', 'Any kind', kinds, query.category, kindLabel)}
    ${areas.length > 0 && areaChoice(results)}
    ${query.wishes.length > 0 && html`<input type="hidden" name="wishes" value="${query.wishes.join(',')}" />`}
    ${query.reader.lang !== '' && html`<input type="hidden" name="lang" value="${query.reader.lang}" />`}
    <label class="check"
      ><input type="checkbox" name="open" value="1" ${query.open && html` checked`} /> Open now</label
    >
    <button class="button">Search</button>
  </form>`;
}

function choice(
  name: string,
  label: string,
  none: string,
  options: readonly string[],
  chosen: string,
  wording: (option: string) => string,
): Html {
  // A shared URL may name a finer value than the form offers; keep it as an option.
  const all = chosen === '' || options.includes(chosen) ? options : [...options, chosen];
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      <option value="">${none}</option>
      ${all.map(
        (option) =>
          html`<option value="${option}" ${option === chosen && html` selected`}>${wording(option)}</option>`,
      )}
    </select>
  </div>`;
}

function areaChoice({ query, areas }: DestinationResults): Html {
  const counts = new Map(areas.map(({ name, places }) => [name, places]));
  const wording = (area: string) => {
    const places = counts.get(area);
    return places === undefined ? area : `${area} (${formatNumber(places)})`;
  };
  return choice('area', 'Area', 'Anywhere', [...counts.keys()], query.area, wording);
}

/** Renders the areas as links: one tap instead of three. */
export function areaLinks(slug: string, { query, areas }: DestinationResults): Html {
  return html`<nav class="areas" aria-label="Areas">
    <ul>
      ${areas.map(({ name: area, places }) => {
        const chosen = area === query.area;
        const href = `${destinationUrl(slug, query, { area: chosen ? '' : area })}#places`;
        return html`<li>
          <a class="chip" href="${href}" ${chosen && html` aria-current="true"`}
            ><bdi>${area}</bdi>
            <span class="number">${formatNumber(places)}</span
            >${chosen && html`<span class="unseen"> (chosen; show all areas)</span>`}</a
          >
        </li>`;
      })}
    </ul>
  </nav>`;
}

/** Renders the features as links: several may be chosen, and a place must have all of them. */
export function wishLinks(slug: string, { query, wishes }: DestinationResults): Html {
  const choices = [...new Set([...wishes, ...query.wishes])];
  return html`<nav class="areas" aria-label="What a place must have">
    <ul>
      ${choices.map((wish) => {
        const chosen = query.wishes.includes(wish);
        const others = query.wishes.filter((one) => one !== wish);
        const href = `${destinationUrl(slug, query, { wishes: chosen ? others : [...others, wish] })}#places`;
        return html`<li>
          <a class="chip" href="${href}" rel="nofollow" ${chosen && html` aria-current="true"`}
            >${WISH_WORDS[wish]}${chosen && html`<span class="unseen"> (chosen; remove it)</span>`}</a
          >
        </li>`;
      })}
    </ul>
  </nav>`;
}
