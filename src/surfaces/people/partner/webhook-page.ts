import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { tryAgain, webhookBody } from '../../../webhooks/deliver-webhook.ts';
import { findDelivery, listDeliveries, type DeliveryRow } from '../../../webhooks/delivery-state.ts';
import {
  findEndpoint,
  lockEndpoint,
  removeEndpoint,
  secretHint,
  setEndpoint,
  type WebhookEndpoint,
} from '../../../webhooks/endpoint.ts';
import { queueTestEvent } from '../../../webhooks/queue-booking-event.ts';
import { statusLabel } from '../console/bookings/booking-words.ts';
import { formatTime } from '../console/moment.ts';
import { deliveryWords } from '../delivery-words.ts';
import { codeBlock, highlightJson } from '../docs/code-block.ts';
import { actionForm } from '../form/action-form.ts';
import { textInput } from '../form/fields.ts';
import { badge, card, emptyState, link } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { recordTable } from '../frame/table.ts';
import { conflict, defineAction, type ActionContext, type ActionResult } from '../person/action.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { definePage, ofAccount } from '../person/page.ts';
import { partner } from '../person/people.ts';
import type { ListedPartner } from '../../../accounts/partners/partner-roster.ts';

const PATH = '/partner/webhook';
const DELIVERIES_SHOWN = 50;
const TESTS_PER_HOUR = 30;

type Act = ActionContext<ListedPartner>;

async function storeEndpoint(act: Act, url: string, rotate: boolean): Promise<ActionResult> {
  const { person, now } = act;
  const { secret } = await setEndpoint(act.deps, act.db, { partnerId: person.id, url, rotate, now });
  act.audit(person.id, { rotated: rotate });
  if (secret === null) return { done: true };
  return {
    view: {
      title: 'The secret of your webhook',
      lead: html`Every move of your bookings is sent to <bdi>${url}</bdi>.`,
      body: html`<div class="prose flow">
        ${codeBlock('Secret', secret)}
        <p>
          <strong>Copy it now.</strong> With it your receiver checks that a delivery is ours; it is not shown
          again. ${rotate && 'The previous secret also signs for 24 hours.'}
        </p>
        <p><a href="${PATH}">Back to the webhook, to send a test event</a></p>
      </div>`,
    },
  };
}

const setUrl = defineAction({
  name: 'partner_set_webhook',
  path: PATH,
  who: partner,
  title: 'Where events are sent',
  fields: {
    url: textInput(z.string().trim().min(9).max(2048), {
      label: 'Address of your receiver',
      hint: 'It begins with https://. It receives every move of your bookings.',
      type: 'url',
      maxlength: 2048,
      required: true,
    }),
  },
  callbackUrlFields: ['url'],
  button: 'Save',
  done: 'It is saved. Your secret stays the same.',
  run: (act, { url }) => storeEndpoint(act, url, false),
});

const rotateSecret = defineAction({
  name: 'partner_rotate_webhook_secret',
  path: `${PATH}/secret`,
  who: partner,
  button: 'New secret',
  async run(act) {
    return storeEndpoint(act, (await endpointOf(act)).url, true);
  },
});

const removeWebhook = defineAction({
  name: 'partner_remove_webhook',
  path: `${PATH}/removal`,
  who: partner,
  button: 'Remove the webhook',
  danger: true,
  confirm: 'Nothing is sent any more, and deliveries that are still retried are given up.',
  done: 'The webhook is removed.',
  async run(act) {
    await endpointOf(act);
    await removeEndpoint(act.db, act.person.id, act.now);
    act.audit(act.person.id);
  },
});

const sendTest = defineAction({
  name: 'partner_test_webhook',
  path: `${PATH}/test`,
  who: partner,
  button: 'Send a test event',
  plain: false,
  rateLimits: [
    {
      name: 'webhook-tests',
      windowMs: 3_600_000,
      max: () => TESTS_PER_HOUR,
      message: 'Too many test events within an hour.',
    },
  ],
  async run(act) {
    const endpoint = await endpointOf(act);
    if (endpoint.disabled_reason !== null)
      conflict('The webhook is switched off. Save its address again first.');
    const id = await queueTestEvent(act.db, act, act.person.id);
    act.audit(act.person.id, { delivery: id });
    return { to: `${PATH}/deliveries/${id}` };
  },
});

const redeliver = defineAction({
  name: 'partner_redeliver',
  path: `${PATH}/deliveries/:id`,
  who: partner,
  button: 'Send it again',
  plain: false,
  done: 'It is being sent again.',
  async run(act) {
    await endpointOf(act);
    const { id = '' } = act.params;
    if (!(await tryAgain(act.db, { id, partnerId: act.person.id, now: act.now })))
      conflict('It cannot be sent again: it is being sent now, or its content was erased.');
    act.audit(act.person.id, { delivery: id });
  },
});

