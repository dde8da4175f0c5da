import type { KnownTerms } from '../../../bookings/terms/table-terms.ts';
import { termSentences } from '../../../bookings/terms/term-words.ts';
import type { BookingOffer } from '../../../bookings/booking-row.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { HOUR_MS } from '../../../core/time.ts';
import type { MemberTable } from '../../../members/list-tables.ts';
import type { Member } from '../../../members/member.ts';
import { actionForm } from '../form/action-form.ts';
import { badge, userText } from '../frame/components.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { pointMap, showsStreets } from '../traveller/map/street-figure.ts';
import { localDayAndTime, localTime } from '../traveller/local-clock.ts';
import { acceptOwnOffer, cancelOwnTable, changeOwnTable, declineOwnOffer } from './own-table.ts';

/** Explains each booking status to the guest. */
const STATES: Readonly<
  Record<MemberTable['status'], readonly [kind: string, word: string, meaning: string]>
> = {
  sent: ['warn', 'Not asked yet', 'The venue is about to be asked. This is not a booking.'],
  asking: ['warn', 'Asked', 'The venue has been asked and has not answered. This is not a booking.'],
  offered: [
    'warn',
    'Other time offered',
    'The venue offers another table; the partner who asked for you decides.',
  ],
  confirmed: ['good', 'Confirmed', 'The venue has said yes.'],
  declined: ['bad', 'Declined', 'The venue has said no.'],
  no_answer: ['bad', 'No answer', 'The venue did not answer in time. There is no table.'],
  cancelled: ['', 'Cancelled', 'There is no table.'],
};

/** States of a request that ended without a table. */
export const ENDED: ReadonlySet<MemberTable['status']> = new Set(['declined', 'no_answer', 'cancelled']);

const WAITING: readonly MemberTable['status'][] = ['sent', 'asking', 'offered'];

const WAITS = 'The venue is full. You wait in case a table becomes free.';

/** True while somebody's answer is missing. */
function isWaiting({ status, past }: MemberTable): boolean {
  return !past && WAITING.includes(status);
}

/** Renders day, time, party and status of a table. */
export function tableWhen({ status, date, time, timeUntil, partySize }: MemberTable): Html {
  const [kind, word] = STATES[status];
  const until = timeUntil === null ? '' : ` to ${timeUntil}`;
  return html`<p class="table-when">
    <strong>${dayOf(date)}, ${time}${until}</strong>, ${formatCount(partySize, 'person', 'people')}
    ${badge(kind, word)}
  </p>`;
}

/** Renders the table and its state, for its guest. */
export function tableState(table: MemberTable, now: Date): Html {
  return html`${tableWhen(table)}
    <p class="hint" role="status">${statusWords(table, now)}</p>
    ${termLines(table.terms)}`;
}

/** Says in plain words how a table stands. */
export function statusWords(table: MemberTable, now: Date): Html {
  const { held } = table;
  return html`${meaningOf(table)}${deadline(table, now)}
  ${held !== null && `Your confirmed table, ${dayOf(held.date)}, ${held.time}, stays until then.`}
  ${table.status === 'confirmed' && table.reverted && 'Your change was not possible; the earlier table stays.'}
  ${table.halted && 'Requests are stopped at the moment; the venue is asked once they go on.'}
  ${table.partnerName !== null && html`Requested by ${userText(table.partnerName)}.`}`;
}

function meaningOf({ status, waiting, partnerName, entries }: MemberTable): string {
  const [, , meaning] = STATES[status];
  if (waiting) return WAITS;
  if (status === 'offered' && partnerName === null)
    return 'The venue offers another table. Accept it, or ask for another time.';
  // Only the end of a wait is declined by the service itself.
  const waited = status === 'declined' && entries.at(-1)?.actor === 'service';
  return waited ? 'No table became free in time.' : meaning;
}

/** Terms of the venue, one line each. */
export function termLines(terms: KnownTerms): Html | false {
  const sentences = termSentences(terms);
  if (sentences.length === 0) return false;
  return html`<ul class="hint">
    ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>`;
}

