import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Db } from '../../core/postgres/db.ts';
import { offerExpiry, tableInstant } from '../asking/timing.ts';
import { queueTell, takeBackUndecided } from '../asking/queue-tell.ts';
import type { Booking, ChannelName, HeldTable, Mover, Table } from '../booking.ts';
import type { Offer } from '../booking-row.ts';
import { moveBooking, type MoveContext } from '../move-booking.ts';
import { tablesToRelease } from './released-tables.ts';

/** Who brings the venue's word, and by which way. */
export interface Answerer {
  actor: 'venue' | 'venue_system' | 'desk';
  channel: ChannelName | null;
}

/** The venue said yes to what it was asked, or its system has taken in what the partner accepted. */
export async function confirmTable(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  answer: Answerer & { ref: string | null },
): Promise<Booking> {
  const { actor, channel, ref } = answer;
  await endAsks(tx, booking);
  const confirmation = { ref, by: actor, at: ctx.now };
  if (booking.status === 'offered') return confirmOffer(tx, ctx, booking, confirmation);
  return moveBooking(tx, ctx, booking, {
    to: 'confirmed',
    actor,
    channel,
    text: 'The venue confirmed the table.',
    change: { confirmation, held: null },
  });
}

/** The partner takes an offer: the venue has already agreed to exactly this. */
export async function confirmOffer(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  confirmation: { ref: string | null; by: Mover; at: Date },
): Promise<Booking> {
  const [offer] = await tx<Pick<Offer, 'date' | 'time' | 'partySize' | 'tableAt'>[]>`
    update booking_offer set state = 'accepted' where id = ${booking.acceptedOfferId}
    returning date::text as date, time, party_size as "partySize", table_at as "tableAt"`;
  if (offer === undefined) throw new Error('An accepted offer cannot be read.');
  await tx`
    update booking_offer set state = 'superseded' where booking_id = ${booking.id} and state = 'open'`;
  return moveBooking(tx, ctx, booking, {
    to: 'confirmed',
    actor: 'partner',
    text: "The venue's offer was accepted.",
    change: { ...offer, confirmation, held: null },
  });
}

/** The venue said no. To a change of a confirmed table that means: the table of before stands. */
export async function declineTable(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  { actor, channel, reason }: Answerer & { reason: BookingReason },
): Promise<Booking> {
  await endAsks(tx, booking);
  await tx`
    update booking_offer set state = 'withdrawn' where booking_id = ${booking.id} and state = 'open'`;
  if (booking.held !== null)
    return restoreHeld(tx, ctx, booking, booking.held, {
      actor,
      channel,
      reason: 'change_declined',
      text: 'The venue cannot make the change; the table of before stands.',
      tell: false,
    });
  return moveBooking(tx, ctx, booking, {
    to: 'declined',
    actor,
    channel,
    text:
      DECLINED_WORDS[reason] ??
      (booking.status === 'offered' ? 'The venue withdrew its offer.' : 'The venue declined.'),
    change: { reason },
  });
}

const DECLINED_WORDS: Readonly<Record<string, string>> = {
  payment_required:
    "The venue's system wants money before it confirms, and we never pay; on the venue's own page the guest can book alone.",
};

/** The venue offers other tables. */
export async function offerTables(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  {
    actor,
    channel,
    offers,
    ref = null,
  }: Answerer & { offers: readonly (Table & { note?: string })[]; ref?: string | null },
): Promise<Booking> {
  await endAsks(tx, booking);
  const made = offers.map(({ date, time, partySize, note }): Offer => {
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
      expiresAt: offerExpiry(ctx.now, tableAt),
      state: 'open',
      ref,
    };
  });
  for (const [rank, one] of made.entries())
    await tx`
      insert into booking_offer (id, booking_id, revision, date, time, party_size, table_at, note, made_by, expires_at,
                                 created_at, rank, ref)
      values (${one.id}, ${booking.id}, ${booking.revision}, ${one.date}, ${one.time}, ${one.partySize}, ${one.tableAt},
              ${one.note}, ${actor}, ${one.expiresAt}, ${ctx.now}, ${rank}, ${one.ref})`;
  const [first] = made;
  if (first === undefined)
    return declineTable(tx, ctx, booking, { actor, channel, reason: 'slot_unavailable' });
  return moveBooking(tx, ctx, booking, {
    to: 'offered',
    actor,
    channel,
    offer: first,
    text: made.length === 1 ? 'The venue offers another table.' : 'The venue offers other tables.',
  });
}