async function endpointOf(act: Act): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(act.db, act.person.id);
  return endpoint ?? conflict('No webhook is set. Save an address first.');
}

/** The webhook: its address and secret, a test event, and what was delivered. */
export const webhookPage = definePage({
  path: PATH,
  ...ofAccount(partner),
  nav: { label: 'Webhook' },
  async load({ deps: { pool }, person }) {
    const [endpoint, deliveries] = await Promise.all([
      findEndpoint(pool, person.id),
      listDeliveries(pool, person.id, DELIVERIES_SHOWN),
    ]);
    return { endpoint, deliveries };
  },
  view: (req, { endpoint, deliveries }, state) => ({
    title: 'Webhook',
    lead: 'Your program learns of every move of your bookings at once, signed.',
    body: html`${endpoint !== undefined && endpointCard(req, endpoint, state)}
    ${actionForm(req, setUrl, state, {
      values: { url: endpoint?.url ?? '' },
      ...(endpoint !== undefined && { title: 'Change the address' }),
    })}
    ${
      deliveries.length === 0
        ? emptyState(
            'No deliveries',
            'Each event that is sent to you appears here, with the answer of your receiver.',
          )
        : deliveryTable(deliveries)
    }`,
  }),
  actions: [setUrl, rotateSecret, removeWebhook, sendTest],
});

function endpointCard(req: PageRequest<ListedPartner>, endpoint: WebhookEndpoint, state: PageState): Html {
  const { url, disabled_reason: disabled, created_at: since } = endpoint;
  return card(
    'Your webhook',
    html`${definitionList('record', [
        ['Address', html`<bdi>${url}</bdi>`],
        [
          'State',
          disabled === null
            ? badge('good', 'On')
            : badge('bad', 'Off: your receiver answered 410. Save the address again.'),
        ],
        ['Secret', html`<code>${secretHint(req.deps, endpoint, req.now)}</code>`],
        ['Since', formatTime(since)],
      ])}
      <div class="row-forms">${actionForm(req, sendTest, state)} ${actionForm(req, rotateSecret, state)}</div>
      ${actionForm(req, removeWebhook, state)}`,
  );
}

function deliveryTable(deliveries: readonly DeliveryRow[]): Html {
  return recordTable(
    'dense stack rows',
    deliveries,
    [
      ['Event', (row) => link(`${PATH}/deliveries/${row.delivery_id}`, eventLabel(row))],
      ['State', deliveryWords],
      [
        'Booking',
        ({ booking_id: id }) => id !== null && link(`/partner/bookings/${id}`, html`<code>${id}</code>`),
        'booking',
      ],
    ],
    'Deliveries',
  );
}

function eventLabel({ event }: Pick<DeliveryRow, 'event'>): string {
  return event === 'test' ? 'Test event' : statusLabel(event);
}

/** One delivery: what was sent, what came back, and the button to send it again. */
export const deliveryPage = definePage({
  path: `${PATH}/deliveries/:id`,
  ...ofAccount(partner),
  async load({ deps: { pool }, person, params: { id = '' } }) {
    const delivery = await findDelivery(pool, { id, partnerId: person.id });
    if (delivery === undefined) throw new AppError('not_found', 'You have no delivery with this id.');
    return delivery;
  },
  view: (req, delivery, state) => ({
    title: eventLabel(delivery),
    lead: html`<code>${delivery.delivery_id}</code> ${deliveryWords(delivery)}`,
    body: html`${card(
        'Answer of your receiver',
        html`<p>
            ${
              delivery.http_status !== null
                ? `HTTP ${delivery.http_status}`
                : delivery.error !== null
                  ? `No answer: ${delivery.error.replaceAll('_', ' ')}`
                  : 'No answer yet. Load the page again in a moment.'
            }
          </p>
          <p class="soft">The text of the answer is not read: only its status counts.</p>
          ${delivery.state !== 'pending' && delivery.data !== null && actionForm(req, redeliver, state)}`,
      )}
      ${
        delivery.data === null
          ? card(
              'What was sent',
              html`<p class="soft">The content is erased 30 days after the end of a delivery.</p>`,
            )
          : codeBlock(
              'What was sent',
              highlightJson(JSON.stringify(webhookBody(req.deps, delivery), null, 2)),
            )
      }
      <p><a href="${PATH}">All deliveries</a></p>`,
  }),
  actions: [redeliver],
});
