import type { BookingRecord, RecordedAsk } from '../../../../bookings/booking-roster.ts';
import type { BookingOffer } from '../../../../bookings/booking-row.ts';
import { channelNamed } from '../../../../bookings/channels/channels.ts';
import type { SealedEntry } from '../../../../bookings/timeline.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { DeliveryRow } from '../../../../webhooks/delivery-state.ts';
import { table } from '../../frame/table.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { formatTime } from '../moment.ts';
import { formatTable, ACTOR_LABELS } from './booking-words.ts';

/** Lists the booking's timeline in order, with the webhook delivery of each entry. */
export function timelineSection({ entries, deliveries }: BookingRecord): Html {
  const deliveriesBySequence = new Map(deliveries.map((delivery) => [delivery.sequence, delivery]));
  return html`<section class="card flow">
    <h2>Timeline</h2>
    ${table(
      { className: 'dense stack', columns: ['What happened', 'When', 'By', 'Way', 'Webhook to the partner'] },
      entries.map((entry) => entryRow(entry, deliveriesBySequence.get(entry.sequence))),
    )}
  </section>`;
}

function entryRow(entry: SealedEntry, delivery: DeliveryRow | undefined): Html {
  const { at, event, actor, channel, text, from, to } = entry;
  return html`<tr>
    <th scope="row"><bdi>${text === '' ? sentenceCase(event) : text}</bdi></th>
    <td>${formatTime(at)}</td>
    <td data-label="by">${ACTOR_LABELS[actor]}</td>
    <td>${channel !== null && channelNamed(channel).label}</td>
    <td data-label="webhook">
      ${from === to ? html`<span class="soft">none: the status is the same</span>` : deliveryWords(delivery)}
    </td>
  </tr>`;
}

const DELIVERY_BADGES = { delivered: 'good', pending: 'warn', given_up: 'bad' } as const;

function deliveryWords(delivery: DeliveryRow | undefined): Html {
  if (delivery === undefined) return html`<span class="soft">none: no address was set</span>`;
  const { state, attempts, http_status, error, next_attempt_at, last_attempt_at } = delivery;
  return html`<span class="badge ${DELIVERY_BADGES[state]}">${sentenceCase(state)}</span>
    <span class="soft"
      >${[
        attempts > 0 && formatCount(attempts, 'try', 'tries'),
        http_status !== null && `HTTP ${http_status}`,
        error !== null && error.replaceAll('_', ' '),
      ]
        .filter((part) => part !== false)
        .join(', ')}
      ${
        state === 'pending'
          ? next_attempt_at !== null && html`next at ${formatTime(next_attempt_at)}`
          : last_attempt_at !== null && html`on ${formatTime(last_attempt_at)}`
      }</span
    >`;
}

const STEPS: Readonly<Record<RecordedAsk['step'], string>> = {
  ask: 'Asked for the table',
  accept: 'Informed: offer accepted',
  reminder: 'Reminded',
  notify_cancelled: 'Informed: no longer wanted',
  notify_accepted: 'Informed: offer accepted',
  notify_kept: 'Informed: the table stays as it was',
};

const STATES: Readonly<Record<RecordedAsk['state'], string>> = {
  queued: 'To do',
  sending: 'Under way',
  posted: 'In the outbox',
  waiting: "On the desk's list",
  asked: 'The venue has it',
  pending: "The venue's system has yet to decide",
  answered: 'Answered',
  failed: 'Failed',
  ended: 'Over: no answer is needed any more',
};

/** Lists every contact attempt with the venue, its channel and its state. */
export function contactAttemptSection({ asks }: BookingRecord): Html {
  return html`<section class="card flow">
    <h2>How the venue was asked</h2>
    ${
      asks.length === 0
        ? html`<p class="soft">Nobody has asked the venue yet.</p>`
        : table(
            { className: 'dense stack', columns: ['What', 'Way', 'Where it stands', 'Since', 'Message'] },
            asks.map(askRow),
          )
    }
  </section>`;
}

function askRow({
  step,
  channel,
  state,
  revision,
  claimedAt,
  askedAt,
  detail,
  messageId,
}: RecordedAsk): Html {
  return html`<tr>
    <th scope="row">${STEPS[step]}${revision > 1 && ` (change ${revision - 1})`}</th>
    <td>${channelNamed(channel).label}</td>
    <td>${STATES[state]} ${detail !== null && html`<span class="soft"><bdi>${detail}</bdi></span>`}</td>
    <td data-label="since">${formatTime(askedAt ?? claimedAt)}</td>
    <td>
      ${messageId !== null && html`<a href="${safeHref(`/console/outbox?subject_id=${messageId}`)}">Message</a>`}
    </td>
  </tr>`;
}

const OFFER_STATES: Readonly<Record<BookingOffer['state'], readonly [kind: string, word: string]>> = {
  open: ['warn', 'The partner has yet to answer'],
  accepted: ['good', 'Accepted'],
  lapsed: ['', 'Not accepted in time'],
  withdrawn: ['', 'Withdrawn by the venue'],
  superseded: ['', 'Replaced by a later offer'],
};

/** Lists the venue's counter-offers; false when there are none. */
export function offerSection({ offers }: BookingRecord): Html | false {
  if (offers.length === 0) return false;
  return html`<section class="card flow">
    <h2>What the venue offered</h2>
    ${table(
      { className: 'dense stack', columns: ['Table', 'By', 'Answer of the partner', 'Good until', 'Note'] },
      offers.map((offer) => {
        const [kind, word] = OFFER_STATES[offer.state];
        return html`<tr>
          <th scope="row">${formatTable(offer)}</th>
          <td data-label="by">${ACTOR_LABELS[offer.madeBy]}</td>
          <td><span class="badge ${kind}">${word}</span></td>
          <td data-label="until">${formatTime(offer.expiresAt)}</td>
          <td>${offer.note !== null && html`<bdi>${offer.note}</bdi>`}</td>
        </tr>`;
      }),
    )}
  </section>`;
}
