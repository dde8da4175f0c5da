import { formatCount } from '../../core/text/format-count.ts';
import { html, type Html } from '../../core/text/html.ts';
import type { DeliveryRow } from '../../webhooks/delivery-state.ts';
import { formatTime } from './console/moment.ts';
import { badge, softText } from './frame/components.ts';
import { sentenceCase } from './frame/wording.ts';

const DELIVERY_BADGES = { delivered: 'good', pending: 'warn', given_up: 'bad' } as const;

/** Says how far the delivery of a webhook is: its state, its attempts and the last answer. */
export function deliveryWords(delivery: DeliveryRow | undefined): Html {
  if (delivery === undefined) return softText('none: no address was set');
  const { state, attempts, http_status, error, next_attempt_at, last_attempt_at } = delivery;
  return html`${badge(DELIVERY_BADGES[state], sentenceCase(state))}
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
