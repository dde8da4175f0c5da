import { listUpcomingTables } from '../../../../bookings/answering/upcoming-tables.ts';
import { listVenueTables, type VenueTables } from '../../../../bookings/answering/venue-tables.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { table } from '../../frame/table.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { cancelForm, requestCard, tableLine, TABLE_ACTIONS, undoCard } from './request-cards.ts';

const SHOWN_MAX = 200;
const OVER_MAX = 50;

/** The venue's open requests, confirmed tables and past ones. */
export const venueTablesPage = definePage({
  path: '/venue/tables',
  who: venue,
  load: ({ deps: { pool }, person: { place }, now }) =>
    Promise.all([
      listVenueTables(pool, place.id, { now, overMax: OVER_MAX }),
      listUpcomingTables(pool, { placeId: place.id }, { now, limit: SHOWN_MAX }),
    ]),
  view(req, [tables, promised], state) {
    const { open, over, undoable } = tables;
    return {
      title: 'Requests and tables',
      lead: `Requests of guests through us, in the local time of ${req.person.destination.name}. Nothing is booked before you say yes.`,
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
    };
  },
  actions: TABLE_ACTIONS,
});

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
