import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Db } from '../../core/postgres/db.ts';
import { cutTyped } from '../../core/text/visible-text.ts';
import { CLOCK_TIME, isDay } from '../../core/time.ts';
import { moveToAsking } from '../asking/record-outcome.ts';
import { tableInstant } from '../asking/timing.ts';
import type { Booking, BookingStatus, ChannelName, TableRequest } from '../booking.ts';
import { isChannelKind, STAFF_CHANNEL } from '../channels/channels.ts';
import { lockBooking } from '../booking-row.ts';
import { lockedChoiceEnd } from '../choices/choice.ts';
import { withdrawFromChoice } from '../choices/leave-choice.ts';
import { DAYS_AHEAD, lastBookingDate } from '../booking-range.ts';
import { wakeBooking, type MoveContext } from '../move-booking.ts';
import type { AnswerContext, VenueAnswerOutcome, OfferFault } from './answer-outcome.ts';
import { confirmTable, declineTable, offerTables } from './settle.ts';
import { noteEntry } from '../timeline.ts';
import { offerFreeTable } from '../waiting/offer-free-table.ts';
import { isWaiting } from '../waiting/waiting.ts';
import { optOut } from './opt-out.ts';
import { storeUndo } from './undo-venue-answer.ts';

export interface VenueAnswer {
  bookingId: string;
  /** The revision that was answered; an answer to an older one is late. */
  revision: number;
  /**
   * stop: a no and an opt-out. no_answer: the next channel follows. another_time, unclear: the desk calls back; after an
   * unclear reply, the message can still be answered. free, none_free: about a guest who waits; a table is free, which is
   * offered with the time of `offer` or the requested one, or none will be.
   */
  answer: 'yes' | 'offer' | 'no' | 'stop' | 'no_answer' | 'another_time' | 'unclear' | 'free' | 'none_free';
  /** With answer `unclear`: what the venue wrote, for the desk. */
  wrote?: string;
  /** With answer `offer`. Date and party size default to the requested ones. A time of the requested window is a yes. */
  offer?: { date?: string; time: string; partySize?: number; note?: string };
  actor: 'venue' | 'desk' | 'venue_system';
  channel?: ChannelName;
  reason?: BookingReason;
  ref?: string | null;
}

const DESK_RETRY_MS = 30 * 60_000;

/** Records a venue's answer and moves the booking, also while halted, because a no must still be recorded. */
export async function recordVenueAnswer(
  tx: Db,
  ctx: AnswerContext,
  answer: VenueAnswer,
): Promise<VenueAnswerOutcome> {
  const booking = await lockBooking(tx, answer.bookingId);
  if (booking === undefined) return { outcome: 'invalid', detail: 'There is no such booking.' };
  const outcome = await record({ ...ctx, db: tx }, booking, answer);
  if (!UNRECORDED.includes(outcome.outcome))
    ctx.audit(booking.id, { answer: answer.answer, by: answer.actor });
  return outcome;
}

const UNRECORDED: readonly string[] = ['already', 'stale', 'invalid'];

async function record(ctx: MoveContext, booking: Booking, answer: VenueAnswer): Promise<VenueAnswerOutcome> {
  const { status, revision } = booking;
  if (isWaiting(booking) && answer.revision === revision) return recordWhileWaiting(ctx, booking, answer);
  const open =
    (status === 'sent' || status === 'asking') &&
    answer.revision === revision &&
    !WAITING_ONLY.includes(answer.answer);
  if (answer.answer === 'no_answer')
    return open ? recordNotReached(ctx, booking, answer) : { outcome: 'late', status };
  if (answer.answer === 'another_time' || answer.answer === 'unclear')
    return open ? recordCallback(ctx, booking, answer) : { outcome: 'late', status };
  if (!open) return recordLate(ctx, booking, answer);
  const chosen = timeInWindow(booking, answer);
  const offered =
    answer.answer === 'offer' && chosen === undefined ? offerOf(booking, answer, ctx.now) : undefined;
  if (offered?.fault !== undefined)
    return { outcome: 'invalid', fault: offered.fault, detail: FAULT_WORDS[offered.fault] };
  const declines = answer.answer === 'no' || answer.answer === 'stop';
  const ended = declines ? undefined : await lockedChoiceEnd(ctx.db, booking);
  if (ended !== undefined) return recordLate(ctx, await withdrawFromChoice(ctx, booking, ended), answer);
  const channel = answer.channel ?? null;
  const asking = await moveToAsking(ctx, booking, channel ?? booking.channel);
  const by = { actor: answer.actor, channel };
  const route = answer.answer === 'stop' ? await optOut(ctx.db, ctx.now, booking.placeId) : null;
  const reason = answer.answer === 'stop' ? 'venue_opted_out' : (answer.reason ?? 'venue_declined');
  const settled =
    offered !== undefined
      ? await offerTables(ctx, asking, { ...by, offers: [offered.table] })
      : answer.answer === 'yes' || chosen !== undefined
        ? await confirmTable(ctx, asking, { ...by, ref: answer.ref ?? null, time: chosen })
        : await declineTable(ctx, asking, { ...by, reason });
  // A guest who waits can be offered a table at any time: there is nothing to undo.
  const undoUntil =
    answer.actor === 'venue_system' || isWaiting(settled)
      ? null
      : await storeUndo(ctx.db, ctx.now, { before: asking, after: settled, actor: answer.actor, route });
  return { outcome: 'moved', status: settled.status, undoUntil };
}

