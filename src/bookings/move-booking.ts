import type { Db } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import type { Ctx } from '../core/context.ts';
import { addJob } from '../jobs/add-job.ts';
import type { BookingEventBody } from '../webhooks/booking-event.ts';
import { queueBookingEvent } from '../webhooks/queue-booking-event.ts';
import type { Booking, BookingStatus, ChannelName, BookingMover } from './booking.ts';
import { storedHeld, storedTable, type BookingOffer } from './booking-row.ts';
import { offerAnswer } from './booking-answer.ts';
import { filledBookingLink, type BookingLink } from './booking-link.ts';
import { endChoice, wakeChoice } from './choices/choice.ts';
import { isRehearsal } from './rehearsal/rehearsal-venue.ts';
import { isFinal, mayMoveBooking, type MoveCondition } from './moves.ts';
import { appendEntry } from './timeline.ts';
import { isWaiting, waitingAnswer } from './waiting/waiting.ts';

declare module '../jobs/task.ts' {
  interface Payloads {
    advance_booking: { booking_id: string };
  }
}

/** `db` is the transaction, in which the booking is locked. */
export type MoveContext = Pick<Ctx, 'db' | 'now' | 'newId'>;

export interface MoveRequest {
  to: BookingStatus;
  actor: BookingMover;
  text: string;
  channel?: ChannelName | null;
  change?: Partial<Changing>;
  offer?: BookingOffer;
  undo?: boolean;
  removed?: boolean;
  /** The choice of the booking is over. */
  withdrawn?: boolean;
  /** A cancellation by the partner, after which the next venue of the choice is asked. */
  asksNext?: boolean;
}

export type Changing = Pick<
  Booking,
  | 'date'
  | 'time'
  | 'timeUntil'
  | 'partySize'
  | 'tableAt'
  | 'notes'
  | 'revision'
  | 'channel'
  | 'answerBy'
  | 'held'
  | 'waitingSince'
  | 'waitingRevision'
  | 'released'
  | 'confirmation'
  | 'reverted'
  | 'acceptedOfferId'
  | 'reason'
  | 'frozenAt'
>;

/** Moves a booking with its timeline entry, event and job. No other code sets a status. The caller has locked it. */
export async function moveBooking(ctx: MoveContext, booking: Booking, moving: MoveRequest): Promise<Booking> {
  const { to, actor } = moving;
  assertAllowed(booking, moving);
  const moved: Booking = {
    ...booking,
    // Fields that belong to a status are reset with it, unless the move sets them.
    answerBy: to === 'asking' ? booking.answerBy : null,
    held: to === 'asking' || to === 'offered' ? booking.held : null,
    released: [],
    frozenAt: frozenAfter(booking, to, ctx.now),
    acceptedOfferId: null,
    confirmation: to === 'confirmed' ? booking.confirmation : null,
    timeUntil: to === 'confirmed' ? null : booking.timeUntil,
    slotTime: booking.status === 'sent' && to === 'asking' ? booking.slotTime : null,
    reason: null,
    reverted: false,
    ...moving.change,
    status: to,
    lastSequence: booking.lastSequence + 1,
    updatedAt: ctx.now,
  };
  await writeMove(ctx.db, booking, moved);
  const hash = await appendEntry(ctx.db, booking.id, {
    sequence: moved.lastSequence,
    at: ctx.now,
    event: to,
    from: booking.status,
    to,
    actor,
    channel: moving.channel ?? null,
    revision: moved.revision,
    text: moving.text,
  });
  await queueMoveEvent(ctx, moved, { previous: booking.status, actor, offer: moving.offer, hash });
  await moveChoice(ctx, booking, moving);
  await wakeBooking(ctx.db, booking.id);
  return moved;
}

/**
 * Ends the choice when the partner cancels, or a table of it is cancelled; the next venue's turn follows in a job. The
 * choice is locked before jobs are queued, because its own job locks it and then queues those of its bookings.
 */
async function moveChoice(ctx: MoveContext, before: Booking, { to, actor, asksNext }: MoveRequest) {
  if (before.choice === null) return;
  const hadTable = before.status === 'confirmed' || before.held !== null;
  if (to === 'cancelled' && (hadTable || (actor === 'partner' && asksNext !== true)))
    await endChoice(ctx.db, before.choice.id, ctx.now);
  await wakeChoice(ctx.db, before.choice.id);
}

/** A halted request stays halted while it is open. An offer made meanwhile is halted from that moment on. */
function frozenAfter({ frozenAt }: Booking, to: BookingStatus, now: Date): Date | null {
  if (frozenAt === null || to === 'asking') return frozenAt;
  return to === 'offered' ? now : null;
}

