import type { Booking, ChannelName, TableRequest } from '../booking.ts';
import { listAsks, type AskRow } from '../booking-row.ts';
import type { AskOutcome, TellOutcome } from '../channels/channel.ts';
import { channelNamed, STAFF_CHANNEL } from '../channels/channels.ts';
import { lockChoice, lockedChoiceEnd, wakeChoice } from '../choices/choice.ts';
import { withdrawFromChoice } from '../choices/leave-choice.ts';
import { moveBooking, wakeBooking, type MoveContext } from '../move-booking.ts';
import { cancelTable, confirmTable, declineTable, offerTables, cancelByVenue } from '../answering/settle.ts';
import { tableWords } from '../table-words.ts';
import { noteEntry } from '../timeline.ts';
import type { Claimed } from './claim-step.ts';
import { queueNotification } from './queue-notification.ts';
import { isFinal } from '../moves.ts';

const UNANSWERED = "The request was sent to the venue's own booking system, which has not answered yet.";

export async function recordAsk(
  ctx: MoveContext,
  booking: Booking,
  { ask, channel, reached }: Claimed,
  outcome: AskOutcome,
): Promise<void> {
  const row = { id: ask.id, channel, revision: ask.revision, reached };
  if (booking.choice !== null) {
    // The lock of the choice comes before the queue, as in its own job.
    await lockChoice(ctx.db, booking.choice.id);
    // From now on the venue may be silent for too long.
    await wakeChoice(ctx.db, booking.choice.id);
  }
  await wakeBooking(ctx.db, booking.id);
  switch (outcome.outcome) {
    case 'posted':
      return updateAsk(ctx, row, 'posted', { messageId: outcome.messageId });
    case 'waiting':
      return updateAsk(ctx, row, 'waiting', {});
    case 'chosen':
      await ctx.db`delete from venue_ask where id = ${ask.id}`;
      await ctx.db`
        update booking set slot_time = ${outcome.time} where id = ${booking.id} and revision = ${ask.revision}`;
      return;
    case 'failed':
      return failAsk(ctx, booking, { ...row, step: stepOf(ask.purpose) }, outcome.detail);
    case 'asked':
    case 'pending':
      await updateAsk(ctx, row, outcome.outcome, { ref: outcome.ref });
      await recordReached(ctx, booking, { ...row, purpose: ask.purpose });
      return;
    case 'unknown':
      await updateAsk(ctx, row, 'pending', {});
      await recordReached(ctx, booking, { ...row, purpose: ask.purpose, words: UNANSWERED });
      return;
    default:
      await recordDecision(ctx, booking, { ask, channel }, outcome);
  }
}

type Decision = Extract<AskOutcome, { outcome: 'confirmed' | 'offered' | 'declined' }>;

async function recordDecision(
  ctx: MoveContext,
  booking: Booking,
  { ask, channel }: Pick<Claimed, 'ask' | 'channel'>,
  decision: Decision,
): Promise<void> {
  const ref = decision.outcome === 'declined' ? null : (decision.ref ?? null);
  await updateAsk(ctx, { id: ask.id }, 'answered', { ref });
  const open = isOpen(booking, ask.revision, ask.purpose);
  if (!open) {
    // The system booked a table that is no longer wanted.
    if (ref !== null) await queueNotification(ctx, booking, 'notify_cancelled');
    return;
  }
  const ended = decision.outcome === 'declined' ? undefined : await lockedChoiceEnd(ctx.db, booking);
  if (ended !== undefined) {
    await withdrawFromChoice(ctx, booking, ended);
    return;
  }
  const asking = await moveToAsking(ctx, booking, channel);
  const answer = { actor: 'venue_system' as const, channel };
  if (decision.outcome === 'confirmed') {
    await confirmTable(ctx, asking, { ...answer, ref, time: ask.table.time });
  } else if (decision.outcome === 'declined') {
    await declineTable(ctx, asking, { ...answer, reason: decision.reason });
  } else {
    await offerTables(ctx, asking, { ...answer, offers: decision.offers, ref });
  }
}

function isOpen(booking: Booking, revision: number, purpose: string): boolean {
  if (booking.revision !== revision) return false;
  if (purpose === 'accept') return booking.status === 'offered' && booking.acceptedOfferId !== null;
  return booking.status === 'sent' || booking.status === 'asking';
}

