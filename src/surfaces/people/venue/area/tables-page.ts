import type { FastifyInstance, FastifyReply } from 'fastify';
import { listUpcomingTables } from '../../../../bookings/answering/upcoming-tables.ts';
import { listVenueTables, type VenueTables } from '../../../../bookings/answering/venue-tables.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
import type { Deps } from '../../../../core/context.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { sendFrame } from '../../frame/frame.ts';
import { table } from '../../frame/table.ts';
import { doneNotice, type PageRequest, type PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { cancelForm, requestCard, tableLine, TABLES_PATH, undoCard } from './request-cards.ts';
import { tableActions } from './table-actions.ts';

const SHOWN_MAX = 200;
const OVER_MAX = 50;

const DONE = {
  cancelled: 'The table is cancelled. The guest is informed.',
  yes: 'You said yes: the table is booked, and the guest is informed.',
  no: 'You said no. The guest is informed.',
  yes_change: 'You said yes: the table is changed, and the guest is informed.',
  no_change: 'The table stays as it was. The guest has been informed.',
  offer: 'Your offer is passed on. The answer will appear here.',
  undone: 'Your answer is undone. The request is waiting for you again.',
};

/** Adds the venue's page of open requests, confirmed tables and past ones. */
export function addVenueTables(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: TABLES_PATH,
    who: venue,
    show: (req) => sendTablesPage(req, { notice: doneNotice(req.query, DONE) }),
  });
  addActions(scope, deps, ...tableActions(sendTablesPage));
}

async function sendTablesPage(req: PageRequest<Venue>, state: PageState): Promise<FastifyReply> {
  const { place, destination } = req.person;
  const { pool } = req.deps;
  const [tables, promised] = await Promise.all([
    listVenueTables(pool, place.id, { now: req.now, overMax: OVER_MAX }),
    listUpcomingTables(pool, { placeId: place.id }, { now: req.now, limit: SHOWN_MAX }),
  ]);
  const { open, over, undoable } = tables;
  return sendFrame(req, 'venue', {
    title: 'Requests and tables',
    lead: `Requests of guests through us, in the local time of ${destination.name}. Nothing is booked before you say yes.`,
    current: TABLES_PATH,
    notice: state.notice,
    status: state.status,
    body: html`${section('requests', 'Requests to answer', open.length + undoable.length === 0 ? NO_REQUEST : requests(req, tables, state))}
      ${section(
        'coming',
        'Coming tables',
        promised.length === 0
          ? NONE
          : html`<ul class="columns">
              ${promised.map(({ booking }) => tableCard(req, booking))}
            </ul>`,
      )}
      ${section('over', 'Past requests and tables', over.length === 0 ? NOTHING_BEFORE : overTable(over))}
      <p><a href="/venue">Back to your listing</a></p>`,
  });
}

function section(id: string, title: string, content: Html): Html {
  return html`<section class="flow" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

const NO_REQUEST = html`<p class="empty">
  No requests are waiting. A request appears here as soon as a guest asks for a table.
</p>`;

const NONE = html`<p class="empty">
  There are no upcoming tables. Tables that you confirmed appear here until their time.
</p>`;

const NOTHING_BEFORE = html`<p class="empty">Past tables and unsuccessful requests appear here.</p>`;

function requests(req: PageRequest<Venue>, { open, undoable }: VenueTables, state: PageState): Html {
  return html`<ul class="columns">
    ${undoable.map((booking) => undoCard(req, booking))}
    ${open.map((request) => requestCard(req, request, state))}
  </ul>`;
}

function tableCard(req: PageRequest<Venue>, booking: Booking): Html {
  const { guestName, notes, held } = booking;
  const currentTable = held ?? booking;
  return html`<li class="card flow">
    <h3>${dayWords(currentTable.date)}, ${currentTable.time}</h3>
    ${definitionList('record', [
      ['Guests', currentTable.partySize],
      ['Name', html`<bdi>${guestName}</bdi>`],
      ['Note', notes && html`<bdi>${notes}</bdi>`],
      ['Asked instead', held && tableLine(booking)],
    ])}
    ${cancelForm(req, booking, 'table')}
  </li>`;
}

const ENDS: Readonly<Record<Booking['status'], readonly [kind: string, word: string]>> = {
  sent: ['', 'Not answered'],
  asking: ['', 'Not answered'],
  offered: ['', 'Your offer was not accepted'],
  confirmed: ['good', 'Confirmed'],
  declined: ['', 'You said no'],
  no_answer: ['', 'Not answered'],
  cancelled: ['', 'Cancelled'],
};

/** Lists past tables. For those that did not take place, the venue sees the table but no guest data. */
function overTable(over: readonly Booking[]): Html {
  return html`${table(
    { className: 'stack', columns: ['Table', 'Outcome', 'Name'] },
    over.map((booking) => {
      const { status, guestName, reason } = booking;
      const [kind, word] = ENDS[status];
      return html`<tr>
        <th scope="row">${tableLine(booking)}</th>
        <td>
          <span class="badge ${kind}">${reason === 'venue_cancelled' ? 'Cancelled by you' : word}</span>
        </td>
        <td>${status === 'confirmed' && html`<bdi>${guestName}</bdi>`}</td>
      </tr>`;
    }),
  )}
  ${over.length === OVER_MAX && html`<p class="soft">The last ${OVER_MAX} are shown.</p>`}`;
}
