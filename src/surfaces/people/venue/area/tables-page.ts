import { z } from 'zod';
import { undoVenueAnswer } from '../../../../bookings/answering/undo-venue-answer.ts';
import { listUpcomingTables, withdrawTable } from '../../../../bookings/answering/upcoming-tables.ts';
import { recordVenueAnswer } from '../../../../bookings/answering/venue-answer.ts';
import {
  listVenueTables,
  type OpenRequest,
  type VenueTables,
} from '../../../../bookings/answering/venue-tables.ts';
import { findBooking } from '../../../../bookings/booking-row.ts';
import type { Booking, TableRequest } from '../../../../bookings/booking.ts';
import { isChannelKind } from '../../../../bookings/channels/channels.ts';
import { ENGLISH } from '../../../../bookings/language/venue-language.ts';
import { dayWords, momentValues } from '../../../../bookings/table-words.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, pressedInput, textInput } from '../../form/fields.ts';
import { badge, userText, valueButton } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { recordTable } from '../../frame/table.ts';
import {
  conflict,
  defineAction,
  refuse,
  type ActionContext,
  type ActionResult,
} from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { definePage } from '../../person/page.ts';
import { venue, type Venue } from '../../person/people.ts';

const PATH = '/venue/tables';
const CHANGED_MEANWHILE =
  'This table has changed since the page was loaded. The page now shows its current state; nothing was changed.';

const TOO_LATE = 'This request is no longer open. Your answer is recorded, and nothing else was changed.';

/** The table at the revision that the page showed. */
const shownTable = {
  booking: hiddenInput(z.string().max(40)),
  revision: hiddenInput(z.coerce.number().int()),
};

const cancel = defineAction({
  name: 'cancel_table',
  path: PATH,
  who: venue,
  help: 'The guest is informed at once that there is no table. This cannot be undone.',
  fields: shownTable,
  danger: true,
  done: { cancelled: 'The table is cancelled. The guest is informed.' },
  async run(act, { booking: bookingId, revision }) {
    const placeId = act.person.place.id;
    const withdrawal = { bookingId, revision, placeId, actor: 'venue', channel: null } as const;
    if ((await withdrawTable(act.db, act, withdrawal)) !== 'cancelled') conflict(CHANGED_MEANWHILE);
    return { done: 'cancelled' };
  },
});

const answerTable = defineAction({
  name: 'record_venue_answer',
  path: `${PATH}/answer`,
  who: venue,
  fields: { ...shownTable, answer: pressedInput(['yes', 'no']) },
  done: {
    yes: 'You said yes: the table is booked, and the guest is informed.',
    no: 'You said no. The guest is informed.',
    yes_change: 'You said yes: the table is changed, and the guest is informed.',
    no_change: 'The table stays as it was. The guest has been informed.',
  },
  run: (act, { booking, ...answer }) => recordAnswer(act, booking, answer),
});