function assertAllowed(booking: Booking, { to, actor, undo, removed, withdrawn }: MoveRequest): void {
  const { status, held, frozenAt } = booking;
  const conditions: MoveCondition[] = [
    ...(held === null ? [] : (['held'] as const)),
    ...(frozenAt === null ? [] : (['frozen'] as const)),
    ...(undo === true ? (['undo'] as const) : []),
    ...(removed === true ? (['removed'] as const) : []),
    ...(withdrawn === true ? (['choice'] as const) : []),
    ...(isWaiting(booking) ? (['waits'] as const) : []),
  ];
  if (mayMoveBooking(status, to, actor, conditions)) return;
  if (isFinal(status))
    throw new AppError('booking_final', `This booking has ended: it is ${status}. Nothing was changed.`, {
      hint: 'Request a new table with request_table.',
    });
  throw new AppError(
    'invalid_move',
    `This is not possible while the booking is ${status}. Nothing was changed.`,
    { hint: 'booking_status shows its current status.' },
  );
}

async function writeMove(db: Db, before: Booking, after: Booking): Promise<void> {
  const { confirmation, held, released } = after;
  const [row] = await db`
    update booking set status = ${after.status}, revision = ${after.revision}, last_sequence = ${after.lastSequence},
      date = ${after.date}, time = ${after.time}, time_until = ${after.timeUntil}, slot_time = ${after.slotTime}, party_size = ${after.partySize}, table_at = ${after.tableAt},
      waiting_since = ${after.waitingSince}, waiting_revision = ${after.waitingRevision},
      notes = ${after.notes}, channel = ${after.channel}, answer_by = ${after.answerBy},
      held = ${held === null ? null : db.json({ ...storedHeld(held) })},
      released = ${released.length === 0 ? null : db.json(released.map((one) => ({ ...storedTable(one) })))},
      confirmed_at = ${confirmation?.at ?? null}, confirmed_by = ${confirmation?.by ?? null},
      confirmed_ref = ${confirmation?.ref ?? null}, reverted = ${after.reverted},
      accepted_offer = ${after.acceptedOfferId}, reason = ${after.reason}, frozen_at = ${after.frozenAt},
      updated_at = ${after.updatedAt}
    where id = ${before.id} and status = ${before.status} and revision = ${before.revision}
      and last_sequence = ${before.lastSequence}
    returning 1`;
  if (row === undefined)
    throw new AppError(
      'revision_conflict',
      'The booking has changed in the meantime. Nothing was changed by this call.',
      { hint: 'Read it with booking_status and decide again.' },
    );
}

interface MoveDetails {
  previous: BookingStatus | null;
  actor: BookingMover;
  offer?: BookingOffer | undefined;
  hash: string;
}

export async function queueMoveEvent(
  ctx: MoveContext,
  moved: Booking,
  { previous, actor, offer, hash }: MoveDetails,
): Promise<void> {
  const { partnerId, id, lastSequence: sequence, status, confirmation } = moved;
  const body: BookingEventBody = {
    booking_id: id,
    ...(isRehearsal(moved.placeId) && { rehearsal: true as const }),
    status,
    previous_status: previous,
    booked: status === 'confirmed',
    place_id: moved.placeId,
    date: moved.date,
    time: moved.time,
    time_until: moved.timeUntil,
    party_size: moved.partySize,
    revision: moved.revision,
    actor,
    reason: moved.reason,
    offer: offer === undefined ? null : offerAnswer(offer),
    confirmation: confirmation && { ref: confirmation.ref, at: confirmation.at.toISOString() },
    link: await linkFor(ctx.db, moved),
    choice: moved.choice && {
      choice_id: moved.choice.id,
      position: moved.choice.position,
      venues: moved.choice.of,
    },
    waiting: await waitingAnswer(ctx.db, moved),
    answer_by: moved.answerBy?.toISOString() ?? null,
    timeline_head: { sequence, hash },
  };
  return queueBookingEvent(ctx.db, ctx, { partnerId, bookingId: id, sequence, event: status, body });
}

async function linkFor(db: Db, moved: Booking): Promise<BookingLink | null> {
  if (moved.reason !== 'payment_required') return null;
  const [place] = await db<{ url: string | null }[]>`
    select booking_url as url from place where id = ${moved.placeId}`;
  return filledBookingLink(moved, place?.url ?? null);
}

/** Queues the advance_booking job of many bookings in one statement, without a delay. */
export async function wakeBookings(db: Db, bookingIds: readonly string[]): Promise<void> {
  await db`
    select from unnest(${bookingIds}::text[]) as id,
      graphile_worker.add_job(identifier => 'advance_booking', payload => json_build_object('booking_id', id),
                              job_key => 'booking/' || id)`;
}

/** Queues the job that performs the due steps of a booking. Each booking has at most one such job waiting. */
export function wakeBooking(db: Db, bookingId: string, delayMs = 0): Promise<void> {
  return addJob(
    db,
    'advance_booking',
    { booking_id: bookingId },
    { key: `booking/${bookingId}`, delayMs: Math.max(0, Math.ceil(delayMs)) },
  );
}