function stepOf(purpose: Claimed['ask']['purpose']): AskRow['step'] {
  if (purpose === 'accept' || purpose === 'reminder') return purpose;
  return 'ask';
}

async function updateAsk(
  ctx: MoveContext,
  { id }: { id: string },
  state: AskRow['state'],
  { ref = null, messageId = null }: { ref?: string | null | undefined; messageId?: string | null },
): Promise<void> {
  await ctx.db`
    update venue_ask set state = ${state}, leased_until = null, ref = coalesce(${ref}, ref),
      message_id = coalesce(${messageId}, message_id),
      asked_at = ${state === 'asked' || state === 'pending' || state === 'answered' ? ctx.db`coalesce(asked_at, ${ctx.now})` : ctx.db`asked_at`}
    where id = ${id}`;
}

interface ReachedAsk {
  id: string;
  channel: ChannelName;
  revision: number;
  purpose: Claimed['ask']['purpose'];
  /** True when this was recorded before, and the venue was only polled for its decision. */
  reached?: boolean;
  words?: string;
}

/** Records that the request reached the venue, and moves a booking in `sent` to `asking`. */
export async function recordReached(ctx: MoveContext, booking: Booking, reached: ReachedAsk): Promise<void> {
  const { channel, revision, purpose, words = channelNamed(channel).askedText } = reached;
  if (!isOpen(booking, revision, purpose)) {
    if (booking.status === 'cancelled') await queueNotification(ctx, booking, 'notify_cancelled');
    await ctx.db`
      update venue_ask set state = 'ended' where id = ${reached.id} and state in ('asked','posted','pending')`;
    return;
  }
  if (booking.status === 'sent') {
    await moveToAsking(ctx, booking, channel, words);
  } else if (reached.reached === true) {
    return;
  } else if (purpose === 'change') {
    await noteEntry(ctx.db, ctx.now, booking, {
      event: 'change_asked',
      actor: 'service',
      channel,
      text: `${words} It is about the change.`,
    });
  } else if (purpose !== 'accept') {
    const again = reached.words ?? (purpose === 'reminder' ? 'The venue was reminded.' : words);
    await noteEntry(ctx.db, ctx.now, booking, {
      event: 'reminder_sent',
      actor: 'service',
      channel,
      text: again,
    });
  }
}

/** Moves a booking in `sent` to `asking`: a venue that answers has been asked, even if that is not recorded yet. */
export async function moveToAsking(
  ctx: MoveContext,
  booking: Booking,
  channel: ChannelName,
  words = channelNamed(channel).askedText,
): Promise<Booking> {
  if (booking.status !== 'sent') return booking;
  return moveBooking(ctx, booking, {
    to: 'asking',
    actor: 'service',
    channel,
    text: words,
    change: { channel },
  });
}

/** Records that a channel did not reach the venue. The next one follows; a notification goes to the desk. */
export async function failAsk(
  ctx: MoveContext,
  booking: Booking,
  row: Pick<AskRow, 'id' | 'channel' | 'revision' | 'step'> & { ref?: string | null },
  detail: string,
): Promise<void> {
  await ctx.db`update venue_ask set state = 'failed', leased_until = null, detail = ${detail} where id = ${row.id}`;
  await wakeBooking(ctx.db, booking.id);
  const isNotification = row.step.startsWith('notify_');
  if (isNotification) await queueForDesk(ctx, booking, { ref: row.ref ?? null, step: row.step, detail });
  if (!isNotification && !isOpen(booking, row.revision, row.step)) return;
  await noteEntry(ctx.db, ctx.now, booking, {
    event: 'channel_failed',
    actor: 'service',
    channel: row.channel,
    text: detail,
  });
  if (row.step === 'accept')
    await declineTable(ctx, booking, { actor: 'venue_system', channel: row.channel, reason: 'offer_gone' });
}

