import type { Tap } from '../../../bookings/answering/find-tap.ts';
import { isUnseen } from '../../../bookings/coded/coded-message.ts';
import { VENUE_MESSAGES } from '../../../webhooks/coded-message-sets.ts';
import { TABLE_OUTCOMES } from '../../../bookings/outcomes/table-outcome.ts';
import { timeWords } from '../../../bookings/table-words.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { codedMessageList } from '../coded-message-list.ts';
import { textField } from '../form/form-field.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { withLanguage, tapLanguage } from './tap-language.ts';
import { tapNonce } from './tap-nonce.ts';
import { valueButton } from '../frame/components.ts';

/** Reads the offered table from the form. The date defaults to the requested one. */
export function readOffer({ date }: Tap['booking'], form: URLSearchParams): { date: string; time: string } {
  return {
    date: (form.get('offer_date') ?? '').trim() || date,
    time: (form.get('offer_time') ?? '').trim().slice(0, 5),
  };
}

/** Offsets in minutes from the requested time, or from the ends of a window, for the one-tap offers. */
const EARLIER_MIN = [-60, -30] as const;
const LATER_MIN = [30, 60] as const;
const DAY_MIN = 24 * 60;

/** Shows each answer as its own button. Opening the page sends nothing, and no JavaScript is needed. */
export function answerForms(request: PageRequest<Tap>, state: PageState): Html {
  const { held, timeUntil } = request.person.booking;
  const { text } = tapLanguage(request.person, request.query);
  return html`<div class="answers">
    ${
      timeUntil === null
        ? form(request, valueButton('answer', 'yes', text(held === null ? 'form.yes' : 'form.yesChange')))
        : timeButtons(request, {
            label: text('form.yesAt'),
            times: timesOf(request.person.booking, timeUntil),
          })
    }
    <details ${state.faults !== undefined && html` open`}>
      <summary class="button plain">${text('form.otherTime')}</summary>
      ${offerForms(request, state)}
    </details>
    ${form(request, valueButton('answer', 'no', text(held === null ? 'form.no' : 'form.noChange'), 'plain'))}
    ${explainedAnswer(request, 'full', 'plain')} ${explainedAnswer(request, 'stop', 'danger')}
  </div>`;
}

/** An answer with wide effect: folded, with its consequences above the button. */
function explainedAnswer(request: PageRequest<Tap>, value: 'full' | 'stop', kind: 'plain' | 'danger'): Html {
  const { text } = tapLanguage(request.person, request.query);
  return html`<details class="quiet">
    <summary>${text(`form.${value}`)}</summary>
    ${form(
      request,
      html`<p>${text(`form.${value}Means`)}</p>
        ${valueButton('answer', value, text(`form.${value}Now`), kind)}`,
    )}
  </details>`;
}

/** The answers about a guest who waits for a free table. */
export function waitingForms(request: PageRequest<Tap>, state: PageState): Html {
  const { text } = tapLanguage(request.person, request.query);
  return html`<div class="answers">
    ${form(request, valueButton('answer', 'free', text('form.free')))}
    <details ${state.faults !== undefined && html` open`}>
      <summary class="button plain">${text('form.otherTime')}</summary>
      ${offerForms(request, state)}
    </details>
    ${form(request, valueButton('answer', 'none_free', text('form.noneFree'), 'plain'))}
  </div>`;
}

function offerForms(request: PageRequest<Tap>, { form: submitted, faults = {} }: PageState): Html {
  const { booking } = request.person;
  const { text } = tapLanguage(request.person, request.query);
  const offer = submitted === undefined ? booking : readOffer(booking, submitted);
  return html`${timeButtons(request, { label: text('form.sameDay'), times: nearbyTimes(booking), quiet: true })}
  ${form(
    request,
    html`<input type="hidden" name="answer" value="offer" />
      ${textField({ name: 'offer_date', label: text('form.otherDay'), type: 'date', value: offer.date, fault: faults['offer_date'] })}
      ${textField({ name: 'offer_time', label: text('form.time'), type: 'time', value: offer.time, fault: faults['offer_time'] })}
      <button class="button" type="submit">${text('form.offerThis')}</button>`,
  )}`;
}

/** Shows times of the requested day as buttons. One in the requested window is a yes, another one an offer. */
function timeButtons(
  request: PageRequest<Tap>,
  { label, times, quiet = false }: { label: string; times: readonly string[]; quiet?: boolean },
): Html {
  const language = tapLanguage(request.person, request.query);
  return form(
    request,
    html`<p>${label}</p>
      <input type="hidden" name="answer" value="offer" />
      <input type="hidden" name="offer_date" value="${request.person.booking.date}" />
      <p class="times">
        ${times.map(
          (one) =>
            html`<button class="button ${quiet && 'plain'}" name="offer_time" value="${one}" type="submit">
              ${timeWords(one, language)}
            </button>`,
        )}
      </p>`,
  );
}

