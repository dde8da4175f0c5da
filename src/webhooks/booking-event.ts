import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';
import { reasonSchema } from './booking-reason.ts';
import { defineEvent, type OutgoingEvent } from '../core/operation.ts';

/** The seven statuses of a booking; each is also the name of the event that reports it. */
export const bookingStatusSet = closedSet(
  'BookingStatus',
  {
    sent: 'Received; the venue has not been asked yet.',
    asking: 'The venue is being asked.',
    offered: 'The venue offers another table; accept it with accept_offer.',
    confirmed: 'The venue holds the table.',
    declined: 'The venue said no.',
    no_answer: 'The venue did not answer in time.',
    cancelled: 'The table is no longer wanted or no longer held.',
  },
  { explainedInTools: false },
);
export const BOOKING_EVENTS = bookingStatusSet.values;

/** Who moves a booking. `service` is a timer of ours; `desk` is a member of our staff who spoke with the venue. */
export const moverSet = closedSet('BookingActor', {
  partner: 'You.',
  venue: 'The venue, by tap, mail, phone or on its pages.',
  venue_system: "The venue's booking system.",
  desk: 'Our staff, who spoke with the venue.',
  service: 'Our service, when a time limit passed.',
});

export type BookingEvent = (typeof BOOKING_EVENTS)[number];

/** The data of a move that is sent to the partner. It never contains the guest's identity, which the partner knows. */
export interface BookingMove {
  bookingId: string;
  status: BookingEvent;
  previousStatus: BookingEvent | null;
  placeId: string;
  /** Date (YYYY-MM-DD) and time (HH:mm) are local to the place. */
  date: string;
  time: string;
  partySize: number;
  revision: number;
  actor: (typeof moverSet.values)[number];
  reason: string | null;
  offer: {
    offerId: string;
    date: string;
    time: string;
    partySize: number;
    note: string | null;
    expiresAt: Date;
  } | null;
  confirmation: { ref: string | null; at: Date } | null;
  link: BookingEventBody['link'];
  answerBy: Date | null;
  /**
   * The move's timeline entry. Its hash later proves, together with the timeline, what came before and that no entry is
   * missing.
   */
  timelineHead: { sequence: number; hash: string };
}

type BookingEventType = `booking.${BookingEvent}`;

/** Event names as sent to receivers. */
const bookingEventTypeSet = closedSet(
  'BookingEventType',
  Object.fromEntries(
    Object.entries(bookingStatusSet.sentences).map(([event, sentence]) => [`booking.${event}`, sentence]),
  ) as Record<BookingEventType, string>,
);

const TEST_SENTENCE = 'A test that you asked for; it belongs to no booking.';

/** All events that a delivery can carry. */
export const deliveryEventSet = closedSet('DeliveryEvent', {
  ...bookingStatusSet.sentences,
  test: TEST_SENTENCE,
});

const day = z.iso.date().describe('Local to the place.');
const time = z.string().describe('HH:mm, local to the place.');
const partySize = z.int();

const moveSchema = z.object({
  booking_id: z.string(),
  status: bookingStatusSet.schema,
  previous_status: bookingStatusSet.schema.nullable(),
  booked: z.boolean().describe('True only in confirmed.'),
  place_id: z.string(),
  date: day,
  time,
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
  answer_by: z.iso.datetime().nullable(),
  timeline_head: z
    .object({ sequence: z.int(), hash: z.string() })
    .describe("The entry of this move in the booking's timeline, by its number and its hash."),
});

/** The `data` member of a delivery's body. */
export type BookingEventBody = z.infer<typeof moveSchema>;

const delivery = {
  id: z.string().describe('The same at every attempt, and in the header webhook-id.'),
  timestamp: z.iso.datetime().describe('When it happened.'),
};

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

/** The body of a delivery, before the attribution. */
export type DeliveryBody = z.infer<typeof moveBody> | z.infer<typeof testBody>;

const EXAMPLE_AT = '2026-11-14T12:00:00.000Z';

/** Events that are sent to the URL of set_webhook. */
export const WEBHOOK_EVENTS: readonly OutgoingEvent[] = [
  defineEvent({
    name: 'booking_move',
    title: 'A booking has moved',
    description: `Every move of a booking, in the order of sequence: ${BOOKING_EVENTS.join(', ')}.`,
    to: 'partner',
    body: moveBody,
    example: {
      id: 'msg_01kdtqb00071qz6sbs7e2vkqza',
      type: 'booking.confirmed',
      event: 'confirmed',
      timestamp: EXAMPLE_AT,
      sequence: 4,
      data: {
        booking_id: 'bkg_01kdtqb00071qz6sbs7e2vkqza',
        status: 'confirmed',
        previous_status: 'asking',
        booked: true,
        place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
        date: '2026-11-20',
        time: '19:30',
        party_size: 4,
        revision: 3,
        actor: 'venue',
        reason: null,
        offer: null,
        confirmation: { ref: null, at: EXAMPLE_AT },
        link: null,
        answer_by: null,
        timeline_head: {
          sequence: 4,
          hash: '9d1c3b0e4f6a7d28c5b1e0f39a8c7264d5e1f0b2a3948576c1d2e3f405162738',
        },
      },
    },
  }),
  defineEvent({
    name: 'webhook_test',
    title: 'A test of the address',
    description: 'Sent by set_webhook with send_test. It belongs to no booking.',
    to: 'partner',
    body: testBody,
    example: {
      id: 'msg_01kdtqb00071qz6sbs7e2vkqza',
      type: 'webhook.test',
      event: 'test',
      timestamp: EXAMPLE_AT,
      sequence: 0,
      data: {},
    },
  }),
];

export function bookingEventBody(move: BookingMove): BookingEventBody {
  const { offer, confirmation } = move;
  return {
    booking_id: move.bookingId,
    status: move.status,
    previous_status: move.previousStatus,
    booked: move.status === 'confirmed',
    place_id: move.placeId,
    date: move.date,
    time: move.time,
    party_size: move.partySize,
    revision: move.revision,
    actor: move.actor,
    reason: move.reason,
    offer: offer && {
      offer_id: offer.offerId,
      date: offer.date,
      time: offer.time,
      party_size: offer.partySize,
      note: offer.note,
      expires_at: offer.expiresAt.toISOString(),
    },
    confirmation: confirmation && { ref: confirmation.ref, at: confirmation.at.toISOString() },
    link: move.link,
    answer_by: move.answerBy?.toISOString() ?? null,
    timeline_head: move.timelineHead,
  };
}
