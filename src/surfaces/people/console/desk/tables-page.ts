import { cutTyped } from '../../../../core/text/visible-text.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  listUpcomingTables,
  withdrawTable,
  type UpcomingTable,
} from '../../../../bookings/answering/upcoming-tables.ts';
import { STAFF_CHANNEL } from '../../../../bookings/channels/channels.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
import type { Deps } from '../../../../core/context.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { isDay } from '../../../../core/time.ts';
import { textField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { table } from '../../frame/table.ts';
import { conflict, type Action } from '../../person/action.ts';
import { doneNotice, type PageRequest, type PageState } from '../../person/page-request.ts';
import { DESK_ROLES, staff, type Staff } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { linkToBooking, venueLink } from '../bookings/booking-words.ts';
import { sendConsolePage } from '../console-page.ts';

const PATH = '/console/desk/tables';
const SHOWN_MAX = 50;
const SEARCH_MAX = 120;

const DONE = { cancelled: 'The table is cancelled, and the partner is notified. The venue knows already.' };

/**
 * Adds the list of confirmed tables, where the desk cancels a table for a venue that calls because it cannot keep it.
 */
export function addUpcomingTables(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: PATH,
    who: staff(DESK_ROLES),
    show: (req) => sendTablesPage(req, { notice: doneNotice(req.query, DONE) }),
  });
  addActions(scope, deps, cancel);
}

const cancelFields = z.object({ revision: z.coerce.number().int() });

const cancel: Action<Staff, typeof cancelFields> = {
  name: 'cancel_for_venue',
  path: `${PATH}/:id/cancel`,
  who: staff(DESK_ROLES),
  form: cancelFields,
  async run(act, { revision }) {
    const bookingId = act.params['id'] ?? '';
    const withdrawal = { bookingId, revision, actor: 'desk', channel: STAFF_CHANNEL } as const;
    if ((await withdrawTable(act.db, act, withdrawal)) !== 'cancelled')
      conflict(
        'This table has changed since the page was loaded. The page now shows its current state; nothing was changed.',
      );
    return { to: `${PATH}?done=cancelled` };
  },
  page: sendTablesPage,
};

async function sendTablesPage(req: PageRequest<Staff>, state: PageState): Promise<FastifyReply> {
  const search = cutTyped((req.query.get('q') ?? '').trim(), SEARCH_MAX);
  const requestedDate = req.query.get('date') ?? '';
  const date = isDay(requestedDate) ? requestedDate : undefined;
  const filter = { search, ...(date !== undefined && { date }) };
  const tables = await listUpcomingTables(req.deps.pool, filter, { now: req.now, limit: SHOWN_MAX });
  if (state.status !== undefined) req.reply.code(state.status);
  return sendConsolePage(req, {
    title: 'Confirmed tables',
    current: '/console/desk',
    lead: 'A venue calls and cannot keep a table: find it here and cancel it for the venue. The partner is notified at once.',
    notice: state.notice,
    body: html`<form class="filters" method="get" action="${PATH}" role="search">
        ${textField({ name: 'q', label: 'Venue or booking', type: 'search', value: search, maxlength: SEARCH_MAX })}
        ${textField({ name: 'date', label: 'Day', type: 'date', value: date ?? '' })}
        <button class="button plain" type="submit">Find</button>
      </form>
      ${tables.length === 0 ? NONE : tableList(req, tables)}
      ${tables.length === SHOWN_MAX && html`<p class="soft">Only the next ${SHOWN_MAX} are shown: narrow the search.</p>`}
      <p><a href="/console/desk">Back to the calls</a></p>`,
  });
}

const NONE = html`<div class="empty">
  <h2>No confirmed table</h2>
  <p>No upcoming confirmed table matches this.</p>
</div>`;

function tableList(req: PageRequest<Staff>, tables: readonly UpcomingTable[]): Html {
  return table(
    { className: 'dense stack', columns: ['Venue', 'Table', 'Name', { unseen: 'Cancel' }] },
    tables.map((one) => row(req, one)),
  );
}

function row(req: PageRequest<Staff>, { booking, placeName }: UpcomingTable): Html {
  const { id, guestName, held, placeId, timezone } = booking;
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
    <td>${cancelForm(req, booking)}</td>
  </tr>`;
}

function cancelForm(req: PageRequest, { id, revision }: UpcomingTable['booking']): Html {
  const fields = html`<p>The partner is notified at once that there is no table. This cannot be undone.</p>
    <input type="hidden" name="revision" value="${revision}" />
    <button class="button danger small" type="submit">The venue cancels it</button>`;
  return html`<details>
    <summary>The venue cannot keep it</summary>
    ${form(req, `${PATH}/${id}/cancel`, fields)}
  </details>`;
}
