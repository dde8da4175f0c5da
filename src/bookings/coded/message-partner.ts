import type { Db } from '../../core/postgres/db.ts';
import type { VenueCode } from '../../webhooks/coded-message-sets.ts';
import { queueMessageEvent } from '../../webhooks/queue-booking-event.ts';
import type { AnswerContext } from '../answering/answer-outcome.ts';
import { lockBooking } from '../booking-row.ts';
import type { Booking, BookingMover, ChannelName } from '../booking.ts';
import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';
import { noteEntry } from '../timeline.ts';
import {
  codedMessageAnswer,
  markSeen,
  storeCodedMessage,
  takesMessages,
  type CodedMessage,
} from './coded-message.ts';
import { codedSentence } from './coded-words.ts';
import { refuseMessage } from './message-venue.ts';

interface ByVenue {
  bookingId: string;
  /** Set on a page of one venue, so that tables of other venues cannot be used. */
  placeId?: string;
  actor: Extract<BookingMover, 'venue' | 'desk'>;
  channel: ChannelName | null;
}

/** Sends a coded message of the venue to the partner, by webhook. False when there is no such table. */
export async function sendToPartner(
  tx: Db,
  ctx: AnswerContext,
  { code, at, ...by }: ByVenue & { code: VenueCode; at: string | null },
): Promise<boolean> {
  const booking = await lockOwn(tx, by);
  if (booking === undefined || !takesMessages(booking, ctx.now)) return false;
  await refuseMessage({ db: tx, now: ctx.now }, booking, 'venue');
  const message = { code, at, minutes: null, allergens: null };
  const hash = await noteEntry(tx, ctx.now, booking, {
    event: 'venue_message',
    actor: by.actor,
    channel: by.channel,
    text: `A message of the venue: ${codedSentence(message)}.`,
  });
  const { id: bookingId, lastSequence: sequence } = booking;
  const stored = { ...message, bookingId, sequence, sender: 'venue', sentAt: ctx.now, seenAt: null } as const;
  await storeCodedMessage(tx, stored);
  await notifyPartner(tx, ctx, booking, [stored], hash);
  ctx.audit(bookingId, { message: code });
  return true;
}

/** Records that the venue has seen the messages of the partner. False when there was none to see. */
export async function acknowledgeMessages(tx: Db, ctx: AnswerContext, by: ByVenue): Promise<boolean> {
  const booking = await lockOwn(tx, by);
  if (booking === undefined) return false;
  const seen = await markSeen(tx, ctx.now, booking.id);
  if (seen.length === 0) return false;
  const hash = await noteEntry(tx, ctx.now, booking, {
    event: 'message_seen',
    actor: by.actor,
    channel: by.channel,
    text: 'The venue has seen the messages.',
  });
  await notifyPartner(tx, ctx, booking, seen, hash);
  ctx.audit(booking.id, { seen: seen.length });
  return true;
}

async function lockOwn(tx: Db, { bookingId, placeId }: ByVenue): Promise<Booking | undefined> {
  const booking = await lockBooking(tx, bookingId);
  return booking === undefined || (placeId !== undefined && booking.placeId !== placeId)
    ? undefined
    : booking;
}

function notifyPartner(
  tx: Db,
  ctx: AnswerContext,
  { id, partnerId, placeId, status, lastSequence: sequence }: Booking,
  messages: readonly CodedMessage[],
  hash: string,
): Promise<void> {
  return queueMessageEvent(tx, ctx, {
    partnerId,
    bookingId: id,
    sequence,
    body: {
      booking_id: id,
      ...(isRehearsal(placeId) && { rehearsal: true as const }),
      status,
      place_id: placeId,
      messages: messages.map(codedMessageAnswer),
      timeline_head: { sequence, hash },
    },
  });
}