/** Creates one desk task, however many notifications failed. It includes the table that the venue's system holds. */
async function queueForDesk(
  ctx: MoveContext,
  { id, revision }: Booking,
  { ref, step, detail }: Pick<AskRow, 'ref' | 'step'> & { detail: string },
): Promise<void> {
  // The system may hold a table that it offered rather than the requested one.
  const [offered] = await ctx.db<TableRequest[]>`
    select date::text as date, time, party_size as "partySize" from booking_offer
    where booking_id = ${id} and ref = ${ref}`;
  const words = offered === undefined ? detail : `${detail} The system has ${tableWords(offered)}.`;
  await ctx.db`
    insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, ref, detail)
    select ${id}, ${revision}, ${step}, ${STAFF_CHANNEL}, 'waiting', ${ctx.now}, ${ref}, ${words}
    where not exists (select from venue_ask
      where booking_id = ${id} and step = ${step} and channel = ${STAFF_CHANNEL} and state = 'waiting')
    on conflict on constraint venue_ask_once do update set state = 'waiting', ref = excluded.ref,
      claimed_at = excluded.claimed_at, taken_by = null, taken_at = null`;
}

/** Retries of a notification to the venue's system; then the desk calls. */
const TELL_RETRIES = 3;

export async function recordNotification(
  ctx: MoveContext,
  booking: Booking,
  claimed: Claimed,
  outcome: TellOutcome,
): Promise<void> {
  await recordTellState(ctx, booking, claimed, outcome);
  const { ask, reason } = claimed;
  const { status, revision, confirmation } = booking;
  if (ask.purpose !== 'cancelled' || status !== 'confirmed' || ask.revision !== revision) return;
  // The table was given back before the status changed. The booking stays as it is only if the system refused.
  if (ask.ref === (confirmation?.ref ?? null) && outcome.outcome !== 'refused')
    await cancelTable(ctx, booking, reason);
}

async function recordTellState(
  ctx: MoveContext,
  booking: Booking,
  { ask, channel, tries }: Claimed,
  outcome: TellOutcome,
): Promise<void> {
  const step = `notify_${ask.purpose}` as AskRow['step'];
  await wakeBooking(ctx.db, booking.id);
  const undecided = outcome.outcome === 'unknown' || outcome.outcome === 'absent';
  if (undecided && tries < TELL_RETRIES) return updateAsk(ctx, ask, 'pending', {});
  if ('detail' in outcome)
    return failAsk(
      ctx,
      booking,
      { id: ask.id, channel, revision: ask.revision, step, ref: ask.ref },
      outcome.detail,
    );
  if (outcome.outcome === 'posted') return updateAsk(ctx, ask, 'posted', { messageId: outcome.messageId });
  if (outcome.outcome === 'waiting') return updateAsk(ctx, ask, 'waiting', {});
  await updateAsk(ctx, ask, 'asked', { ref: outcome.outcome === 'told' ? outcome.ref : null });
  await recordNotified(ctx, booking, channel, step);
}

const TOLD_WORDS: Partial<Record<AskRow['step'], string>> = {
  notify_cancelled: 'The venue was informed that the table is no longer needed.',
  notify_accepted: 'The venue was informed that its offer is accepted.',
  notify_kept: 'The venue was informed that the earlier table stays.',
  notify_message: 'The venue got the message.',
};

export async function recordNotified(
  ctx: MoveContext,
  booking: Booking,
  channel: ChannelName,
  step: AskRow['step'],
  words?: string,
): Promise<void> {
  const { kind, cancelledText } = channelNamed(channel);
  const ownText = step === 'notify_cancelled' ? cancelledText : undefined;
  await noteEntry(ctx.db, ctx.now, booking, {
    event: 'venue_told',
    actor: kind === 'staff' ? 'desk' : 'service',
    channel,
    text: words ?? ownText ?? TOLD_WORDS[step] ?? 'The venue was informed.',
  });
}

/**
 * Records a check of a promised table: when the venue's system no longer holds it, the booking is cancelled.
 * A check without a clear answer changes nothing, nor does one while the table is being given back.
 */
export async function recordWatch(
  ctx: MoveContext,
  booking: Booking,
  { ask, channel }: Claimed,
  { outcome }: AskOutcome,
): Promise<void> {
  await wakeBooking(ctx.db, booking.id);
  if (outcome !== 'declined' && outcome !== 'failed') return;
  const { confirmation, held } = booking;
  if (isFinal(booking.status) || (confirmation ?? held)?.ref !== ask.ref) return;
  const asks = await listAsks(ctx.db, booking.id);
  if (asks.some(({ step, state }) => step === 'notify_cancelled' && UNFINISHED.includes(state))) return;
  await cancelByVenue(ctx, booking, { actor: 'venue_system', channel });
}

const UNFINISHED: readonly string[] = ['queued', 'sending', 'pending'];
