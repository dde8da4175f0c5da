import { z } from 'zod';
import type { Db } from '../core/postgres/db.ts';
import { closedSet } from '../core/input/closed-set.ts';
import { codedMessageSchema } from '../webhooks/coded-message-sets.ts';
import { reasonSchema } from '../webhooks/booking-reason.ts';
import { waitingSchema } from '../webhooks/waiting-schema.ts';
import { bookingStatusSet, moverSet, rehearsalField } from '../webhooks/booking-event.ts';
import type { Booking } from './booking.ts';
import { channelNamed, channelNameSet, publicChannelSet } from './channels/channels.ts';
import { codedMessageAnswer, listCodedMessages, type CodedMessage } from './coded/coded-message.ts';
import { choiceAnswers, choiceSchema, type ChoiceAnswer } from './choices/choice-answer.ts';
import { listOffers, type BookingOffer } from './booking-row.ts';
import { filledBookingLink, bookingLinkSchema } from './booking-link.ts';
import { findRehearsalVenue } from './rehearsal/rehearsal-venue.ts';
import { tableTermsSchema, termsAnswer } from './terms/table-terms.ts';
import { waitingAnswer } from './waiting/waiting.ts';
import { listEntries, timelineEventSet, type SealedEntry, type TimelineHead } from './timeline.ts';

const guestTypeSet = closedSet('BookedFor', {
  guest: 'Your own guest, by name only.',
  member: 'A member who linked you.',
});

const clockTime = (time: Date) => time.toISOString();

export const offerSchema = z.object({
  offer_id: z.string().describe('Send it as accept_offer to modify_booking to accept.'),
  date: z.string(),
  time: z.string(),
  party_size: z.int(),
  note: z.string().nullable(),
  expires_at: z.string(),
});

const entrySchema = z.object({
  sequence: z.int(),
  at: z.string(),
  event: timelineEventSet.schema,
  from: bookingStatusSet.schema.nullable(),
  to: bookingStatusSet.schema,
  actor: moverSet.schema,
  channel: channelNameSet.schema.nullable().describe('The channel used; null: none.'),
  revision: z.int(),
  text: z.string(),
  hash: z.string().describe('SHA-256 over the previous hash and this entry.'),
});

const headSchema = z
  .object({ sequence: z.int(), hash: z.string() })
  .describe('The last entry, as in every webhook. Keep it to detect any change to the entries up to it.');

export const bookingSchema = z.object({
  booking_id: z.string(),
  status: bookingStatusSet.schema,
  booked: z.boolean().describe('true only when the venue has confirmed.'),
  rehearsal: rehearsalField,
  place: z.object({
    place_id: z.string(),
    name: z.string().nullable(),
    address: z.string().nullable(),
    timezone: z.string().describe('Date and time are local to it.'),
  }),
  date: z.string(),
  time: z.string(),
  time_until: z.string().nullable().describe('The end of the window, until the venue has named one time.'),
  party_size: z.int(),
  for: z.object({ type: guestTypeSet.schema, name: z.string(), member_id: z.string().nullable() }),
  notes: z.string().nullable(),
  channel: publicChannelSet.schema,
  answer_by: z.string().nullable(),
  revision: z.int(),
  offer: offerSchema.nullable().describe('What the venue offers instead.'),
  offers: z.array(offerSchema).describe('All open offers, where the venue made several.'),
  confirmation: z.object({ ref: z.string().nullable(), by: moverSet.schema, at: z.string() }).nullable(),
  held: z
    .object({ date: z.string(), time: z.string(), party_size: z.int() })
    .nullable()
    .describe('The table that stays confirmed while a change is requested.'),
  reverted: z.boolean().describe('true when a change failed and the earlier table stays.'),
  reason: reasonSchema,
  table_terms: tableTermsSchema.describe(
    "The venue's terms at the time of the request; a change keeps them.",
  ),
  link: bookingLinkSchema
    .nullable()
    .describe("Where the guest can book directly: the venue's system requires a payment."),
  messages: z.array(codedMessageSchema).describe('Coded messages about the table, in order.'),
  choice: choiceSchema
    .nullable()
    .describe('All venues of a request with alternatives; null: one venue was requested.'),
  wait_until: z.iso.datetime().nullable().describe('Until when the guest waits if the venue is full.'),
  waiting: waitingSchema,
  created_at: z.string(),
  updated_at: z.string(),
  last_sequence: z.int(),
  timeline: z.array(entrySchema),
  timeline_head: headSchema,
});

export type BookingAnswer = z.input<typeof bookingSchema>;

