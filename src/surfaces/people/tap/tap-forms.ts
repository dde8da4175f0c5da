import type { Tap } from '../../../bookings/answering/find-tap.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { textField } from '../form/form-field.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { tapNonce } from './tap-nonce.ts';

/** The table that a form offers; its day is the one that was asked for, unless it says otherwise. */
export function offerIn({ date }: Tap['booking'], form: URLSearchParams): { date: string; time: string } {
  return {
    date: (form.get('offer_date') ?? '').trim() || date,
    time: (form.get('offer_time') ?? '').trim().slice(0, 5),
  };
}

/** Half hours around the time that was asked for, for whoever has one thumb free. */
const STEPS_MIN = [-60, -30, 30, 60] as const;
const DAY_MIN = 24 * 60;

/** Each answer is a button of its own: nothing is sent by looking, and nothing needs a script. */
export function answerForms(request: PageRequest<Tap>, state: PageState): Html {
  const { held } = request.person.booking;
  return html`<div class="answers">
    ${form(
      request,
      html`<button class="button" name="answer" value="yes" type="submit">
        ${held === null ? 'Yes, we keep this table' : 'Yes, we change it'}
      </button>`,
    )}
    <details ${state.faults !== undefined && html` open`}>
      <summary class="button plain">Offer another time</summary>
      ${offerForms(request, state)}
    </details>
    ${form(
      request,
      html`<button class="button plain" name="answer" value="no" type="submit">
        ${held === null ? 'No, we are full' : 'No, it stays as it was'}
      </button>`,
    )}
    <details class="quiet">
      <summary>Please stop asking us</summary>
      ${form(
        request,
        html`<p>
            This says no to the table, and we never ask you again. Guests find your own way to book instead.
          </p>
          <button class="button danger" name="answer" value="stop" type="submit">Stop asking us</button>`,
      )}
    </details>
  </div>`;
}

function offerForms(request: PageRequest<Tap>, { form: sent, faults = {} }: PageState): Html {
  const { booking } = request.person;
  const { date, time } = booking;
  const offer = sent === undefined ? booking : offerIn(booking, sent);
  return html`${form(
    request,
    html`<p>The same day, at</p>
      <input type="hidden" name="answer" value="offer" />
      <input type="hidden" name="offer_date" value="${date}" />
      <p class="times">
        ${nearbyTimes(time).map(
          (one) =>
            html`<button class="button plain" name="offer_time" value="${one}" type="submit">${one}</button>`,
        )}
      </p>`,
  )}
  ${form(
    request,
    html`<input type="hidden" name="answer" value="offer" />
      ${textField({ name: 'offer_date', label: 'Another day', type: 'date', value: offer.date, fault: faults['offer_date'] })}
      ${textField({ name: 'offer_time', label: 'Time', type: 'time', value: offer.time, fault: faults['offer_time'] })}
      <button class="button" type="submit">Offer this</button>`,
  )}`;
}

/** The times of the same day that lie near, in the venue's own clock. */
function nearbyTimes(time: string): string[] {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return STEPS_MIN.map((step) => hour * 60 + minute + step)
    .filter((at) => at >= 0 && at < DAY_MIN)
    .map((at) => `${two(Math.floor(at / 60))}:${two(at % 60)}`);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

export function undoForm(request: PageRequest<Tap>, until: Date): Html {
  const leftMs = until.getTime() - request.now.getTime();
  const minutes = Math.max(1, Math.ceil(leftMs / 60_000));
  return html`<div class="answers">
    ${form(
      request,
      html`<button class="button plain" type="submit">That was a slip: undo</button>
        <p class="soft">
          You can undo for ${minutes === 1 ? 'one more minute' : `${minutes} more minutes`}.
        </p>`,
      '/undo',
    )}
  </div>`;
}

/** Things happen in kitchens: the venue may still say that it cannot keep what it promised. */
export function withdrawForm(request: PageRequest<Tap>): Html {
  const { held, revision } = request.person.booking;
  return html`<div class="answers">
    <details class="quiet">
      <summary>
        ${held === null ? 'We cannot keep this table after all' : 'We cannot keep either of the two tables'}
      </summary>
      ${form(
        request,
        html`<p>The guest is told at once that there is no table. This cannot be undone.</p>
          <input type="hidden" name="revision" value="${revision}" />
          <button class="button danger" name="answer" value="cancel" type="submit">Cancel the table</button>`,
      )}
    </details>
  </div>`;
}

function form({ deps, params, person }: PageRequest<Tap>, content: Html, path = ''): Html {
  const token = params['token'] ?? '';
  return html`<form class="flow" method="post" action="/v/${token}${path}">
    <input type="hidden" name="nonce" value="${tapNonce(deps, token)}" />
    ${person.together.length > 1 && html`<input type="hidden" name="ask" value="${person.askId}" />`}
    ${content}
  </form>`;
}
