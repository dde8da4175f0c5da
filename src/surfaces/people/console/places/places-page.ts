import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { cutTyped } from '../../../../core/text/visible-text.ts';
import { findAnyPlace, type FoundPlace } from '../../../../search/find-any-place.ts';
import { textField } from '../../form/form-field.ts';
import { table } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { definePage } from '../../person/page.ts';
import { ALL_ROLES, staff } from '../../person/people.ts';

const LIMIT = 40;
const QUERY_MAX = 120;

/** Searches all places, including closed ones. */
export const placesPage = definePage({
  path: '/console/places',
  who: staff(ALL_ROLES),
  nav: { label: 'Places', key: 'p' },
  async load({ deps, query }) {
    const words = cutTyped(query.get('q') ?? '', QUERY_MAX);
    return { words, places: await findAnyPlace(deps, words, LIMIT) };
  },
  view: (_req, { words, places }) => ({
    title: 'Places',
    lead: 'Find a place by its id, its name, or its name and its town.',
    body: html`<form class="filters" method="get" action="/console/places" role="search">
        ${textField({ name: 'q', label: 'Place', type: 'search', value: words, maxlength: QUERY_MAX, autofocus: words === '' })}
        <button class="button plain" type="submit">Find</button>
      </form>
      ${words.trim() !== '' && (places.length === 0 ? NONE : placeTable(places))}`,
  }),
});

const NONE = html`<div class="empty">
  <h2>No place</h2>
  <p>Nothing matches. A closed place is found by the beginning of its name, any place by its id.</p>
</div>`;

function placeTable(places: readonly FoundPlace[]): Html {
  return table(
    { className: 'dense stack rows', columns: ['Place', 'Where', 'State', 'Source'] },
    places.map(
      (place) =>
        html`<tr>
          <th scope="row">
            <a data-row href="${safeHref(`/console/places/${place.id}`)}"><bdi>${place.name}</bdi></a>
            <span class="soft">${sentenceCase(place.vertical)}</span>
          </th>
          <td>
            <bdi>${[place.address, place.city].filter((part) => part !== null).join(', ')}</bdi>
            ${place.country}
          </td>
          <td>
            <span class="badge${place.badge === 'claimed' && ' sign'}">${sentenceCase(place.badge)}</span>
            ${place.removed_at !== null && html`<span class="badge bad">Removed</span>`}
            ${
              place.closed_at !== null &&
              place.removed_at === null &&
              html`<span class="badge bad">Closed</span>`
            }
          </td>
          <td>${sentenceCase(place.source)}</td>
        </tr>`,
    ),
  );
}