/** The partner wants the table no more. */
export function cancelTable(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  reason: string | null,
): Promise<Booking> {
  return giveUpTable(tx, ctx, booking, { actor: 'partner', text: 'The request was cancelled.', reason });
}

/** A partner gives words of its own, or none. */
type GivenUpBy = { actor: 'partner'; reason: string | null } | { actor: 'service'; reason: BookingReason };

/** The table is wanted no more. Whatever has not left yet does not leave, and a venue that was reached is told. */
export async function giveUpTable(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  { actor, text, reason }: { text: string } & GivenUpBy,
): Promise<Booking> {
  await withdrawPosted(tx, ctx, booking);
  const released = await tablesToRelease(tx, booking);
  const cancelled = await moveBooking(tx, ctx, booking, {
    to: 'cancelled',
    actor,
    text: booking.held === null ? text : `${text} The confirmed table is given back too.`,
    change: { reason, released },
  });
  await queueTell(tx, ctx, cancelled, 'tell_cancelled');
  await tx`
    update venue_ask set state = 'ended'
    where booking_id = ${booking.id} and step in ('ask','accept','reminder')
      and state in ('waiting','posted','asked','pending')`;
  await tx`update booking_offer set state = 'superseded' where booking_id = ${booking.id} and state = 'open'`;
  return cancelled;
}

/**
 * The venue cannot keep the table that it promised. While a change of it is asked for, that is over too. Its own system
 * may not know yet what somebody at the venue has decided.
 */
export async function cancelByVenue(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  by: Answerer,
): Promise<Booking> {
  const text = 'The venue cannot keep the table; the change is off too.';
  const standing =
    booking.held === null
      ? booking
      : await restoreHeld(tx, ctx, booking, booking.held, {
          ...by,
          reason: 'change_declined',
          text,
          tell: false,
        });
  await tx`update booking_offer set state = 'withdrawn' where booking_id = ${booking.id} and state = 'open'`;
  const cancelled = await moveBooking(tx, ctx, standing, {
    to: 'cancelled',
    ...by,
    text: 'The venue cancelled the table.',
    change: { reason: 'venue_cancelled' satisfies BookingReason },
  });
  if (by.actor !== 'venue_system') await queueTell(tx, ctx, standing, 'tell_cancelled', 'venue_system');
  return cancelled;
}

/** Takes back messages that lie in the outbox and have not been sent, unless others are asked about in them. */
export async function withdrawPosted(tx: Db, { now }: MoveContext, { id }: Booking): Promise<void> {
  await tx`
    with withdrawn as (
      update message m set state = 'failed', body = null, finished_at = ${now}, last_error = 'No longer wanted.'
      from venue_ask a
      where a.booking_id = ${id} and a.message_id = m.id and a.state = 'posted' and m.state = 'queued'
        and not exists (select from venue_ask o where o.message_id = m.id and o.booking_id <> ${id} and o.state = 'posted')
      returning m.id)
    update venue_ask a set state = 'failed', detail = 'No longer wanted.' from withdrawn w where a.message_id = w.id`;
}

/** With the venue's answer, nothing that it was sent waits for one any more. */
async function endAsks(tx: Db, { id }: Booking): Promise<void> {
  await tx`
    update venue_ask set state = 'answered'
    where booking_id = ${id} and step in ('ask','reminder') and state in ('posted','waiting','asked','pending')`;
}

/** The change came to nothing: the table that the venue had promised stands. */
export async function restoreHeld(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  held: HeldTable,
  restored: {
    actor: Mover;
    channel?: ChannelName | null;
    reason: BookingReason;
    text: string;
    tell: boolean;
  },
): Promise<Booking> {
  await tx`
    update venue_ask set state = 'ended'
    where booking_id = ${booking.id} and step in ('ask','reminder') and state in ('waiting','asked','posted')`;
  const { date, time, partySize, ref, by, at } = held;
  const moved = await moveBooking(tx, ctx, booking, {
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
  await takeBackUndecided(tx, ctx, moved, 'tell_kept');
  if (restored.tell) await queueTell(tx, ctx, moved, 'tell_kept');
  return moved;
}