/** Returns nearby times on the same day, in the venue's local time. */
function nearbyTimes({ time, timeUntil }: Tap['booking']): string[] {
  const last = minuteOf(timeUntil ?? time);
  return [...EARLIER_MIN.map((step) => minuteOf(time) + step), ...LATER_MIN.map((step) => last + step)]
    .filter((at) => at >= 0 && at < DAY_MIN)
    .map(timeOf);
}

const WINDOW_STEP_MIN = 15;
const LONG_WINDOW_STEP_MIN = 30;
const LONG_WINDOW_MIN = 120;

/** Returns the times of a window that are shown, at most nine, with both of its ends. */
function timesOf({ time }: Tap['booking'], timeUntil: string): string[] {
  const [first, last] = [minuteOf(time), minuteOf(timeUntil)];
  const step = last - first > LONG_WINDOW_MIN ? LONG_WINDOW_STEP_MIN : WINDOW_STEP_MIN;
  const between = Array.from({ length: Math.ceil((last - first) / step) }, (_, at) => first + at * step);
  return [...between, last].map(timeOf);
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

function timeOf(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

export function undoForm(request: PageRequest<Tap>, until: Date): Html {
  const leftMs = until.getTime() - request.now.getTime();
  const minutes = Math.max(1, Math.ceil(leftMs / 60_000));
  const { text } = tapLanguage(request.person, request.query);
  return html`<div class="answers">
    ${form(
      request,
      html`<button class="button plain" type="submit">${text('form.undo')}</button>
        <p class="soft">${text('form.undoFor', { minutes })}</p>`,
      '/undo',
    )}
  </div>`;
}

/** Form to cancel a promised or offered table that the venue cannot keep after all. */
export function withdrawForm(request: PageRequest<Tap>): Html {
  const { held, revision } = request.person.booking;
  const { text } = tapLanguage(request.person, request.query);
  return html`<div class="answers">
    <details class="quiet">
      <summary>${text(held === null ? 'form.cannotKeep' : 'form.cannotKeepEither')}</summary>
      ${form(
        request,
        html`<p>${text('form.cancelMeans')}</p>
          <input type="hidden" name="revision" value="${revision}" />
          ${valueButton('answer', 'cancel', text('form.cancelNow'), 'danger')}`,
      )}
    </details>
  </div>`;
}

/** The coded messages about a confirmed table, with the tap that acknowledges them, and those that the venue can send. */
export function messageSection(request: PageRequest<Tap>): Html | false {
  const { messages, booking } = request.person;
  if (messages === null) return false;
  const language = tapLanguage(request.person, request.query);
  const { text } = language;
  return html`${
      messages.length > 0 &&
      html`<h3>${text('page.messages')}</h3>
        ${codedMessageList(messages, language)}
        ${
          messages.some(isUnseen) &&
          html`<div class="answers">
            ${form(request, valueButton('message', 'seen', text('form.seen')), '/message')}
          </div>`
        }`
    }
    <div class="answers">
      <details class="quiet">
        <summary>${text('form.messageGuest')}</summary>
        ${VENUE_MESSAGES.map((code) =>
          form(
            request,
            code === 'please_confirm'
              ? valueButton('message', code, text(`form.${code}`), 'plain')
              : html`<input type="hidden" name="message" value="${code}" />
                  ${textField({ name: 'at', id: `${request.person.askId}-${code}`, label: text(`form.${code}`), type: 'time', value: booking.time, required: true })}
                  <button class="button plain" type="submit">${text('form.messageGuest')}</button>`,
            '/message',
          ),
        )}
      </details>
    </div>`;
}

/** After the time of the table: one tap for what became of it. */
export function outcomeForms(request: PageRequest<Tap>): Html | false {
  const { tableOutcome, booking } = request.person;
  if (tableOutcome === undefined) return false;
  const { text } = tapLanguage(request.person, request.query);
  return html`<h3>${text('page.afterwards')}</h3>
    ${
      tableOutcome !== null &&
      html`<p role="status">
        <strong>${text(`form.${tableOutcome}`)}.</strong>
        ${booking.askedBy !== null && text('page.afterwardsThanks', { partner: booking.askedBy })}
      </p>`
    }
    <div class="answers">
      ${TABLE_OUTCOMES.filter((one) => one !== tableOutcome).map((one) =>
        form(request, valueButton('outcome', one, text(`form.${one}`), 'plain'), '/outcome'),
      )}
    </div>`;
}

function form({ deps, params, person, query }: PageRequest<Tap>, content: Html, path = ''): Html {
  const token = params['token'] ?? '';
  return html`<form class="flow" method="post" action="${withLanguage(`/v/${token}${path}`, query)}">
    <input type="hidden" name="nonce" value="${tapNonce(deps, token)}" />
    ${person.batch.length > 1 && html`<input type="hidden" name="ask" value="${person.askId}" />`} ${content}
  </form>`;
}
