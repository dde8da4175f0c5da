import { listUpcomingTables, type UpcomingTable } from '../../../../bookings/answering/upcoming-tables.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { actionForm } from '../../form/action-form.ts';
import { badge, emptyState } from '../../frame/components.ts';
import { table } from '../../frame/table.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { deskStaff, type Staff } from '../../person/people.ts';
import { linkToBooking, venueLink } from '../bookings/booking-words.ts';
import { filterForm, readFilters } from '../list-page.ts';
import { cancelForVenueAt } from './booking-actions.ts';

const PATH = '/console/desk/tables';
const SHOWN_MAX = 50;
const FILTERS = {
  q: { label: 'Venue or booking', type: 'search', maxlength: 120 },
  date: { label: 'Day', type: 'date' },
} as const;

const cancel = cancelForVenueAt(`${PATH}/:id/cancel`);

/** Confirmed tables, where the desk cancels a table for a venue that calls because it cannot keep it. */
export const tablesPage = definePage({
  path: PATH,
  follows: () => ['bookings'],
  who: deskStaff,
  async load({ deps, query, now }) {
    const filter = readFilters(query, FILTERS);
    const search = { search: filter.q ?? '', ...(filter.date !== undefined && { date: filter.date }) };
    return { filter, tables: await listUpcomingTables(deps.pool, search, { now, limit: SHOWN_MAX }) };
  },
  view: (req, { filter, tables }, state) => ({
    title: 'Confirmed tables',
    lead: 'A venue calls and cannot keep a table: find it here and cancel it for the venue. The partner is notified at once.',
    body: html`${filterForm(PATH, FILTERS, filter, { button: 'Find', role: 'search' })}
      ${
        tables.length === 0
          ? NONE
          : table(
              { className: 'dense stack', columns: ['Venue', 'Table', 'Name', { unseen: 'Cancel' }] },
              tables.map((one) => row(req, one, state)),
            )
      }
      ${tables.length === SHOWN_MAX && html`<p class="soft">Only the next ${SHOWN_MAX} are shown: narrow the search.</p>`}
      <p><a href="/console/desk">Back to the calls</a></p>`,
  }),
  actions: [cancel],
});

const NONE = emptyState('No confirmed table', 'No upcoming confirmed table matches this.');

function row(req: PageRequest<Staff>, { booking, placeName }: UpcomingTable, state: PageState): Html {
  const { id, guestName, held, placeId, timezone, revision } = booking;
  const currentTable = held ?? booking;
  return html`<tr id="${id}">
    <th scope="row">${venueLink(placeId, placeName)}</th>
    <td>
      ${dayWords(currentTable.date)} at ${currentTable.time} for ${currentTable.partySize}
      <span class="soft">${timezone}</span>
      ${held !== null && badge('sign', 'A change is requested')} ${linkToBooking(id, 'Timeline')}
    </td>
    <td><bdi>${guestName}</bdi></td>
    <td>
      <details>
        <summary>The venue cannot keep it</summary>
        ${actionForm(req, cancel, state, { params: { id }, values: { revision: String(revision) } })}
      </details>
    </td>
  </tr>`;
}
