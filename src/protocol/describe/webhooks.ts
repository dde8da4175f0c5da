import type { Config } from '../../config.ts';
import type { OutgoingEvent } from '../../core/operation.ts';
import { attributionOf } from '../../directory/attribution.ts';
import { eventJsonSchema } from './json-schema.ts';

/** Describes an outgoing event as an operation that the receiver serves. */
export function webhookOf(config: Config, event: OutgoingEvent): Record<string, unknown> {
  const { name, title, description, to, body } = event;
  return {
    operationId: name,
    summary: title,
    description: `${description} ${RULES[to]}`,
    tags: ['webhooks'],
    security: [],
    parameters: Object.keys(eventHeaders(config.prefix)).map((header) => ({
      $ref: `#/components/parameters/${header}`,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: eventJsonSchema(body),
          example: { ...event.example, ...attributionOf(config, false) },
        },
      },
    },
    responses: {
      '2XX': { $ref: '#/components/responses/event_taken' },
      410: { $ref: '#/components/responses/event_unwanted' },
      '4XX': { $ref: '#/components/responses/event_failed' },
    },
  };
}

/** How receivers verify that an event is from us. */
const RULES = {
  partner:
    'Posted to the address of set_webhook and signed with its secret: the key is what follows whsec_, decoded from base64.',
  agent:
    'Posted to the callback_url of the submission and signed with Ed25519; callback_keys_url of your account has the public keys.',
} as const;

/** Headers of every outgoing event. Each attempt is signed again. */
export function eventHeaders(prefix: string): Record<string, Record<string, unknown>> {
  const words = {
    [`${prefix}-signature`]:
      't=<unix seconds>, then v1=<hex HMAC-SHA256> for partners or v1a=<base64 Ed25519> for agents, over {t}.{raw body}.',
    'webhook-id': 'The id in the body.',
    'webhook-timestamp': 'Unix seconds of this attempt. Refuse calls that are more than five minutes off.',
    'webhook-signature':
      'Standard Webhooks: v1,<base64 HMAC-SHA256> for partners and v1a,<base64 Ed25519>, separated by spaces, over {webhook-id}.{webhook-timestamp}.{raw body}.',
  };
  return Object.fromEntries(
    Object.entries(words).map(([name, description]) => [
      name,
      { name, in: 'header', required: true, description, schema: { type: 'string' } },
    ]),
  );
}

export const EVENT_RESPONSES = {
  event_taken: { description: 'Received.' },
  event_unwanted: {
    description: 'You want no more calls: this delivery is given up, and a webhook is switched off.',
  },
  event_failed: { description: 'Any other answer, or none: the delivery is retried for a day.' },
} as const;
