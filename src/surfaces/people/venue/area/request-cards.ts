import type { OpenRequest } from '../../../../bookings/answering/venue-tables.ts';
import type { Booking, TableRequest } from '../../../../bookings/booking.ts';
import { ENGLISH } from '../../../../bookings/language/venue-language.ts';
import { dayWords, momentValues } from '../../../../bookings/table-words.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { textField } from '../../form/form-field.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { form } from '../../frame/frame.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';

export const TABLES_PATH = '/venue/tables';
export const ANSWER_PATH = '/venue/tables/answer';
export const UNDO_PATH = '/venue/tables/undo';

export function tableLine({ date, time, partySize }: TableRequest): string {
  return `${dayWords(date)}, ${time}, for ${partySize}`;
}

function momentLine(at: Date, timeZone: string): string {
  const { weekday, time } = momentValues(at, timeZone, ENGLISH);
  return `${weekday}, ${time}`;
}

/** Shows one request with the answers that the venue can give. */
export function requestCard(req: PageRequest<Venue>, request: OpenRequest, state: PageState): Html {
  const { booking, offer, answerable } = request;
  const { guestName, notes, held, answerBy, timezone } = booking;
  const isSubmitted = state.form?.get('booking') === booking.id;
  return html`<li class="card flow" id="${booking.id}">
    <h3>${dayWords(booking.date)}, ${booking.time}</h3>
    ${definitionList('record', [
      ['Guests', booking.partySize],
      ['Name', html`<bdi>${guestName}</bdi>`],
      ['Note', notes && html`<bdi>${notes}</bdi>`],
      ['Instead of', held && tableLine(held)],
      ['You offered', offer !== undefined && tableLine(offer)],
      ['Answer by', answerable && answerBy !== null && momentLine(answerBy, timezone)],
    ])}
    ${answerable ? answerForms(req, booking, isSubmitted ? state : {}) : waiting(req, request)}
  </li>`;
}

function waiting(req: PageRequest, { booking }: OpenRequest): Html {
  if (booking.status !== 'offered')
    return html`<p>Your own booking system is being asked and answers automatically.</p>`;
  return html`<p>The guest has received your offer and has not answered yet.</p>
    ${cancelForm(req, booking, 'offer')}`;
}

/** Form to cancel a promised or offered table. It is available until the time of the table. */
export function cancelForm(req: PageRequest, booking: Booking, what: 'table' | 'offer'): Html {
  const fields = html`<p>The guest is informed at once that there is no table. This cannot be undone.</p>
    ${bookingFields(booking)}
    <button class="button danger" type="submit">
      ${what === 'table' ? 'Cancel the table' : 'Withdraw the offer'}
    </button>`;
  return html`<details class="quiet">
    <summary>We cannot keep this ${what}</summary>
    ${form(req, TABLES_PATH, fields)}
  </details>`;
}

function answerForms(req: PageRequest, booking: Booking, { form: submitted, faults = {} }: PageState): Html {
  const { id, held } = booking;
  const [yes, no] = held === null ? ['Yes', 'No'] : ['Yes, change it', 'No, as it was'];
  const buttons = html`${bookingFields(booking)}
    <button class="button" type="submit" name="answer" value="yes">${yes}</button>
    <button class="button plain" type="submit" name="answer" value="no">${no}</button>`;
  const field = (name: string, otherwise: string) => ({
    name,
    id: `${id}-${name}`,
    value: submitted?.get(name) ?? otherwise,
    fault: faults[name],
  });
  const offer = html`${bookingFields(booking)}<input type="hidden" name="answer" value="offer" />
    ${textField({ ...field('offer_date', booking.date), label: 'Day', type: 'date' })}
    ${textField({ ...field('offer_time', ''), label: 'Time', type: 'time', required: true })}
    <button class="button plain" type="submit">Offer this time</button>`;
  return html`${form(req, ANSWER_PATH, buttons, { className: 'actions' })}
    <details class="quiet" ${Object.keys(faults).length > 0 && html` open`}>
      <summary>Offer another time</summary>
      ${form(req, ANSWER_PATH, offer)}
    </details>`;
}

function bookingFields({ id, revision }: Booking): Html {
  return html`<input type="hidden" name="booking" value="${id}" />
    <input type="hidden" name="revision" value="${revision}" />`;
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
export function undoCard(req: PageRequest, booking: Booking): Html {
  const fields = html`<input type="hidden" name="booking" value="${booking.id}" />
    <button class="button plain" type="submit">Undo</button>`;
  return html`<li class="card flow">
    <p>
      <strong>${answeredWords(booking)}:</strong> ${tableLine(booking)}. You can undo this for two minutes.
    </p>
    ${form(req, UNDO_PATH, fields)}
  </li>`;
}
