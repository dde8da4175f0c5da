import type { Ctx } from '../../core/context.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { refuseAgainstRule } from '../../venue/venue-rules.ts';
import { deadlineOf, findAskablePlace, planChannels } from '../asking/channel-plan.ts';
import { STAFF_CHANNEL } from '../channels/channels.ts';
import { queueNotification } from '../asking/queue-notification.ts';
import { tableInstant } from '../asking/timing.ts';
import type { Booking, TableRequest } from '../booking.ts';
import { listOffers, type BookingOffer } from '../booking-row.ts';
import { refuseDuringCancellation } from './cancel-booking.ts';
import { consumeVenueQuota } from './limits.ts';
import { moveBooking, wakeBooking } from '../move-booking.ts';
import { isFinal } from '../moves.ts';
import { cancelAndRelease, confirmOffer, restoreHeld } from '../answering/settle.ts';
import { lockedChoiceEnd } from '../choices/choice.ts';
import { refuseUnaskable, refuseWhenClosed, refuseWrongTime } from './table-fields.ts';
import { noteEntry } from '../timeline.ts';

/** A request of a partner or a member, in its transaction. */
type ChangeContext = Pick<Ctx, 'db' | 'deps' | 'now' | 'newId'>;

export interface Change {
  date?: string | undefined;
  time?: string | undefined;
  partySize?: number | undefined;
  /** Null removes the notes. */
  notes?: string | null | undefined;
}

/** Requests another table from the venue. A confirmed one remains until the venue has answered. */
export async function changeBooking(ctx: ChangeContext, booking: Booking, change: Change): Promise<Booking> {
  if (isFinal(booking.status)) throw ended(booking);
  const { date = booking.date, time = booking.time, partySize = booking.partySize } = change;
  const notes = change.notes === undefined ? booking.notes : change.notes;
  const sameTable = date === booking.date && time === booking.time && partySize === booking.partySize;
  if (sameTable && notes === booking.notes) throw nothingChanges();
  if (booking.status !== 'confirmed' && booking.status !== 'offered')
    throw new AppError('invalid_move', 'The venue is being asked at the moment. Nothing was changed.', {
      hint: 'Wait for its answer, or cancel and request a new table.',
    });
  // Without another day or time, a window stays.
  const timeUntil = change.date === undefined && change.time === undefined ? booking.timeUntil : null;
  const table = { date, time, timeUntil, partySize };
  // The venue already offers exactly this table. Requesting it again would lose the offer.
  const offer = notes === booking.notes ? await openOffer(ctx, booking, table) : undefined;
  if (offer !== undefined) return acceptOffer(ctx, booking, offer.id);
  // The venue's system may already hold the offered table: another request could take a second one.
  if (booking.acceptedOfferId !== null)
    throw new AppError('invalid_move', 'An offer is being accepted. Nothing was changed.', {
      hint: 'booking_status shows the outcome; cancel_booking works at any time.',
    });
  if (booking.status === 'confirmed') await refuseDuringCancellation(ctx.db, booking);
  if (sameTable && booking.status === 'confirmed') return changeNotes(ctx, booking, notes);
  return requestChange(ctx, booking, table, notes);
}

async function openOffer(
  { db, now }: ChangeContext,
  booking: Booking,
  table: TableRequest,
): Promise<BookingOffer | undefined> {
  if (booking.status !== 'offered') return undefined;
  return (await listOffers(db, [booking.id])).find(
    ({ state, expiresAt, date, time, partySize }) =>
      state === 'open' &&
      expiresAt > now &&
      date === table.date &&
      time === table.time &&
      partySize === table.partySize,
  );
}

async function requestChange(
  ctx: ChangeContext,
  booking: Booking,
  table: TableRequest,
  notes: string | null,
): Promise<Booking> {
  const { db, deps, now } = ctx;
  const { date, time, partySize, confirmation } = booking;
  const askable = await findAskablePlace(db, booking.placeId);
  if (askable === undefined)
    throw new AppError('place_closed', 'This place appears to have closed. Nothing was changed.', {
      hint: 'Cancel the booking with cancel_booking and request a table at another place.',
    });
  const tableAt = tableInstant(booking.timezone, table.date, table.time);
  const plan = planChannels(deps, askable, tableAt.getTime() - now.getTime());
  refuseUnaskable(plan, askable, table, deps.config.prefix);
  refuseWrongTime(booking.timezone, table.date, tableAt, now);
  refuseWhenClosed(askable, tableAt, now);
  await refuseAgainstRule(db, { ...table, placeId: booking.placeId, tableAt }, now);
  await consumeVenueQuota(ctx, booking);
  await discardOffers(ctx, booking);
  return moveBooking(ctx, booking, {
    to: 'asking',
    actor: 'partner',
    text:
      booking.status === 'confirmed'
        ? 'A change was requested; the confirmed table stays until the venue answers.'
        : 'Another table was requested instead of the offer.',
    change: {
      ...table,
      tableAt,
      notes,
      revision: booking.revision + 1,
      channel: plan.targets[0]?.channel ?? STAFF_CHANNEL,
      answerBy: deadlineOf(deps, askable, now, tableAt),
      held: booking.held ?? (confirmation && { date, time, partySize, ...confirmation }),
    },
  });
}

