import { z } from 'zod';
import { CLOCK_TIME } from '../../../../core/time.ts';
import { undoVenueAnswer } from '../../../../bookings/answering/undo-venue-answer.ts';
import { withdrawTable } from '../../../../bookings/answering/upcoming-tables.ts';
import type { OfferFault } from '../../../../bookings/answering/answer-outcome.ts';
import { recordVenueAnswer, type VenueAnswer } from '../../../../bookings/answering/venue-answer.ts';
import type { OpenRequest, VenueTables } from '../../../../bookings/answering/venue-tables.ts';
import { findBooking } from '../../../../bookings/booking-row.ts';
import type { Booking, TableRequest } from '../../../../bookings/booking.ts';
import { isChannelKind } from '../../../../bookings/channels/channels.ts';
import { isWaiting } from '../../../../bookings/waiting/waiting.ts';
import { dayWords, momentValues } from '../../../../bookings/table-words.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, pressedInput, textInput } from '../../form/fields.ts';
import { userText, valueButton } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import {
  conflict,
  defineAction,
  refuse,
  type ActionContext,
  type ActionResult,
} from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { areaLanguage, withFaults, type AreaLanguage } from '../language/area-language.ts';

/** The table at the revision that the page showed. */
const shownTable = {
  booking: hiddenInput(z.string().max(40)),
  revision: hiddenInput(z.coerce.number().int()),
};

export type TableActions = ReturnType<typeof tableActions>;

/** Actions of a venue on its tables, for the page below whose path they are. They do the same as the link in a message. */
export function tableActions(base: string) {
  return {
    cancel: defineAction({
      name: 'cancel_table',
      path: base,
      who: venue,
      fields: shownTable,
      danger: true,
      async run(act, { booking: bookingId, revision }) {
        const placeId = act.person.place.id;
        const withdrawal = { bookingId, revision, placeId, actor: 'venue', channel: null } as const;
        if ((await withdrawTable(act.db, act, withdrawal)) !== 'cancelled') changedMeanwhile(act);
        return { done: 'cancelled' };
      },
    }),
    answer: defineAction({
      name: 'record_venue_answer',
      path: `${base}/answer`,
      who: venue,
      fields: { ...shownTable, answer: pressedInput(['yes', 'no', 'free', 'none_free']) },
      run: (act, { booking, ...answer }) => recordAnswer(act, booking, answer),
    }),
    offer: defineAction({
      name: 'record_venue_answer',
      path: `${base}/offer`,
      who: venue,
      fields: {
        ...shownTable,
        offer_date: textInput(z.literal('').or(z.iso.date()), { label: 'Day', type: 'date' }),
        offer_time: textInput(z.literal('').or(z.string().regex(CLOCK_TIME)), {
          label: 'Time',
          type: 'time',
          required: true,
        }),
      },
      run: (act, { booking, revision, offer_date: date, offer_time: time }) =>
        recordAnswer(act, booking, {
          revision,
          answer: 'offer',
          offer: { time, ...(date !== '' && { date }) },
        }),
    }),
    undo: defineAction({
      name: 'undo_venue_answer',
      path: `${base}/undo`,
      who: venue,
      fields: { booking: shownTable.booking },
      async run(act, { booking: bookingId }) {
        await ownBooking(act, bookingId);
        const { outcome } = await undoVenueAnswer(act.db, act, { bookingId });
        if (outcome !== 'moved') conflict(areaLanguage(act).area('fault.undoLate'));
        return { done: 'undone' };
      },
    }),
  };
}

/** Messages of these actions, by the keys with which they lead back to the page. */
export function tableMessages({ text, area }: AreaLanguage): Readonly<Record<string, string>> {
  return {
    yes: text('outcome.booked.text'),
    no: text('outcome.declined.text'),
    yes_change: text('outcome.changed.text'),
    no_change: text('outcome.changeDeclined.text'),
    offer: text('outcome.offered.text'),
    free: text('outcome.offered.text'),
    none_free: text('outcome.declined.text'),
    waits: text('outcome.waiting.text'),
    cancelled: text('outcome.venueCancelled.text'),
    undone: area('done.undone'),
  };
}