/** A small map of the streets around a coming table. */
export function tableMap(
  { deps }: PageRequest<Member>,
  { placeName, point, past, status }: MemberTable,
): Html | false {
  const { map } = deps.streets;
  const isComing = !past && (status === 'confirmed' || WAITING.includes(status));
  if (!isComing || point === null || !showsStreets(map, point)) return false;
  return pointMap({ map, point, still: true, label: `The streets around ${placeName ?? 'the place'}` });
}

function deadline({ status, answerBy, timezone, waiting }: MemberTable, now: Date): string {
  if (waiting && answerBy !== null)
    return ` You wait until ${localDayAndTime(answerBy, timezone)}, local time.`;
  if ((status !== 'sent' && status !== 'asking') || answerBy === null || answerBy <= now) return '';
  return ` It has until ${localTime(answerBy, timezone)}, local time, to answer.`;
}

/** Renders what the guest can do with a table that they requested themselves. */
export function tableForms(req: PageRequest<Member>, table: MemberTable, state: PageState): Html | false {
  const { bookingId, status, partnerName, past, offers, date, time, partySize } = table;
  const isOpen = isWaiting(table) || (status === 'confirmed' && !past);
  if (partnerName !== null || !isOpen) return false;
  const params = { bookingId };
  const changes = status === 'confirmed' || status === 'offered';
  return html`${offers.map((offer) => offerCard(req, offer, params))}
    ${offers.length > 0 && declineForm(req, table)}
    ${
      changes &&
      html`<details class="change" ${state.action === changeOwnTable.name && html` open`}>
        <summary>Ask for another time</summary>
        ${actionForm(req, changeOwnTable, state, {
          className: 'table-form',
          params,
          values: { date, time, party_size: String(partySize) },
          idPrefix: `change-${bookingId}`,
        })}
      </details>`
    }
    <details class="change">
      <summary>${status === 'confirmed' ? 'Cancel the table' : 'Withdraw the request'}</summary>
      ${actionForm(
        req,
        cancelOwnTable,
        {},
        {
          params,
          className: 'flow',
          help: cancelWords(table, req.now),
          button: status === 'confirmed' ? 'Yes, cancel the table' : 'Yes, withdraw the request',
        },
      )}
    </details>`;
}

function offerCard(req: PageRequest<Member>, offer: BookingOffer, params: { bookingId: string }): Html {
  const { id, date, time, partySize, note } = offer;
  return html`<div class="offered">
    <p>
      <strong>${dayOf(date)}, ${time}</strong>, ${formatCount(partySize, 'person', 'people')}
      ${note !== null && html`<br /><q>${userText(note)}</q>`}
    </p>
    ${actionForm(
      req,
      acceptOwnOffer,
      {},
      { params, values: { offer: id }, buttonLabel: `Accept ${dayOf(date)}, ${time}`, idPrefix: id },
    )}
  </div>`;
}

function declineForm(req: PageRequest<Member>, { bookingId, held, offers, timezone }: MemberTable): Html {
  const until = offers.map(({ expiresAt }) => expiresAt).sort((a, b) => a.getTime() - b.getTime())[0];
  const rest =
    held === null ? 'If you decline, your request ends.' : 'If you decline, your confirmed table stays.';
  return html`<p class="hint">
      ${until !== undefined && `The offer is open until ${localTime(until, timezone)}, local time. `}${rest}
    </p>
    ${actionForm(req, declineOwnOffer, {}, { params: { bookingId } })}`;
}

/** Says what it costs to cancel: the venue's own terms, as far as it has stated them. */
function cancelWords({ status, held, terms, tableAt, timezone }: MemberTable, now: Date): string {
  if (status !== 'confirmed')
    return held === null
      ? 'This is free: the venue has not promised you a table.'
      : 'The request ends, and your confirmed table is cancelled too.';
  const hours = terms.cancellation_hours?.value;
  if (hours === undefined) return 'This is free as far as we know: the venue has stated no terms for it.';
  const until = new Date(tableAt.getTime() - hours * HOUR_MS);
  if (now <= until) return `This is free until ${localDayAndTime(until, timezone)}, local time.`;
  const deposit = terms.deposit?.value.amount_minor ?? 0;
  return `The venue asks guests to cancel at least ${formatCount(hours, 'hour')} before, which is no longer possible. ${
    deposit > 0 ? 'It may keep your deposit.' : 'It may charge you; ask it if you are not sure.'
  }`;
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

function dayOf(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`));
}
