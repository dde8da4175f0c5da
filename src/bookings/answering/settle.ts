import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Db } from '../../core/postgres/db.ts';
import { offerExpiry, tableInstant } from '../asking/timing.ts';
import { queueNotification, endUndecided } from '../asking/queue-notification.ts';
import type { Booking, ChannelName, HeldTable, BookingMover, TableRequest } from '../booking.ts';
import type { BookingOffer } from '../booking-row.ts';
import { moveBooking, type MoveContext, type MoveRequest } from '../move-booking.ts';
import { joinWaitingList } from '../waiting/join-waiting-list.ts';
import { isWaiting, mayWait } from '../waiting/waiting.ts';
import { tablesToRelease } from './released-tables.ts';

interface AnswerSource {
  actor: 'venue' | 'venue_system' | 'desk';
  channel: ChannelName | null;
}

/** Confirms the table: the venue accepted the request, or its system has booked the offer that the partner accepted. */
export async function confirmTable(
  ctx: MoveContext,
  booking: Booking,
  answer: AnswerSource & { ref: string | null; time?: string | undefined },
): Promise<Booking> {
  const { actor, channel, ref, time = booking.time } = answer;
  await endAsks(ctx.db, booking);
  const confirmation = { ref, by: actor, at: ctx.now };
  if (booking.status === 'offered') return confirmOffer(ctx, booking, confirmation);
  return moveBooking(ctx, booking, {
    to: 'confirmed',
    actor,
    channel,
    text: 'The venue confirmed the table.',
    change: {
      confirmation,
      held: null,
      time,
      tableAt: time === booking.time ? booking.tableAt : tableInstant(booking.timezone, booking.date, time),
    },
  });
}

/** Confirms an offer that the partner accepted: the venue has already agreed to exactly this table. */
export async function confirmOffer(
  ctx: MoveContext,
  booking: Booking,
  confirmation: { ref: string | null; by: BookingMover; at: Date },
): Promise<Booking> {
  const [offer] = await ctx.db<Pick<BookingOffer, 'date' | 'time' | 'partySize' | 'tableAt'>[]>`
    update booking_offer set state = 'accepted' where id = ${booking.acceptedOfferId}
    returning date::text as date, time, party_size as "partySize", table_at as "tableAt"`;
  if (offer === undefined) throw new Error('An accepted offer cannot be read.');
  await ctx.db`
    update booking_offer set state = 'superseded' where booking_id = ${booking.id} and state = 'open'`;
  return moveBooking(ctx, booking, {
    to: 'confirmed',
    actor: 'partner',
    text: "The venue's offer was accepted.",
    change: { ...offer, confirmation, held: null },
  });
}

/** Records the venue's no. After a no to a change, the previously confirmed table remains; a request that may wait goes on. */
export async function declineTable(
  ctx: MoveContext,
  booking: Booking,
  { actor, channel, reason }: AnswerSource & { reason: BookingReason },
): Promise<Booking> {
  await endAsks(ctx.db, booking);
  if (
    FULL.includes(reason) &&
    booking.status === 'asking' &&
    !isWaiting(booking) &&
    mayWait(booking, ctx.now)
  )
    return joinWaitingList(ctx, booking, { actor, channel });
  await ctx.db`
    update booking_offer set state = 'withdrawn' where booking_id = ${booking.id} and state = 'open'`;
  if (booking.held !== null)
    return restoreHeld(ctx, booking, booking.held, {
      actor,
      channel,
      reason: 'change_declined',
      text: 'The venue cannot make the change; the earlier table stays confirmed.',
      tell: false,
    });
  return moveBooking(ctx, booking, {
    to: 'declined',
    actor,
    channel,
    text:
      DECLINED_WORDS[reason] ??
      (booking.status === 'offered' ? 'The venue withdrew its offer.' : 'The venue declined.'),
    change: { reason },
  });
}

/** Reasons for which a table may still become free. */
const FULL: readonly BookingReason[] = ['venue_declined', 'slot_unavailable'];

const DECLINED_WORDS: Readonly<Record<string, string>> = {
  none_free: 'The venue says that no table will become free.',
  payment_required:
    "The venue's system requires a payment before it confirms, and we never pay. The guest can book directly on the venue's own page.",
};

export async function offerTables(
  ctx: MoveContext,
  booking: Booking,
  {
    actor,
    channel,
    offers,
    ref = null,
    expiryOf = offerExpiry,
    text = offers.length === 1 ? 'The venue offers another table.' : 'The venue offers other tables.',
  }: AnswerSource & {
    offers: readonly (TableRequest & { note?: string })[];
    ref?: string | null;
    expiryOf?: (now: Date, tableAt: Date) => Date;
    text?: string;
  },
): Promise<Booking> {
  await endAsks(ctx.db, booking);
  const newOffers = offers.map(({ date, time, partySize, note }): BookingOffer => {
    const tableAt = tableInstant(booking.timezone, date, time);
    return {
      id: ctx.newId('off'),
      bookingId: booking.id,
      date,
      time,
      partySize,
      tableAt,
      note: note ?? null,
      madeBy: actor,
      expiresAt: expiryOf(ctx.now, tableAt),
      state: 'open',
      ref,
    };
  });
  for (const [rank, offer] of newOffers.entries())
    await ctx.db`
      insert into booking_offer (id, booking_id, revision, date, time, party_size, table_at, note, made_by, expires_at,
                                 created_at, rank, ref)
      values (${offer.id}, ${booking.id}, ${booking.revision}, ${offer.date}, ${offer.time}, ${offer.partySize}, ${offer.tableAt},
              ${offer.note}, ${actor}, ${offer.expiresAt}, ${ctx.now}, ${rank}, ${offer.ref})`;
  const [first] = newOffers;
  if (first === undefined) return declineTable(ctx, booking, { actor, channel, reason: 'slot_unavailable' });
  return moveBooking(ctx, booking, { to: 'offered', actor, channel, offer: first, text });
}

