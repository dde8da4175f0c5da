import { z } from 'zod';
import { codedMessageSchema } from './coded-message-sets.ts';
import { closedSet } from '../core/input/closed-set.ts';
import { reasonSchema } from './booking-reason.ts';
import { waitingSchema } from './waiting-schema.ts';
import type { OutgoingEvent } from '../core/operation.ts';
import examples from './event-examples.json' with { type: 'json' };
import sets from './booking-sets.json' with { type: 'json' };

/** The seven statuses of a booking; each is also the name of the event that reports it. */
export const bookingStatusSet = closedSet('BookingStatus', sets.BookingStatus, { explainedInTools: false });
export const BOOKING_EVENTS = bookingStatusSet.values;

/** Who moves a booking. `service` is a timer of ours; `desk` is a member of our staff who spoke with the venue. */
export const moverSet = closedSet('BookingActor', sets.BookingActor);

export type BookingEvent = (typeof BOOKING_EVENTS)[number];

type BookingEventType = `booking.${BookingEvent}`;

const bookingEventTypeSet = closedSet(
  'BookingEventType',
  Object.fromEntries(
    Object.entries(bookingStatusSet.sentences).map(([event, sentence]) => [`booking.${event}`, sentence]),
  ) as Record<BookingEventType, string>,
);

export const MESSAGE_EVENT = 'message';
const MESSAGE_SENTENCE = 'The venue sent a coded message, or has seen yours (seen_at).';
const TEST_SENTENCE = 'A test that you asked for; it belongs to no booking.';

export const deliveryEventSet = closedSet('DeliveryEvent', {
  ...bookingStatusSet.sentences,
  [MESSAGE_EVENT]: MESSAGE_SENTENCE,
  test: TEST_SENTENCE,
});

export const rehearsalField = z
  .literal(true)
  .optional()
  .describe('Set at a rehearsal venue, where there is no table.');

const day = z.iso.date().describe('Local to the place.');
const time = z.string().describe('HH:mm, local to the place.');
const partySize = z.int();

const timelineHeadField = z
  .object({ sequence: z.int(), hash: z.string() })
  .describe("Its entry in the booking's timeline, by its number and its hash.");

const moveSchema = z.object({
  booking_id: z.string(),
  rehearsal: rehearsalField,
  status: bookingStatusSet.schema,
  previous_status: bookingStatusSet.schema.nullable(),
  booked: z.boolean().describe('True only in confirmed.'),
  place_id: z.string(),
  date: day,
  time,
  time_until: time.nullable().describe('The end of the window, until the venue has named one time.'),
  party_size: partySize,
  revision: z.int(),
  actor: moverSet.schema,
  reason: reasonSchema,
  offer: z
    .object({
      offer_id: z.string(),
      date: day,
      time,
      party_size: partySize,
      note: z.string().nullable(),
      expires_at: z.iso.datetime(),
    })
    .nullable(),
  confirmation: z.object({ ref: z.string().nullable(), at: z.iso.datetime() }).nullable(),
  link: z
    .object({
      url: z.url(),
      prefilled: z.object({ party_size: z.boolean(), date: z.boolean(), time: z.boolean() }),
    })
    .nullable()
    .describe("The venue's own booking page, when its system requires a payment, which we never make."),
  choice: z
    .object({
      choice_id: z.string(),
      position: z.int().describe("This venue's position in the order, from 1."),
      venues: z.int().describe('How many venues the choice has.'),
    })
    .nullable()
    .describe('The choice of several venues that the booking belongs to; null: one venue was requested.'),
  waiting: waitingSchema,
  answer_by: z.iso.datetime().nullable(),
  timeline_head: timelineHeadField,
});

/** The data of a move. It never contains the guest's identity, which the partner knows. */
export type BookingEventBody = z.infer<typeof moveSchema>;

const delivery = {
  id: z.string().describe('The same at every attempt, and in the header webhook-id.'),
  timestamp: z.iso.datetime().describe('When it happened.'),
};

const messageBody = z.object({
  ...delivery,
  type: z.literal(`booking.${MESSAGE_EVENT}`).describe(MESSAGE_SENTENCE),
  event: deliveryEventSet.always(MESSAGE_EVENT),
  sequence: z.int().describe('Its entry in the timeline of the booking.'),
  data: z.object({
    booking_id: z.string(),
    rehearsal: rehearsalField,
    status: bookingStatusSet.schema,
    place_id: z.string(),
    messages: z
      .array(codedMessageSchema)
      .describe('The new message of the venue, or yours that it has seen.'),
    timeline_head: timelineHeadField,
  }),
});

/** The data of a coded message. */
export type MessageEventBody = z.infer<typeof messageBody>['data'];

const moveBody = z.object({
  ...delivery,
  type: bookingEventTypeSet.schema,
  event: bookingStatusSet.schema,
  sequence: z.int().describe('Increases with every move of a booking: the highest is current.'),
  data: moveSchema,
});

const testBody = z.object({
  ...delivery,
  type: z.literal('webhook.test').describe(TEST_SENTENCE),
  event: deliveryEventSet.always('test'),
  sequence: z.literal(0),
  data: z.object({}),
});

export const WEBHOOK_EVENTS: readonly OutgoingEvent[] = [
  {
    name: 'booking_move',
    title: 'A booking has moved',
    description: `Every move of a booking, in the order of sequence: ${BOOKING_EVENTS.join(', ')}.`,
    to: 'partner',
    body: moveBody,
    example: examples.booking_move,
  },
  {
    name: 'booking_message',
    title: 'A coded message about a table',
    description:
      'The venue sent a coded message about a confirmed table, or has seen yours. The status stays the same.',
    to: 'partner',
    body: messageBody,
    example: examples.booking_message,
  },
  {
    name: 'webhook_test',
    title: 'A test of the address',
    description: 'Sent by set_webhook with send_test. It belongs to no booking.',
    to: 'partner',
    body: testBody,
    example: examples.webhook_test,
  },
];