const offerTable = defineAction({
  name: 'record_venue_answer',
  path: `${PATH}/offer`,
  who: venue,
  fields: {
    ...shownTable,
    offer_date: textInput(z.literal('').or(z.iso.date('must be a date, such as 2026-11-20')), {
      label: 'Day',
      type: 'date',
    }),
    offer_time: textInput(
      z.literal('').or(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, such as 20:15')),
      { label: 'Time', type: 'time', required: true },
    ),
  },
  button: 'Offer this time',
  done: { offer: 'Your offer is passed on. The answer will appear here.' },
  run: (act, { booking, revision, offer_date: date, offer_time: time }) =>
    recordAnswer(act, booking, { revision, answer: 'offer', offer: { time, ...(date !== '' && { date }) } }),
});

const undo = defineAction({
  name: 'undo_venue_answer',
  path: `${PATH}/undo`,
  who: venue,
  fields: { booking: shownTable.booking },
  button: 'Undo',
  done: { undone: 'Your answer is undone. The request is waiting for you again.' },
  async run(act, { booking: bookingId }) {
    await ownBooking(act, bookingId);
    const { outcome } = await undoVenueAnswer(act.db, act, { bookingId });
    if (outcome !== 'moved') conflict('This can no longer be undone. Your answer stays.');
    return { done: 'undone' };
  },
});

/** Actions of a venue on its tables. They call the same functions as the link in a message. */
const TABLE_ACTIONS = [cancel, answerTable, offerTable, undo] as const;

async function recordAnswer(
  act: ActionContext<Venue>,
  bookingId: string,
  given: { revision: number; answer: 'yes' | 'no' | 'offer'; offer?: { time: string; date?: string } },
): Promise<ActionResult> {
  const booking = await ownBooking(act, bookingId);
  // The venue's own booking system answers this request: a second answer would create a second table.
  if (isChannelKind(booking.channel, 'system')) conflict(CHANGED_MEANWHILE);
  const outcome = await recordVenueAnswer(act.db, act, { bookingId, actor: 'venue', ...given });
  if (outcome.outcome === 'invalid') refuse({ faults: { offer_time: outcome.detail } });
  if (outcome.outcome === 'already') act.unchanged();
  // Returns instead of throwing: the late answer is recorded in the booking's timeline, so the transaction must commit.
  else if (outcome.outcome === 'late')
    return { again: { status: 409, notice: { kind: 'bad', text: TOO_LATE } } };
  else if (outcome.outcome !== 'moved') conflict(CHANGED_MEANWHILE);
  const change = booking.held !== null && given.answer !== 'offer';
  return { done: `${given.answer}${change ? '_change' : ''}` };
}

/** Finds a booking and refuses one of another venue. */
async function ownBooking({ db, person }: ActionContext<Venue>, id: string): Promise<Booking> {
  const booking = await findBooking(db, id);
  return booking?.placeId === person.place.id ? booking : conflict(CHANGED_MEANWHILE);
}

function tableLine({ date, time, partySize }: TableRequest): string {
  return `${dayWords(date)}, ${time}, for ${partySize}`;
}

function momentLine(at: Date, timeZone: string): string {
  const { weekday, time } = momentValues(at, timeZone, ENGLISH);
  return `${weekday}, ${time}`;
}

/** Shows one request with the answers that the venue can give. */
function requestCard(req: PageRequest<Venue>, request: OpenRequest, state: PageState): Html {
  const { booking, offer, answerable } = request;
  const { guestName, notes, held, answerBy, timezone } = booking;
  const isSubmitted = state.form?.get('booking') === booking.id;
  return html`<li class="card flow" id="${booking.id}">
    <h3>${dayWords(booking.date)}, ${booking.time}</h3>
    ${definitionList('record', [
      ['Guests', booking.partySize],
      ['Name', userText(guestName)],
      ['Note', notes && userText(notes)],
      ['Instead of', held && tableLine(held)],
      ['You offered', offer !== undefined && tableLine(offer)],
      ['Answer by', answerable && answerBy !== null && momentLine(answerBy, timezone)],
    ])}
    ${answerable ? answerForms(req, booking, isSubmitted ? state : {}) : waiting(req, request)}
  </li>`;
}

function waiting(req: PageRequest<Venue>, { booking }: OpenRequest): Html {
  if (booking.status !== 'offered')
    return html`<p>Your own booking system is being asked and answers automatically.</p>`;
  return html`<p>The guest has received your offer and has not answered yet.</p>
    ${cancelForm(req, booking, 'offer')}`;
}

/** Form to cancel a promised or offered table. It is available until the time of the table. */
function cancelForm(req: PageRequest<Venue>, booking: Booking, what: 'table' | 'offer'): Html {
  const button = what === 'table' ? 'Cancel the table' : 'Withdraw the offer';
  return html`<details class="quiet">
    <summary>We cannot keep this ${what}</summary>
    ${actionForm(req, cancel, {}, { values: shownValues(booking), button, className: 'flow' })}
  </details>`;
}

function answerForms(req: PageRequest<Venue>, booking: Booking, state: PageState): Html {
  const { id, held, date } = booking;
  const [yes, no] = held === null ? ['Yes', 'No'] : ['Yes, change it', 'No, as it was'];
  const values = shownValues(booking);
  const buttons = html`${valueButton('answer', 'yes', yes)} ${valueButton('answer', 'no', no, 'plain')}`;
  return html`${actionForm(req, answerTable, {}, { values, buttons })}
    <details class="quiet" ${state.faults !== undefined && html` open`}>
      <summary>Offer another time</summary>
      ${actionForm(req, offerTable, state, { values: { ...values, offer_date: date }, idPrefix: id, className: 'flow' })}
    </details>`;
}

function shownValues({ id, revision }: Booking) {
  return { booking: id, revision: String(revision) };
}

const ANSWERED: Partial<Record<Booking['status'], string>> = {
  confirmed: 'You said yes',
  declined: 'You said no',
  offered: 'You offered another time',
};

/** Describes the venue's answer. After a no to a change, the status is confirmed although the answer was not yes. */
function answeredWords({ status, reverted }: Booking): string {
  if (status === 'confirmed' && reverted) return 'You said no to the change. The table stays as it was';
  return ANSWERED[status] ?? 'You answered';
}

/** Shows the venue's last answer with an undo button, for a short time. */
function undoCard(req: PageRequest<Venue>, booking: Booking): Html {
  return html`<li class="card flow">
    <p>
      <strong>${answeredWords(booking)}:</strong> ${tableLine(booking)}. You can undo this for two minutes.
    </p>
    ${actionForm(req, undo, {}, { values: { booking: booking.id } })}
  </li>`;
}

const SHOWN_MAX = 200;
const OVER_MAX = 50;

/** The venue's open requests, confirmed tables and past ones. */
export const venueTablesPage = definePage({
  path: '/venue/tables',
  follows: ({ person }) => [person.place.id],
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
        <p><a href="/venue/rules">Your rules</a>: closed days, full evenings, party size and notice.</p>
        <p><a href="/venue/terms">Your terms</a>: deposit, cancellation, children and others.</p>
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
      ['Name', userText(guestName)],
      ['Note', notes && userText(notes)],
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
  return html`${recordTable('stack', over, [
    ['Table', tableLine],
    [
      'Outcome',
      ({ status, reason }) =>
        badge(ENDS[status][0], reason === 'venue_cancelled' ? 'Cancelled by you' : ENDS[status][1]),
    ],
    ['Name', ({ status, guestName }) => status === 'confirmed' && userText(guestName)],
  ])}
  ${over.length === OVER_MAX && html`<p class="soft">The last ${OVER_MAX} are shown.</p>`}`;
}