interface PlaceSummary {
  name: string;
  address: string | null;
  bookingUrl: string | null;
}

export async function bookingAnswers(db: Db, bookings: readonly Booking[]): Promise<BookingAnswer[]> {
  const ids = bookings.map(({ id }) => id);
  const offers = Map.groupBy(await listOffers(db, ids), ({ bookingId }) => bookingId);
  const entries = Map.groupBy(await listEntries(db, ids), ({ bookingId }) => bookingId);
  const messages = Map.groupBy(await listCodedMessages(db, ids), ({ bookingId }) => bookingId);
  const choiceOf = await choiceAnswers(db, bookings);
  const waiting = await Promise.all(bookings.map((booking) => waitingAnswer(db, booking)));
  const places = new Map(
    (
      await db<(PlaceSummary & { id: string })[]>`
        select id, name, address, booking_url as "bookingUrl" from place where id = any(${bookings.map(({ placeId }) => placeId)}::text[])`
    ).map((place) => [place.id, place]),
  );
  return bookings.map((booking, at) =>
    answerOf(booking, {
      place: places.get(booking.placeId),
      offers: offers.get(booking.id) ?? [],
      entries: entries.get(booking.id) ?? [],
      messages: messages.get(booking.id) ?? [],
      choice: choiceOf(booking),
      waiting: waiting[at] ?? null,
    }),
  );
}

export async function bookingAnswer(db: Db, booking: Booking): Promise<BookingAnswer> {
  const [answer] = await bookingAnswers(db, [booking]);
  if (answer === undefined) throw new Error('A booking has no answer.');
  return answer;
}

function answerOf(
  booking: Booking,
  {
    place,
    offers,
    entries,
    messages,
    choice,
    waiting,
  }: {
    place: PlaceSummary | undefined;
    offers: BookingOffer[];
    entries: SealedEntry[];
    messages: CodedMessage[];
    choice: ChoiceAnswer | null;
    waiting: BookingAnswer['waiting'];
  },
): BookingAnswer {
  const { held, confirmation, status } = booking;
  const rehearsal = findRehearsalVenue(booking.placeId);
  // Entries written after the booking was read belong to a later state.
  const timeline = entries.filter(({ sequence }) => sequence <= booking.lastSequence).map(entryAnswer);
  const open = status === 'offered' ? offers.filter(({ state }) => state === 'open').map(offerAnswer) : [];
  return {
    booking_id: booking.id,
    status,
    booked: status === 'confirmed',
    ...(rehearsal !== undefined && { rehearsal: true as const }),
    place: {
      place_id: booking.placeId,
      name: place?.name ?? rehearsal?.name ?? null,
      address: place?.address ?? null,
      timezone: booking.timezone,
    },
    date: booking.date,
    time: booking.time,
    time_until: booking.timeUntil,
    party_size: booking.partySize,
    for: { type: booking.forType, name: booking.guestName, member_id: booking.memberId },
    notes: booking.notes,
    channel: channelNamed(booking.channel).shownAs.name,
    answer_by: booking.answerBy && clockTime(booking.answerBy),
    revision: booking.revision,
    offer: open[0] ?? null,
    offers: open,
    confirmation: confirmation && { ...confirmation, at: clockTime(confirmation.at) },
    held: held && { date: held.date, time: held.time, party_size: held.partySize },
    reverted: booking.reverted,
    reason: booking.reason,
    table_terms: termsAnswer(booking.terms),
    link: filledBookingLink(booking, place?.bookingUrl ?? null),
    messages: messages.map(codedMessageAnswer),
    choice,
    wait_until: booking.waitUntil && clockTime(booking.waitUntil),
    waiting,
    created_at: clockTime(booking.createdAt),
    updated_at: clockTime(booking.updatedAt),
    last_sequence: booking.lastSequence,
    timeline,
    timeline_head: headOf(timeline),
  };
}

export function offerAnswer({
  id,
  date,
  time,
  partySize,
  note,
  expiresAt,
}: BookingOffer): z.input<typeof offerSchema> {
  return { offer_id: id, date, time, party_size: partySize, note, expires_at: clockTime(expiresAt) };
}

type EntryAnswer = z.input<typeof entrySchema>;

/** Returns an entry as it was hashed, so that the recipient can recompute the hash. */
function entryAnswer({ bookingId: _, at, ...rest }: SealedEntry): EntryAnswer {
  return { ...rest, at: clockTime(at) };
}

export function headOf(timeline: readonly EntryAnswer[]): TimelineHead {
  const { sequence, hash } = timeline.at(-1) ?? { sequence: 0, hash: '' };
  return { sequence, hash };
}