/** Discards the offers. A table that the venue's own system holds for one is cancelled before another is requested. */
async function discardOffers(ctx: ChangeContext, booking: Booking): Promise<void> {
  const superseded = await ctx.db<{ ref: string | null }[]>`
    update booking_offer set state = 'superseded' where booking_id = ${booking.id} and state = 'open' returning ref`;
  if (superseded.some(({ ref }) => ref !== null))
    await queueNotification(ctx, booking, 'notify_cancelled', 'system');
}

/** Changes the notes of a confirmed table; the venue is only notified. */
async function changeNotes(ctx: ChangeContext, booking: Booking, notes: string | null): Promise<Booking> {
  const { db, now } = ctx;
  const changed = { ...booking, notes, revision: booking.revision + 1 };
  await db`update booking set notes = ${notes}, revision = ${changed.revision} where id = ${booking.id}`;
  await noteEntry(db, now, changed, {
    event: 'notes_changed',
    actor: 'partner',
    text: 'The notes for the venue were changed.',
  });
  await queueNotification(ctx, changed, 'notify_kept');
  return changed;
}

/** Accepts an offer. An offer from a venue's own system must be booked there first. */
export async function acceptOffer(ctx: ChangeContext, booking: Booking, offerId: string): Promise<Booking> {
  const { db, now } = ctx;
  if (isFinal(booking.status)) throw ended(booking);
  if (booking.status !== 'offered')
    throw new AppError('invalid_move', 'There is no offer to accept. Nothing was changed.', {
      hint: 'booking_status shows the current status.',
    });
  const offer = (await listOffers(db, [booking.id])).find(({ id }) => id === offerId);
  if (offer === undefined)
    throw invalidField('accept_offer', 'bad_format', 'is not an offer of this booking');
  if (booking.acceptedOfferId === offerId) return booking;
  if (booking.acceptedOfferId !== null)
    throw new AppError('invalid_move', 'Another offer is being accepted. Nothing was changed.');
  if (offer.state !== 'open' || offer.expiresAt <= now)
    throw new AppError('offer_expired', 'This offer can no longer be accepted. Nothing was changed.', {
      hint: 'Request another table with modify_booking or request_table.',
    });
  if ((await lockedChoiceEnd(ctx.db, booking)) !== undefined)
    throw new AppError('invalid_move', 'The choice of this booking is over. Nothing was changed.', {
      hint: 'booking_status shows which venue has the table, if one has.',
    });
  const accepted = { ...booking, acceptedOfferId: offerId };
  if (offer.madeBy === 'venue_system') return acceptInSystem(ctx, accepted);
  const confirmed = await confirmOffer(ctx, accepted, { ref: null, by: offer.madeBy, at: now });
  await queueNotification(ctx, confirmed, 'notify_accepted');
  return confirmed;
}

/** Declines the offers: the next venue of a choice is asked, and a table that the venue had confirmed stays. */
export async function declineOffer(ctx: ChangeContext, booking: Booking): Promise<Booking> {
  if (booking.status !== 'offered' || booking.acceptedOfferId !== null)
    throw new AppError('invalid_move', 'There is no offer to decline. Nothing was changed.', {
      hint: 'booking_status shows the current status.',
    });
  const reason = 'offer_declined';
  if (booking.held === null)
    return cancelAndRelease(ctx, booking, {
      actor: 'partner',
      reason,
      text: 'The offer was declined.',
      asksNext: true,
    });
  await ctx.db`
    update booking_offer set state = 'superseded' where booking_id = ${booking.id} and state = 'open'`;
  const text = 'The offer was declined; the earlier table stays confirmed.';
  return restoreHeld(ctx, booking, booking.held, { actor: 'partner', reason, text, tell: true });
}

async function acceptInSystem(ctx: ChangeContext, booking: Booking): Promise<Booking> {
  const { db, now } = ctx;
  await db`update booking set accepted_offer = ${booking.acceptedOfferId} where id = ${booking.id}`;
  await noteEntry(db, now, booking, {
    event: 'offer_taken',
    actor: 'partner',
    text: "The offer was accepted; the venue's system has yet to confirm it.",
  });
  await wakeBooking(db, booking.id);
  return booking;
}

function ended({ status }: Booking): AppError {
  return new AppError('booking_final', `This booking has ended: it is ${status}. Nothing was changed.`, {
    hint: 'Request a new table with request_table.',
  });
}

function nothingChanges(): AppError {
  const detail =
    'at least one of date, time, party_size and notes must differ from the current request; accept an offer of the venue with accept_offer';
  return new AppError('validation_failed', detail, { errors: [{ pointer: '', code: 'required', detail }] });
}
