import { html, type Html } from '../../../../core/text/html.ts';
import { findAnyPlace, type FoundPlace } from '../../../../search/find-any-place.ts';
import { badge, emptyState, rowLink, softText, userText } from '../../frame/components.ts';
import { recordTable } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { definePage } from '../../person/page.ts';
import { allStaff } from '../../person/people.ts';
import { filterForm, readFilters } from '../list-page.ts';

const LIMIT = 40;
const PATH = '/console/places';
const FILTERS = { q: { label: 'Place', type: 'search', maxlength: 120 } } as const;

/** Searches all places, including closed ones. */
export const placesPage = definePage({
  path: PATH,
  who: allStaff,
  nav: { label: 'Places', key: 'p' },
  async load({ deps, query }) {
    const filter = readFilters(query, FILTERS);
    return { filter, places: await findAnyPlace(deps, filter.q ?? '', LIMIT) };
  },
  view: (_req, { filter, places }) => ({
    title: 'Places',
    lead: 'Find a place by its id, its name, or its name and its town.',
    body: html`${filterForm(PATH, { q: { ...FILTERS.q, autofocus: filter.q === undefined } }, filter, {
      button: 'Find',
      role: 'search',
    })}
    ${filter.q !== undefined && (places.length === 0 ? NONE : placeTable(places))}`,
  }),
});

const NONE = emptyState(
  'No place',
  'Nothing matches. A closed place is found by the beginning of its name, any place by its id.',
);

function placeTable(places: readonly FoundPlace[]): Html {
  return recordTable('dense stack rows', places, [
    [
      'Place',
      ({ id, name, vertical }) =>
        html`${rowLink(`${PATH}/${id}`, userText(name))} ${softText(sentenceCase(vertical))}`,
    ],
    [
      'Where',
      ({ address, city, country }) =>
        html`<bdi>${[address, city].filter((part) => part !== null).join(', ')}</bdi> ${country}`,
    ],
    ['State', (place) => placeBadges(place, 'Closed')],
    ['Source', ({ source }) => sentenceCase(source)],
  ]);
}

/** Shows the badge of a place, and whether it is removed or closed. */
export function placeBadges(
  place: Pick<FoundPlace, 'badge' | 'removed_at' | 'closed_at'>,
  closedLabel: string,
): Html {
  return html`${badge(place.badge === 'claimed' ? 'sign' : '', sentenceCase(place.badge))}
  ${place.removed_at !== null && badge('bad', 'Removed')}
  ${place.closed_at !== null && place.removed_at === null && badge('bad', closedLabel)}`;
}
