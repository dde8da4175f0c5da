import type { Booking } from '../../../../bookings/booking.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
import { waitEndWords } from '../../../../bookings/waiting/waiting-words.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { actionForm } from '../../form/action-form.ts';
import { userText, valueButton } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { areaLanguage } from '../language/area-language.ts';
import { offerForm, shownValues, timesOf, type TableActions } from './table-cards.ts';

/** Shows who waits for a free table, by day and in the order of joining. The venue may offer a table to any of them. */
export function waitingList(
  req: PageRequest<Venue>,
  actions: TableActions,
  waiting: readonly Booking[],
  state: PageState,
): Html {
  const { area } = areaLanguage(req);
  const days = Map.groupBy(waiting, ({ date }) => date);
  return html`<p>${area('waiting.lead')}</p>
    ${[...days].map(
      ([date, guests]) =>
        html`<h3>${dayWords(date, areaLanguage(req))}</h3>
          <ol class="columns">
            ${guests.map((booking) => waitingCard(req, actions, booking, state))}
          </ol>`,
    )}`;
}

function waitingCard(
  req: PageRequest<Venue>,
  actions: TableActions,
  booking: Booking,
  state: PageState,
): Html {
  const language = areaLanguage(req);
  const { text } = language;
  const { id, guestName, askedBy, notes, partySize } = booking;
  const buttons = html`${valueButton('answer', 'free', text('form.free'))}
  ${valueButton('answer', 'none_free', text('form.noneFree'), 'plain')}`;
  return html`<li class="card flow" id="${id}">
    <h4>${timesOf(booking)}</h4>
    ${definitionList('record', [
      [text('page.guests'), partySize],
      [text('page.name'), userText(guestName)],
      [text('page.guestOf'), askedBy && userText(askedBy)],
      [text('page.waitsUntil'), waitEndWords(booking, language)],
      [text('page.note'), notes && userText(notes)],
    ])}
    ${actionForm(req, actions.answer, {}, { values: shownValues(booking), buttons })}
    ${offerForm(req, actions, booking, { language, state: state.form?.get('booking') === id ? state : {} })}
  </li>`;
}
