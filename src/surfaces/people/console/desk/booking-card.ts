import type { BookingTask } from '../../../../bookings/answering/desk-tasks.ts';
import type { TableRequest } from '../../../../bookings/booking.ts';
import { codedSentence } from '../../../../bookings/coded/coded-words.ts';
import { tableWords, timeWords } from '../../../../bookings/table-words.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { actionForm, formFields } from '../../form/action-form.ts';
import { badge, link, userText, valueButton } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { form } from '../../frame/frame.ts';
import { fillPath } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { deskStaff, type Staff } from '../../person/people.ts';
import { linkToBooking, forDesk } from '../bookings/booking-words.ts';
import { formatDuration } from '../moment.ts';
import { markNotified, recordAnswer, releaseCall, takeDeskCall } from './booking-actions.ts';

/**
 * True when the venue's system no longer accepts the cancellation of a table that the guest does not need, so that a
 * person has to call.
 */
function needsCancelCall(task: BookingTask): boolean {
  const { step, booking } = task;
  return step === 'notify_cancelled' && booking.status === 'confirmed' && !isDuplicateTable(task);
}

/** True when the venue's system holds a second table beside the guest's confirmed one, which stays unchanged. */
function isDuplicateTable({ step, ref, booking: { status, confirmation } }: BookingTask): boolean {
  return step === 'notify_cancelled' && status === 'confirmed' && ref !== null && ref !== confirmation?.ref;
}

const STEP_TITLES: Record<BookingTask['step'], string> = {
  ask: 'Ask for a table',
  notify_cancelled: 'Tell the venue: no longer wanted',
  notify_accepted: 'Tell the venue: its offer is accepted',
  notify_kept: 'Tell the venue: the table stays as it was',
  notify_message: 'Tell the venue what the guest wrote',
};

/** Shows one venue to call: the reason, the number, a script, and a button for each possible answer. */
export function bookingCard(
  req: PageRequest<Staff>,
  task: BookingTask,
  state: PageState,
  { withLink = true }: { withLink?: boolean } = {},
): Html {
  const { booking, step, takenBy, notBefore } = task;
  const mine = takenBy?.by === req.person.id;
  return html`<li class="card flow" id="${booking.id}">
    <p class="letter-head">
      <strong>${needsCancelCall(task) ? 'Ask the venue to cancel the table' : STEP_TITLES[step]}</strong>
      ${takenBy !== null && badge('sign', mine ? 'You are calling' : `${takenBy.email} is calling`)}
      ${booking.frozenAt !== null && badge('bad', 'Stopped')}
      <span class="soft">${waitWords(req.now, task)}</span>
      ${withLink && linkToBooking(booking.id, 'Timeline')}
    </p>
    ${facts(req, task)} ${mine && html`<blockquote class="script"><p>${scriptOf(req, task)}</p></blockquote>`}
    ${task.detail !== null && html`<p><strong>${task.detail}</strong></p>`}
    ${notBefore !== null && html`<p class="soft">Nobody answered; try again in ${formatDuration(notBefore.getTime() - req.now.getTime())}.</p>`}
    ${
      deskStaff.allows(req.person) &&
      (mine
        ? answerForms(req, task, state)
        : takenBy === null && actionForm(req, takeDeskCall, state, { params: { id: booking.id } }))
    }
  </li>`;
}

function waitWords(now: Date, { since, booking: { answerBy } }: BookingTask): string {
  const waits = `waits ${formatDuration(now.getTime() - since.getTime())}`;
  if (answerBy === null || answerBy <= now) return waits;
  return `${waits}, answer within ${formatDuration(answerBy.getTime() - now.getTime())}`;
}

function facts({ person }: PageRequest<Staff>, task: BookingTask): Html {
  const { booking, place } = task;
  const { held, guestName, notes } = booking;
  const deskOnly = (words: string) => forDesk(person, userText(words));
  return definitionList('record', [
    [
      'Venue',
      html`${link(`/console/places/${place.id}`, userText(place.name))}
      ${place.address !== null && html`, <bdi>${place.address}</bdi>`}`,
    ],
    ['Number', numberOf(place)],
    [
      'Table',
      `${tablesOf(task)
        .map((one) => tableWords(one))
        .join(' and ')}, ${booking.timezone}`,
    ],
    ['Held meanwhile', held && tableWords(held)],
    ['Name', deskOnly(guestName)],
    ['Note', notes && deskOnly(notes)],
  ]);
}

/**
 * Shows only the venue's own number with its country code: a number from an agent, or with a guessed country code, may
 * reach a stranger.
 */
