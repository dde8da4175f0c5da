import type { KnownTerms } from '../../../bookings/terms/table-terms.ts';
import { termSentences } from '../../../bookings/terms/term-words.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { MemberTable } from '../../../members/list-tables.ts';
import type { Member } from '../../../members/member.ts';
import { actionForm } from '../form/action-form.ts';
import { badge, userText } from '../frame/components.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { pointMap, showsStreets } from '../traveller/map/street-figure.ts';
import { localTime } from '../traveller/local-clock.ts';
import { acceptOwnOffer, cancelOwnTable, changeOwnTable } from './own-table.ts';

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
  const [, , meaning] = STATES[table.status];
  const own = table.partnerName === null;
  const offered = own ? 'The venue offers another table. Accept it, or ask for another time.' : meaning;
  const words = table.waiting ? WAITS : table.status === 'offered' ? offered : meaning;
  return html`${tableWhen(table)}
    <p class="hint" role="status">
      ${words}${deadline(table, now)}
      ${table.held !== null && `Your confirmed table, ${dayOf(table.held.date)}, ${table.held.time}, stays until then.`}
      ${table.halted && 'Requests are stopped at the moment; the venue is asked once they go on.'}
      ${!own && html`Requested by ${userText(table.partnerName)}.`}
    </p>
    ${termLines(table.terms)}`;
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
  if (waiting && answerBy !== null) return ` You wait until ${localTime(answerBy, timezone)}, local time.`;
  if ((status !== 'sent' && status !== 'asking') || answerBy === null || answerBy <= now) return '';
  return ` It has until ${localTime(answerBy, timezone)}, local time, to answer.`;
}

/** Renders what the guest can do with a table that they requested themselves. */
export function tableForms(req: PageRequest<Member>, table: MemberTable, state: PageState): Html | false {
  const { bookingId, status, partnerName, past, offers, date, time, partySize } = table;
  const isOpen = isWaiting(table) || (status === 'confirmed' && !past);
  if (partnerName !== null || !isOpen) return false;
  const own = state.form?.get('booking') === bookingId ? state : {};
  const changes = status === 'confirmed' || status === 'offered';
  return html`${offers.map(
    (offer, at) =>
      html`<div class="offered">
        <p>
          <strong>${dayOf(offer.date)}, ${offer.time}</strong>,
          ${formatCount(offer.partySize, 'person', 'people')}
          ${offer.note !== null && html`<br /><q>${userText(offer.note)}</q>`}
        </p>
        ${actionForm(
          req,
          acceptOwnOffer,
          {},
          {
            values: { booking: bookingId, offer: offer.id },
            buttonLabel: `Accept ${dayOf(offer.date)}, ${offer.time}`,
            idPrefix: `${bookingId}-${at}`,
          },
        )}
      </div>`,
  )}
  ${
    changes &&
    html`<details class="change" ${own.action === changeOwnTable.name && html` open`}>
      <summary>Ask for another time</summary>
      ${actionForm(req, changeOwnTable, own, {
        className: 'table-form',
        values: { booking: bookingId, date, time, party_size: String(partySize) },
        idPrefix: `change-${bookingId}`,
      })}
    </details>`
  }
  ${actionForm(
    req,
    cancelOwnTable,
    {},
    {
      values: { booking: bookingId },
      button: status === 'confirmed' ? 'Cancel the table' : 'Withdraw the request',
    },
  )}`;
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