async function recordAnswer(
  act: ActionContext<Venue>,
  bookingId: string,
  given: Pick<VenueAnswer, 'revision' | 'offer'> & { answer: 'yes' | 'no' | 'offer' | 'free' | 'none_free' },
): Promise<ActionResult> {
  const language = areaLanguage(act);
  const booking = await ownBooking(act, bookingId);
  // The venue's own booking system answers this request: a second answer would create a second table. Once it has said
  // no, people may offer a table to a guest who waits.
  if (isChannelKind(booking.channel, 'system') && !isWaiting(booking)) changedMeanwhile(act);
  const outcome = await recordVenueAnswer(act.db, act, { bookingId, actor: 'venue', ...given });
  if (outcome.outcome === 'invalid') refuse({ faults: { offer_time: offerFault(language, outcome.fault) } });
  if (outcome.outcome === 'already') act.unchanged();
  // Returns instead of throwing: the late answer is recorded in the booking's timeline, so the transaction must commit.
  else if (outcome.outcome === 'late')
    return { again: { status: 409, notice: { kind: 'bad', text: language.area('fault.late') } } };
  else if (outcome.outcome !== 'moved') changedMeanwhile(act);
  if (given.answer === 'no' && outcome.outcome === 'moved' && outcome.status === 'asking')
    return { done: 'waits' };
  const change = booking.held !== null && given.answer !== 'offer';
  // A time of the requested window is a yes.
  const said = given.answer === 'offer' && outcome.status === 'confirmed' ? 'yes' : given.answer;
  return { done: `${said}${change ? '_change' : ''}` };
}

function changedMeanwhile(act: ActionContext<Venue>): never {
  conflict(areaLanguage(act).text('fault.meanwhile'));
}

/** The party size of an offer is always the requested one, so it is never at fault. */
function offerFault({ text, area }: AreaLanguage, fault: OfferFault | undefined): string {
  switch (fault) {
    case 'passed':
      return text('fault.passed');
    case 'too_far':
      return text('fault.tooFar');
    case 'same':
      return text('fault.same');
    default:
      return area('fault.incomplete');
  }
}

/** Finds a booking and refuses one of another venue. */
async function ownBooking(act: ActionContext<Venue>, id: string): Promise<Booking> {
  const booking = await findBooking(act.db, id);
  return booking?.placeId === act.person.place.id ? booking : changedMeanwhile(act);
}

export function tableLine(table: TableRequest, language: AreaLanguage): string {
  const day = dayWords(table.date, language);
  return language.area('table.line', { day, time: timesOf(table), people: table.partySize });
}

export function timesOf({ time, timeUntil }: TableRequest): string {
  return timeUntil ? `${time} – ${timeUntil}` : time;
}

/** Shows the requests that the venue can answer, and its last answers, which it can undo for a short time. */
export function requestList(
  req: PageRequest<Venue>,
  actions: TableActions,
  { open, undoable }: Pick<VenueTables, 'open' | 'undoable'>,
  state: PageState,
): Html {
  const language = areaLanguage(req);
  if (open.length + undoable.length === 0)
    return html`<p class="empty">${language.area('requests.none')}</p>`;
  return html`${
    open.length > 0 &&
    html`<ul class="columns">
      ${open.map((request) => requestCard(req, actions, request, { language, state }))}
    </ul>`
  }
  ${
    undoable.length > 0 &&
    html`<ul class="answered">
      ${undoable.map((booking) => undoRow(req, actions, booking, language))}
    </ul>`
  }`;
}

interface Shown {
  language: AreaLanguage;
  state: PageState;
}

/** Shows one request with the answers that the venue can give. */
function requestCard(
  req: PageRequest<Venue>,
  actions: TableActions,
  request: OpenRequest,
  { language, state }: Shown,
): Html {
  const { text, area } = language;
  const { booking, offer, answerable } = request;
  const { guestName, notes, held, answerBy, timezone } = booking;
  const isSubmitted = state.form?.get('booking') === booking.id;
  const answerForms = () => answers(req, actions, booking, { language, state: isSubmitted ? state : {} });
  return html`<li class="card flow" id="${booking.id}">
    <h3>${dayWords(booking.date, language)}, ${timesOf(booking)}</h3>
    ${definitionList('record', [
      [text('page.guests'), booking.partySize],
      [text('page.name'), userText(guestName)],
      [text('page.note'), notes && userText(notes)],
      [area('request.instead'), held && tableLine(held, language)],
      [area('request.offered'), offer !== undefined && tableLine(offer, language)],
      [area('request.answerBy'), answerable && answerBy !== null && momentLine(answerBy, timezone, language)],
    ])}
    ${answerable ? answerForms() : waiting(req, actions, request, language)}
  </li>`;
}