export function cancelTable(ctx: MoveContext, booking: Booking, reason: string | null): Promise<Booking> {
  return cancelAndRelease(ctx, booking, { actor: 'partner', text: 'The request was cancelled.', reason });
}

type GivenUpBy = ({ actor: 'partner'; reason: string | null } | { actor: 'service'; reason: BookingReason }) &
  Pick<MoveRequest, 'withdrawn' | 'asksNext'>;

/**
 * Cancels the booking. Unsent messages are withdrawn, and a venue that was reached is notified, unless it had no table
 * and the guest only waited.
 */
export async function cancelAndRelease(
  ctx: MoveContext,
  booking: Booking,
  { actor, text, reason, ...choice }: { text: string } & GivenUpBy,
): Promise<Booking> {
  await withdrawQueuedMessages(ctx, booking);
  const released = isWaiting(booking) ? [] : await tablesToRelease(ctx.db, booking);
  const cancelled = await moveBooking(ctx, booking, {
    to: 'cancelled',
    actor,
    ...choice,
    text: booking.held === null ? text : `${text} The confirmed table is cancelled too.`,
    change: { reason, released },
  });
  if (!isWaiting(booking)) await queueNotification(ctx, cancelled, 'notify_cancelled');
  await ctx.db`
    update venue_ask set state = 'ended'
    where booking_id = ${booking.id} and step in ('ask','accept','reminder')
      and state in ('waiting','posted','asked','pending')`;
  await ctx.db`update booking_offer set state = 'superseded' where booking_id = ${booking.id} and state = 'open'`;
  return cancelled;
}

/** Cancels a table that the venue promised and cannot keep. Its system is notified unless it reported this. */
export async function cancelByVenue(ctx: MoveContext, booking: Booking, by: AnswerSource): Promise<Booking> {
  const text = 'The venue cannot keep the table; the change is cancelled too.';
  const current =
    booking.held === null
      ? booking
      : await restoreHeld(ctx, booking, booking.held, {
          ...by,
          reason: 'change_declined',
          text,
          tell: false,
        });
  await ctx.db`update booking_offer set state = 'withdrawn' where booking_id = ${booking.id} and state = 'open'`;
  const cancelled = await moveBooking(ctx, current, {
    to: 'cancelled',
    ...by,
    text: 'The venue cancelled the table.',
    change: { reason: 'venue_cancelled' satisfies BookingReason },
  });
  if (by.actor !== 'venue_system') await queueNotification(ctx, current, 'notify_cancelled', 'system');
  return cancelled;
}

/** Withdraws queued messages that have not been sent, unless they also concern other bookings. */
export async function withdrawQueuedMessages(ctx: MoveContext, { id }: Booking): Promise<void> {
  await ctx.db`
    with withdrawn as (
      update message m set state = 'failed', body = null, finished_at = ${ctx.now}, last_error = 'No longer wanted.'
      from venue_ask a
      where a.booking_id = ${id} and a.message_id = m.id and a.state = 'posted' and m.state = 'queued'
        and not exists (select from venue_ask o where o.message_id = m.id and o.booking_id <> ${id} and o.state = 'posted')
      returning m.id)
    update venue_ask a set state = 'failed', detail = 'No longer wanted.' from withdrawn w where a.message_id = w.id`;
}

async function endAsks(tx: Db, { id }: Booking): Promise<void> {
  await tx`
    update venue_ask set state = 'answered'
    where booking_id = ${id} and step in ('ask','reminder') and state in ('posted','waiting','asked','pending')`;
}

export async function restoreHeld(
  ctx: MoveContext,
  booking: Booking,
  held: HeldTable,
  restored: {
    actor: BookingMover;
    channel?: ChannelName | null;
    reason: BookingReason;
    text: string;
    tell: boolean;
  },
): Promise<Booking> {
  await ctx.db`
    update venue_ask set state = 'ended'
    where booking_id = ${booking.id} and step in ('ask','reminder') and state in ('waiting','asked','posted')`;
  const { date, time, partySize, ref, by, at } = held;
  const moved = await moveBooking(ctx, booking, {
    to: 'confirmed',
    actor: restored.actor,
    channel: restored.channel ?? null,
    text: restored.text,
    change: {
      date,
      time,
      partySize,
      tableAt: tableInstant(booking.timezone, date, time),
      confirmation: { ref, by, at },
      reverted: true,
      reason: restored.reason,
      held: null,
    },
  });
  await endUndecided(ctx, moved, 'notify_kept');
  if (restored.tell) await queueNotification(ctx, moved, 'notify_kept');
  return moved;
}