function numberOf({ phone, unusable_phone: unusable, website }: BookingTask['place']): Html {
  if (phone !== null) return html`<a class="phone" href="${safeHref(`tel:${phone}`)}">${phone}</a>`;
  return html`<strong
      >${
        unusable === null
          ? 'We have no phone number published by the venue.'
          : html`Do not call the published number ${userText(unusable)}: its country code is missing, wrong or
            that of another country.`
      }</strong
    ><br /><span class="soft"
      >${
        website === null
          ? 'Find one where the venue itself publishes it.'
          : html`Look for one on
              <a rel="noreferrer nofollow" href="${safeHref(website)}">the venue's own page</a>.`
      }
      Do not call a number from the listing: an agent may have submitted it.</span
    >`;
}

/** Returns the tables that a call is about. After a cancellation these are all tables that the venue may still hold. */
function tablesOf({ step, booking }: BookingTask): readonly TableRequest[] {
  return step === 'notify_cancelled' && booking.released.length > 0 ? booking.released : [booking];
}

function cancellationScript(begin: string, tables: readonly TableRequest[]): string {
  const named = tables.map((one) => tableWords(one)).join(', nor ');
  return `${begin} ${named}. Please take ${tables.length === 1 ? 'it' : 'them'} out of your book. Thank you.`;
}

function scriptOf({ deps }: PageRequest, task: BookingTask): string {
  const { booking, step } = task;
  const { held, guestName, notes } = booking;
  const greeting = `Hello, this is ${deps.config.serviceName}.`;
  const table = tableWords(booking);
  switch (step) {
    case 'notify_cancelled':
      if (needsCancelCall(task))
        return `${greeting} The guest named ${guestName} cannot come and does not need ${table}. Your system no longer accepts the cancellation; could you cancel it?`;
      if (isDuplicateTable(task))
        return `${greeting} The guest named ${guestName} has ${table} with you, and keeps it. Your system has another one for the same name, ${task.ref ?? ''}, which was not wanted. Please take that one out of your book. Thank you.`;
      return cancellationScript(`${greeting} The guest named ${guestName} no longer needs`, tablesOf(task));
    case 'notify_accepted':
      return `${greeting} The guest named ${guestName} takes your offer: ${table}. Thank you.`;
    case 'notify_kept':
      return `${greeting} For the guest named ${guestName} it stays as it was: ${table}. Thank you.`;
    case 'notify_message':
      return `${greeting} It is about ${table}, for the guest named ${guestName}. ${task.messages.map((one) => codedSentence(one)).join(' ')} Thank you.`;
    case 'ask':
      return [
        greeting,
        held === null
          ? `I am calling for a guest${booking.askedBy === null ? '' : ` of ${booking.askedBy}`}. Do you have ${table}? The name is ${guestName}.`
          : `${guestName} has ${tableWords(held)} with you. Could it be ${table} instead?`,
        ...(notes === null ? [] : [`The guest adds: “${notes}”.`]),
        booking.timeUntil === null
          ? 'If not, which other time could you offer?'
          : 'At which time? If not then, which other time could you offer?',
      ].join(' ');
  }
}

/** Forms for the answer of the venue, which the person who is calling records. */
function answerForms(req: PageRequest<Staff>, task: BookingTask, state: PageState): Html {
  const { booking, step } = task;
  const params = { id: booking.id };
  const releaseForm = actionForm(req, releaseCall, state, { params });
  if (step !== 'ask') {
    const buttons = html`${valueButton('taken_back', 'yes', 'The venue cancels it')}
    ${valueButton('taken_back', 'no', 'It does not', 'plain')}`;
    return html`<div class="row-forms">
      ${actionForm(req, markNotified, state, { params, ...(needsCancelCall(task) && { buttons }) })}
      ${releaseForm}
    </div>`;
  }
  const path = fillPath(recordAnswer.path, params);
  const { timeUntil } = booking;
  const yes = timeUntil === null ? 'Yes' : `Yes, at ${timeWords(booking.time)}`;
  const buttons = html`${valueButton('answer', 'yes', yes)} ${valueButton('answer', 'no', 'No', 'danger')}
  ${valueButton('answer', 'no_answer', 'No answer', 'plain')}`;
  const offer = html`${formFields(recordAnswer, req.params['id'] === booking.id ? state : {}, {
      idPrefix: booking.id,
      values: { answer: 'offer', offer_date: booking.date },
    })} <button class="button plain" type="submit">Other time</button>`;
  return html`${form(req, path, buttons, { className: 'row-forms' })}
  ${form(req, path, offer, { className: 'filters' })} ${releaseForm}`;
}