function momentLine(at: Date, timeZone: string, language: AreaLanguage): string {
  const { weekday, time } = momentValues(at, timeZone, language);
  return `${weekday}, ${time}`;
}

function waiting(
  req: PageRequest<Venue>,
  actions: TableActions,
  { booking }: OpenRequest,
  language: AreaLanguage,
): Html {
  const { area } = language;
  if (booking.status !== 'offered') return html`<p>${area('request.system')}</p>`;
  return html`<p>${area('request.offerWaits')}</p>
    ${cancelForm(req, actions, booking, language)}`;
}

/** Form to cancel a promised or offered table. It is available until the time of the table. */
function cancelForm(
  req: PageRequest<Venue>,
  { cancel }: TableActions,
  booking: Booking,
  { text, area }: AreaLanguage,
): Html {
  const isOffer = booking.status === 'offered' && booking.held === null;
  return html`<details class="quiet">
    <summary>${isOffer ? area('offer.cannotKeep') : text('form.cannotKeep')}</summary>
    ${actionForm(
      req,
      cancel,
      {},
      {
        values: shownValues(booking),
        help: text('form.cancelMeans'),
        button: isOffer ? area('offer.withdraw') : text('form.cancelNow'),
        className: 'flow',
      },
    )}
  </details>`;
}

function answers(
  req: PageRequest<Venue>,
  actions: TableActions,
  booking: Booking,
  { language, state }: Shown,
): Html {
  const { text, area } = language;
  const { held, time, timeUntil } = booking;
  const isChange = held !== null;
  const yes = timeUntil === null ? area('request.yes') : `${text('form.yesAt')} ${time}`;
  const values = shownValues(booking);
  const buttons = html`${valueButton('answer', 'yes', isChange ? area('request.yesChange') : yes)}
  ${valueButton('answer', 'no', area(isChange ? 'request.noChange' : 'request.no'), 'plain')}`;
  return html`${actionForm(req, actions.answer, {}, { values, buttons })}
  ${offerForm(req, actions, booking, { language, state })}`;
}

/** Form to offer another time. */
export function offerForm(
  req: PageRequest<Venue>,
  { offer }: TableActions,
  booking: Booking,
  { language: { text, area }, state }: Shown,
): Html {
  const shown = withFaults(state, { offer_date: text('fault.day'), offer_time: text('fault.time') });
  return html`<details class="quiet" ${state.faults !== undefined && html` open`}>
    <summary>${text('form.otherTime')}</summary>
    ${actionForm(req, offer, shown, {
      values: { ...shownValues(booking), offer_date: booking.date },
      fields: { offer_date: { label: area('request.day') }, offer_time: { label: text('form.time') } },
      button: text('form.offerThis'),
      idPrefix: booking.id,
      className: 'flow',
    })}
  </details>`;
}

export function shownValues({ id, revision }: Booking) {
  return { booking: id, revision: String(revision) };
}

/** Describes the venue's answer. After a no to a change, the status is confirmed although the answer was not yes. */
function answeredWords({ status, reverted }: Booking, { area }: AreaLanguage): string {
  if (status === 'confirmed') return area(reverted ? 'answered.kept' : 'answered.yes');
  return area(status === 'offered' ? 'answered.offer' : 'answered.no');
}

/** Shows the venue's last answer with an undo button, for a short time. */
function undoRow(
  req: PageRequest<Venue>,
  { undo }: TableActions,
  booking: Booking,
  language: AreaLanguage,
): Html {
  const { area } = language;
  return html`<li>
    <p>
      <strong>${answeredWords(booking, language)}:</strong> ${tableLine(booking, language)}.
      <span class="soft">${area('answered.undoable')}</span>
    </p>
    ${actionForm(req, undo, {}, { values: { booking: booking.id }, button: area('undo') })}
  </li>`;
}

/** Shows a confirmed table, with a form to cancel it. */
export function tableCard(req: PageRequest<Venue>, actions: TableActions, booking: Booking): Html {
  const language = areaLanguage(req);
  const { text, area } = language;
  const { guestName, notes, held } = booking;
  const currentTable = held ?? booking;
  return html`<li class="card flow">
    <h3>${dayWords(currentTable.date, language)}, ${currentTable.time}</h3>
    ${definitionList('record', [
      [text('page.guests'), currentTable.partySize],
      [text('page.name'), userText(guestName)],
      [text('page.note'), notes && userText(notes)],
      [area('tables.askedInstead'), held && tableLine(booking, language)],
    ])}
    ${cancelForm(req, actions, booking, language)}
  </li>`;
}
