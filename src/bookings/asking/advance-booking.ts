import type { BookingReason } from '../../webhooks/booking-reason.ts';
import { z } from 'zod';
import type { Deps, StepContext } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { addJob } from '../../jobs/add-job.ts';
import { defineTask } from '../../jobs/task.ts';
import { tryLockVenueSystem } from '../booking-server/venue-system-lock.ts';
import { isChannelKind } from '../channels/channels.ts';
import type { Booking } from '../booking.ts';
import { withdrawFromChoice } from '../choices/leave-choice.ts';
import type { AskRow } from '../booking-row.ts';
import { moveBooking, wakeBooking, type MoveContext } from '../move-booking.ts';
import { isFinal } from '../moves.ts';
import { claimStep, type Claimed } from './claim-step.ts';
import { withBatchWindow, isMessage, lockEvening } from './message-batch.ts';
import { isCall, nextStep, type NextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import { queueNotification, endUndecided } from './queue-notification.ts';
import { readBookingState, type FullBookingState } from './read-booking-state.ts';
import { failAsk } from './record-outcome.ts';
import { tablesToRelease } from '../answering/released-tables.ts';
import { restoreHeld } from '../answering/settle.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { joinWithoutAsking } from '../waiting/join-waiting-list.ts';
import { isWaiting } from '../waiting/waiting.ts';

declare module '../../jobs/task.ts' {
  interface Payloads {
    advance_in_system: { booking_id: string };
  }
}

/** More steps than a booking can have due at once; stops endless loops. */
const STEPS_MAX = 20;

/** Performs all due steps of a booking. It depends only on the database, so it may run at any time and place. */
export const advanceBooking = defineTask({
  kind: 'asking',
  payload: z.object({ booking_id: z.string() }),
  run: (job, { booking_id: id }) => advance(job, id, false),
});

/** The same for calls to a venue's own system, in separate job slots. */
export const advanceInSystem = defineTask({
  kind: 'asking_by_system',
  payload: z.object({ booking_id: z.string() }),
  run: (job, { booking_id: id }) => advance(job, id, true),
});

async function advance({ deps, inTransaction }: StepContext, id: string, mayCall: boolean): Promise<void> {
  let evening = false;
  for (let step = 0; step < STEPS_MAX; step++) {
    const outcome = await inTransaction((tx) => runOrClaimStep(deps, tx, id, { mayCall, evening }));
    if (outcome === 'rest') return;
    evening = outcome === 'evening';
    if (typeof outcome !== 'string') await performStep({ deps, inTransaction }, outcome);
  }
  throw new Error(`${id} still has steps to do.`);
}

interface StepOptions {
  mayCall: boolean;
  /** True when a message is due, so that all requests for the same evening are considered together. */
  evening: boolean;
}

/** Performs a step in the database, or claims one that calls an external system. No step is claimed twice. */
async function runOrClaimStep(
  deps: Deps,
  tx: Db,
  id: string,
  { mayCall, evening }: StepOptions,
): Promise<Claimed | 'again' | 'evening' | 'rest'> {
  if (evening) await lockEvening(tx, id);
  const state = await readBookingState(deps, tx, id);
  if (state === undefined) return 'rest';
  const first = nextStep(state);
  if (isMessage(first) && !evening) return 'evening';
  const next = isMessage(first) ? nextStep(await withBatchWindow(tx, state)) : first;
  switch (next.kind) {
    case 'nothing':
      return 'rest';
    case 'wait':
      await wakeBooking(tx, id, untilNextLook(state, next.until));
      return 'rest';
    case 'ask':
    case 'remind':
    case 'accept':
    case 'do':
    case 'poll':
    case 'watch':
      if (isCall(next) && !(await mayCallNow(tx, state.booking, mayCall))) return 'rest';
      return claimStep(deps, tx, state, next);
    default:
      await performOwnMove(deps, tx, state, next);
      return 'again';
  }
}

/** A venue that closed or opted out ends the wait of a guest within this time. */
const WAITING_LOOK_MS = 60 * MINUTE_MS;

function untilNextLook({ booking, now }: FullBookingState, until: Date): number {
  const delayMs = until.getTime() - now.getTime();
  return isWaiting(booking) ? Math.min(delayMs, WAITING_LOOK_MS) : delayMs;
}

/** Calls to venue systems have their own job slots, and each venue's system is called by one job at a time. */
async function mayCallNow(tx: Db, { id, placeId }: Booking, here: boolean): Promise<boolean> {
  if (here && (await tryLockVenueSystem(tx, placeId))) return true;
  const delayMs = here ? LINE_BUSY_MS : 0;
  await addJob(tx, 'advance_in_system', { booking_id: id }, { key: `system/${id}`, delayMs });
  return false;
}

const LINE_BUSY_MS = 250;

type OwnMove = Extract<
  NextStep,
  { kind: 'interrupted' | 'unanswered' | 'lapsed' | 'withdraw' | 'join' | 'wait_over' | 'cancel' }
>;

async function performOwnMove(deps: Deps, tx: Db, state: FullBookingState, next: OwnMove): Promise<void> {
  const { booking, now } = state;
  const ctx = { db: tx, now, newId: deps.newId };
  switch (next.kind) {
    case 'interrupted':
      return recoverAsk(ctx, booking, next.ask);
    case 'unanswered':
      return endUnanswered(ctx, booking);
    case 'lapsed':
      return endLapsed(ctx, booking);
    case 'withdraw':
      await withdrawFromChoice(ctx, booking, next.reason);
      return;
    case 'join':
      await joinWithoutAsking(ctx, booking);
      return;
    case 'wait_over':
      await moveBooking(ctx, booking, {
        to: 'declined',
        actor: 'service',
        text: 'No table became free in time.',
        change: { reason: 'wait_over' satisfies BookingReason },
      });
      return;
    case 'cancel':
      await moveBooking(ctx, booking, {
        to: 'cancelled',
        actor: 'service',
        text: CANCEL_WORDS[next.reason],
        change: { reason: next.reason },
      });
  }
}

/** Handles a step whose job died. Only a venue's system, which detects repetitions, is asked again. */
async function recoverAsk(ctx: MoveContext, booking: Booking, ask: AskRow): Promise<void> {
  const unwanted = isFinal(booking.status) && !ask.step.startsWith('notify_');
  // The desk's list is internal: the task is not on it yet, and nobody outside has seen it, so it is safe to retry.
  if (isChannelKind(ask.channel, 'staff') && !unwanted) {
    await ctx.db`update venue_ask set state = 'queued', leased_until = null where id = ${ask.id}`;
    return;
  }
  if (!isChannelKind(ask.channel, 'system'))
    return failAsk(ctx, booking, ask, 'It was interrupted and is not retried over this channel.');
  // A request that is no longer wanted is only polled, not sent again.
  const state = unwanted ? 'pending' : 'queued';
  await ctx.db`update venue_ask set state = ${state}, leased_until = null where id = ${ask.id}`;
  if (unwanted) await endUndecided(ctx, booking, 'notify_cancelled');
}

const CANCEL_WORDS: Record<Extract<NextStep, { kind: 'cancel' }>['reason'], string> = {
  against_venue_rule: 'A rule of the venue excludes this table; it was not asked.',
  venue_opted_out: 'The venue no longer takes requests through us; it was not asked.',
  not_bookable_here: 'The place does not take table requests; it was not asked.',
  place_closed: 'The place appears to have closed; it was not asked.',
  halted_too_long: 'Bookings were halted for more than a day; the venue was not asked.',
  not_asked: 'The venue could not be asked in time.',
};

/** Ends a request without an answer. For a change, the table that the venue promised remains. */
async function endUnanswered(ctx: MoveContext, booking: Booking): Promise<void> {
  if (booking.held !== null) {
    await restoreHeld(ctx, booking, booking.held, {
      actor: 'service',
      reason: 'change_unanswered',
      text: 'The venue did not answer the change request; the earlier table stays confirmed.',
      tell: true,
    });
    return;
  }
  await ctx.db`
    update venue_ask set state = 'ended'
    where booking_id = ${booking.id} and step in ('ask','reminder') and state in ('waiting','asked','posted')`;
  await moveBooking(ctx, booking, {
    to: 'no_answer',
    actor: 'service',
    text: 'The venue did not answer in time.',
  });
  await endUndecided(ctx, booking, 'notify_cancelled');
}

async function endLapsed(ctx: MoveContext, booking: Booking): Promise<void> {
  const released = await tablesToRelease(ctx.db, booking);
  await ctx.db`
    update booking_offer set state = 'lapsed' where booking_id = ${booking.id} and state = 'open'`;
  if (booking.held !== null) {
    await restoreHeld(ctx, booking, booking.held, {
      actor: 'service',
      reason: 'offer_lapsed',
      text: `${lapsedWords(booking)}; the earlier table stays confirmed.`,
      tell: true,
    });
    return;
  }
  const ended = await moveBooking(ctx, booking, {
    to: 'cancelled',
    actor: 'service',
    text: `${lapsedWords(booking)}.`,
    change: { reason: 'offer_lapsed' satisfies BookingReason, released },
  });
  await queueNotification(ctx, ended, 'notify_cancelled');
  await endUndecided(ctx, ended, 'notify_cancelled');
}

function lapsedWords({ acceptedOfferId }: Booking): string {
  return acceptedOfferId === null
    ? 'The offer was not accepted in time'
    : "The venue's system did not confirm the offer in time";
}