/** Answers that make sense only about a guest who waits. */
const WAITING_ONLY: readonly VenueAnswer['answer'][] = ['free', 'none_free'];

/** Records what the venue says about a guest who waits. A plain yes could be about its earlier no, so it offers nothing. */
async function recordWhileWaiting(
  ctx: MoveContext,
  booking: Booking,
  answer: VenueAnswer,
): Promise<VenueAnswerOutcome> {
  const { status, date, time } = booking;
  const { actor, channel = null } = answer;
  if (actor === 'venue_system') return { outcome: 'late', status };
  switch (answer.answer) {
    case 'no':
      return { outcome: 'already', status };
    case 'free':
    case 'offer': {
      const offered = offerOf(booking, { ...answer, offer: answer.offer ?? { date, time } }, ctx.now);
      if (offered.fault !== undefined)
        return { outcome: 'invalid', fault: offered.fault, detail: FAULT_WORDS[offered.fault] };
      return offerFreeTable(ctx, booking, { actor, channel, table: offered.table });
    }
    case 'none_free':
    case 'stop': {
      const route = answer.answer === 'stop' ? await optOut(ctx.db, ctx.now, booking.placeId) : null;
      const reason = answer.answer === 'stop' ? 'venue_opted_out' : 'none_free';
      const ended = await declineTable(ctx, booking, { actor, channel, reason });
      const undoUntil = await storeUndo(ctx.db, ctx.now, { before: booking, after: ended, actor, route });
      return { outcome: 'moved', status: ended.status, undoUntil };
    }
    default:
      return recordLate(ctx, booking, answer);
  }
}

/** Records that nobody was reached: a call by staff is retried later, a request on another channel has failed. */
async function recordNotReached(
  ctx: MoveContext,
  booking: Booking,
  { actor, channel }: VenueAnswer,
): Promise<VenueAnswerOutcome> {
  const askChannel = channel ?? (actor === 'desk' ? STAFF_CHANNEL : booking.channel);
  const isRetried = isChannelKind(askChannel, 'staff');
  const [row] = await ctx.db`
    update venue_ask set
      state = ${isRetried ? 'waiting' : 'failed'},
      taken_by = null, taken_at = null, not_before = ${new Date(ctx.now.getTime() + DESK_RETRY_MS)}
    where booking_id = ${booking.id} and revision = ${booking.revision} and step = 'ask' and channel = ${askChannel}
      and state in ('waiting','asked') returning 1`;
  if (row === undefined) return { outcome: 'already', status: booking.status };
  await noteEntry(ctx.db, ctx.now, booking, {
    event: 'channel_failed',
    actor: actor === 'desk' ? 'desk' : 'service',
    channel: askChannel,
    text: 'Nobody answered at the venue.',
  });
  await wakeBooking(ctx.db, booking.id);
  return { outcome: 'noted', status: booking.status };
}

/** Creates a desk task to call the venue back, with the reason: another time, or a reply that nobody understood. */
async function recordCallback(
  ctx: MoveContext,
  booking: Booking,
  { actor, answer, wrote, channel = booking.channel }: VenueAnswer,
): Promise<VenueAnswerOutcome> {
  const { id, revision } = booking;
  const detail = wrote === undefined ? CALL_BACK : `The venue wrote: “${cutTyped(wrote, WROTE_MAX)}”`;
  const asking = await moveToAsking(ctx, booking, channel);
  if (answer === 'another_time')
    await ctx.db`
      update venue_ask set state = 'answered'
      where booking_id = ${id} and revision = ${revision} and step = 'ask' and channel = ${channel}`;
  await ctx.db`
    insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, detail)
    values (${id}, ${revision}, 'ask', ${STAFF_CHANNEL}, 'waiting', ${ctx.now}, ${detail})
    on conflict on constraint venue_ask_once do update set detail = excluded.detail, not_before = null`;
  await noteEntry(ctx.db, ctx.now, asking, {
    event: 'callback_wanted',
    actor,
    channel,
    text: answer === 'another_time' ? CALLED_BACK : UNCLEAR,
  });
  return { outcome: 'noted', status: asking.status };
}

