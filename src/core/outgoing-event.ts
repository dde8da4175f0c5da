import type { z } from 'zod';

/** Something that is posted to others, written once: openapi.json and the reference are made from it. */
export interface OutgoingEvent {
  /** snake_case; its name among the webhooks of openapi.json. */
  name: string;
  title: string;
  description: string;
  /** Who gets it: a partner at the address of set_webhook, or an agent at the callback_url of a submission. */
  to: 'partner' | 'agent';
  /** The body, without the attribution, which every body has. */
  body: z.ZodObject;
  example: Record<string, unknown>;
}

/** Gives an event literal its exact types and then forgets them, so that one list can hold all events. */
export function defineEvent<Body extends z.ZodObject>(
  event: Omit<OutgoingEvent, 'body' | 'example'> & { body: Body; example: z.input<Body> },
): OutgoingEvent {
  return event;
}
