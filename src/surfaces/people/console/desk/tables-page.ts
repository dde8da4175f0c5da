import { z } from 'zod';
import {
  listUpcomingTables,
  withdrawTable,
  type UpcomingTable,
} from '../../../../bookings/answering/upcoming-tables.ts';
import { STAFF_CHANNEL } from '../../../../bookings/channels/channels.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { cutTyped } from '../../../../core/text/visible-text.ts';
import { isDay } from '../../../../core/time.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput } from '../../form/fields.ts';
import { textField } from '../../form/form-field.ts';
import { table } from '../../frame/table.ts';
import { conflict, defineAction } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { DESK_ROLES, staff, type Staff } from '../../person/people.ts';
import { linkToBooking, venueLink } from '../bookings/booking-words.ts';

const PATH = '/console/desk/tables';
const SHOWN_MAX = 50;
const SEARCH_MAX = 120;

const cancel = defineAction({
  name: 'cancel_for_venue',
  path: `${PATH}/:id/cancel`,
  who: staff(DESK_ROLES),
  help: 'The partner is notified at once that there is no table. This cannot be undone.',
  fields: { revision: hiddenInput(z.coerce.number().int()) },
  button: 'The venue cancels it',
  danger: true,
  done: 'The table is cancelled, and the partner is notified. The venue knows already.',
  async run(act, { revision }) {
    const bookingId = act.params['id'] ?? '';
    const withdrawal = { bookingId, revision, actor: 'desk', channel: STAFF_CHANNEL } as const;
    if ((await withdrawTable(act.db, act, withdrawal)) !== 'cancelled')
      conflict(
        'This table has changed since the page was loaded. The page now shows its current state; nothing was changed.',
      );
    return { done: true };
  },
});

/** Confirmed tables, where the desk cancels a table for a venue that calls because it cannot keep it. */
export const tablesPage = definePage({
  path: PATH,
  who: staff(DESK_ROLES),
  async load({ deps, query, now }) {
    const search = cutTyped((query.get('q') ?? '').trim(), SEARCH_MAX);
    const requestedDate = query.get('date') ?? '';
    const date = isDay(requestedDate) ? requestedDate : undefined;
    const filter = { search, ...(date !== undefined && { date }) };
    const tables = await listUpcomingTables(deps.pool, filter, { now, limit: SHOWN_MAX });
    return { search, date, tables };
  },
  view: (req, { search, date, tables }, state) => ({
    title: 'Confirmed tables',
    lead: 'A venue calls and cannot keep a table: find it here and cancel it for the venue. The partner is notified at once.',
    body: html`<form class="filters" method="get" action="${PATH}" role="search">
        ${textField({ name: 'q', label: 'Venue or booking', type: 'search', value: search, maxlength: SEARCH_MAX })}
        ${textField({ name: 'date', label: 'Day', type: 'date', value: date ?? '' })}
        <button class="button plain" type="submit">Find</button>
      </form>
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

const NONE = html`<div class="empty">
  <h2>No confirmed table</h2>
  <p>No upcoming confirmed table matches this.</p>
</div>`;

function row(req: PageRequest<Staff>, { booking, placeName }: UpcomingTable, state: PageState): Html {
  const { id, guestName, held, placeId, timezone, revision } = booking;
  const currentTable = held ?? booking;
  return html`<tr id="${id}">
    <th scope="row">${venueLink(placeId, placeName)}</th>
    <td>
      ${dayWords(currentTable.date)} at ${currentTable.time} for ${currentTable.partySize}
      <span class="soft">${timezone}</span>
      ${held !== null && html`<span class="badge sign">A change is requested</span>`}
      ${linkToBooking(id, 'Timeline')}
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