const CALL_BACK = 'The venue wants to offer another time.';
const CALLED_BACK = 'The venue wants to offer another time; our desk calls it back.';
const UNCLEAR = "The venue's reply was not clear; our desk calls it back.";
const WROTE_MAX = 160;

async function recordLate(
  ctx: MoveContext,
  booking: Booking,
  answer: VenueAnswer,
): Promise<VenueAnswerOutcome> {
  const { status } = booking;
  const { actor, channel = null } = answer;
  if (ANSWERED_STATUS[answer.answer] === status) return { outcome: 'already', status };
  const { date = booking.date, time } = answer.offer ?? {};
  if (status === 'confirmed' && date === booking.date && time === booking.time)
    return { outcome: 'already', status };
  // An answer that came meanwhile on another channel or page is not overridden by an answer to the old request.
  if (status === 'confirmed' || status === 'offered') return { outcome: 'stale', status };
  const text = LATE_WORDS[answer.answer] ?? 'The venue answered too late.';
  const [last] = await ctx.db<{ text: string; event: string }[]>`
    select event, text from booking_entry where booking_id = ${booking.id} order by sequence desc limit 1`;
  if (last?.event === 'late_answer' && last.text === text) return { outcome: 'already', status };
  await noteEntry(ctx.db, ctx.now, booking, { event: 'late_answer', actor, channel, text });
  return { outcome: 'late', status };
}

/** The time with which the venue says yes to a window. A note needs the guest's consent, so it makes an offer. */
function timeInWindow(booking: Booking, { answer, offer }: VenueAnswer): string | undefined {
  const { timeUntil } = booking;
  if (timeUntil === null || answer !== 'offer' || offer === undefined || offer.note !== undefined)
    return undefined;
  const { date = booking.date, time, partySize = booking.partySize } = offer;
  const isSameTable = date === booking.date && partySize === booking.partySize;
  return isSameTable && CLOCK_TIME.test(time) && time >= booking.time && time <= timeUntil ? time : undefined;
}

const ANSWERED_STATUS: Partial<Record<VenueAnswer['answer'], BookingStatus>> = {
  yes: 'confirmed',
  no: 'declined',
  stop: 'declined',
};

const LATE_WORDS: Partial<Record<VenueAnswer['answer'], string>> = {
  yes: 'The venue said yes, too late.',
  no: 'The venue said no, too late.',
  stop: 'The venue said no and wants no more requests, too late.',
  offer: 'The venue offered another table, too late.',
  free: 'A table became free, too late.',
};

const NOTE_MAX = 280;

type ParsedOffer = { table: TableRequest & { note?: string }; fault?: undefined } | { fault: OfferFault };

const FAULT_WORDS: Readonly<Record<OfferFault, string>> = {
  incomplete: 'Give a date and a time.',
  size: 'A table is for 1 to 30 people.',
  passed: 'This time has passed.',
  too_far: `Tables can be offered at most ${DAYS_AHEAD} days ahead.`,
  same: 'This is the table that was requested: answer yes instead.',
};

function offerOf(booking: Booking, { offer }: VenueAnswer, now: Date): ParsedOffer {
  if (offer === undefined) return { fault: 'incomplete' };
  const { date = booking.date, time, partySize = booking.partySize, note } = offer;
  if (!isDay(date) || !CLOCK_TIME.test(time)) return { fault: 'incomplete' };
  if (partySize < 1 || partySize > 30 || !Number.isInteger(partySize)) return { fault: 'size' };
  if (tableInstant(booking.timezone, date, time) <= now) return { fault: 'passed' };
  if (date > lastBookingDate(booking.timezone, now)) return { fault: 'too_far' };
  const isSame = date === booking.date && time === booking.time && partySize === booking.partySize;
  if (isSame && !isWaiting(booking)) return { fault: 'same' };
  return {
    table: { date, time, partySize, ...(note === undefined ? {} : { note: note.slice(0, NOTE_MAX) }) },
  };
}
