import type { DeliveryState } from '../../../delivery/delivery-state.ts';
import { listAllDeliveries, type ListedDelivery } from '../../../webhooks/delivery-state.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { rowLink, userText } from '../frame/components.ts';
import { deliveryWords } from '../delivery-words.ts';
import { partnerLink, statusLabel } from './bookings/booking-words.ts';
import { listPage } from './list-page.ts';
import { formatTime } from './moment.ts';

const PATH = '/console/deliveries';

const STATES: readonly (readonly [value: '' | 'failing' | DeliveryState, label: string])[] = [
  ['', 'All'],
  ['failing', 'Not accepted yet, tried again'],
  ['given_up', 'Given up'],
  ['pending', 'On the way'],
  ['delivered', 'Accepted'],
];

/** Webhooks to partners: what arrived, what is tried again and what was given up. */
export const deliveriesPage = listPage({
  title: 'Deliveries',
  path: PATH,
  key: 'v',
  follows: 'deliveries',
  lead: 'Webhooks to partners about tables, the newest first.',
  filters: () => ({ state: { label: 'State', choices: STATES } }),
  cursor: 'before',
  list: ({ deps }, { state }, { cursor, limit }) =>
    listAllDeliveries(deps.pool, { state, before: validNumber(cursor), limit }),
  keyOf: ({ number }) => number,
  columns: () => [
    ['About', aboutWords],
    ['Partner', (row) => partnerLink(row.partner_id, row.partner_name), 'partner'],
    ['State', deliveryWords],
    ['Created', ({ created_at }) => formatTime(created_at), 'created'],
  ],
  empty: 'A delivery appears here when the state of a booking changes and its partner has set a webhook.',
  noMatch: html`No delivery is in this state. <a href="${PATH}">Show all deliveries</a>`,
  more: 'Older',
});

/** Ignores a cursor that is no number of a delivery. */
function validNumber(cursor: string | undefined): string | undefined {
  return cursor !== undefined && /^\d{1,18}$/.test(cursor) ? cursor : undefined;
}

function aboutWords({ booking_id, event, place_name, partner_id }: ListedDelivery): Html {
  if (booking_id === null || event === 'test')
    return rowLink(`/console/partners/${partner_id}`, 'Test event');
  return html`${rowLink(`/console/bookings/${booking_id}`, userText(place_name ?? 'A place that is no longer listed'))}
  ${statusLabel(event)}`;
}
