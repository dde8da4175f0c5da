import { cutTyped } from '../../../../core/text/visible-text.ts';
import type { FastifyReply } from 'fastify';
import { findAnyPlace, type FoundPlace } from '../../../../search/find-any-place.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { textField } from '../../form/form-field.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { sendConsolePage } from '../console-page.ts';
import type { PageRequest } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';
import { table } from '../../frame/table.ts';

const LIMIT = 40;
const QUERY_MAX = 120;

/** Searches all places, including closed ones. */
export async function sendPlacesPage(req: PageRequest<Staff>): Promise<FastifyReply> {
  const words = cutTyped(req.query.get('q') ?? '', QUERY_MAX);
  const places = await findAnyPlace(req.deps, words, LIMIT);
  return sendConsolePage(req, {
    title: 'Places',
    current: '/console/places',
    lead: 'Find a place by its id, its name, or its name and its town.',
    body: html`<form class="filters" method="get" action="/console/places" role="search">
        ${textField({ name: 'q', label: 'Place', type: 'search', value: words, maxlength: QUERY_MAX, autofocus: words === '' })}
        <button class="button plain" type="submit">Find</button>
      </form>
      ${words.trim() !== '' && (places.length === 0 ? NONE : placeTable(places))}`,
  });
}

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
