import type { BookingReason } from '../../webhooks/booking-reason.ts';
import { z } from 'zod';
import type { Deps, StepContext } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { addJob } from '../../jobs/add-job.ts';
import { defineTask } from '../../jobs/task.ts';
import { isLineFree } from '../booking-server/venue-line.ts';
import type { Booking } from '../booking.ts';
import type { AskRow } from '../booking-row.ts';
import { moveBooking, wakeBooking, type MoveContext } from '../move-booking.ts';
import { isFinal } from '../moves.ts';
import { claimStep, type Claimed } from './claim-step.ts';
import { gathering, isMessage, lockEvening } from './gathering.ts';
import { isCall, nextStep, type NextStep } from './next-step.ts';
import { performStep } from './perform-step.ts';
import { queueTell, takeBackUndecided } from './queue-tell.ts';
import { readBookingState, type FullBookingState } from './read-booking-state.ts';
import { failAsk } from './record-outcome.ts';
import { tablesToRelease } from '../answering/released-tables.ts';
import { restoreHeld } from '../answering/settle.ts';

declare module '../../jobs/task.ts' {
  interface Payloads {
    advance_in_system: { booking_id: string };
  }
}

/** More steps than one booking can have due at once; whatever goes round in circles ends here. */
const STEPS_MAX = 20;

/**
 * Does whatever is due for a booking, and has itself called again when the next thing will be. It looks at the record
 * alone, so that it may run at any time, any number of times, on any node, after any crash.
 */
export const advanceBooking = defineTask({
  kind: 'asking',
  payload: z.object({ booking_id: z.string() }),
  run: (job, { booking_id: id }) => advance(job, id, false),
});

/** The same where a venue's own system is to be called: one that does not answer takes no place from the others. */
export const advanceInSystem = defineTask({
  kind: 'asking_by_system',
  payload: z.object({ booking_id: z.string() }),
  run: (job, { booking_id: id }) => advance(job, id, true),
});

async function advance({ deps, inTransaction }: StepContext, id: string, mayCall: boolean): Promise<void> {
  let evening = false;
  for (let step = 0; step < STEPS_MAX; step++) {
    const taken = await inTransaction((tx) => takeStep(deps, tx, id, { mayCall, evening }));
    if (taken === 'rest') return;
    evening = taken === 'evening';
    if (typeof taken !== 'string') await performStep({ deps, inTransaction }, taken);
  }
  throw new Error(`${id} is not done with its steps.`);
}

interface Taking {
  /** Whether a venue's own system may be called here. */
  mayCall: boolean;
  /** Whether the evening of the table is to be looked at as a whole, because a message is due. */
  evening: boolean;
}

/** Does what needs the record alone, or claims what needs the world outside: claimed and committed, it is never claimed again. */
async function takeStep(
  deps: Deps,
  tx: Db,
  id: string,
  { mayCall, evening }: Taking,
): Promise<Claimed | 'again' | 'evening' | 'rest'> {
  if (evening) await lockEvening(tx, id);
  const standing = await readBookingState(deps, tx, id);
  if (standing === undefined) return 'rest';
  const first = nextStep(standing);
  if (isMessage(first) && !evening) return 'evening';
  const next = isMessage(first) ? nextStep(await gathering(tx, standing)) : first;
  switch (next.kind) {
    case 'nothing':
      return 'rest';
    case 'wait':
      await wakeBooking(tx, id, next.until.getTime() - standing.now.getTime());
      return 'rest';
    case 'ask':
    case 'remind':
    case 'accept':
    case 'do':
    case 'poll':
    case 'watch':
      if (isCall(next) && !(await mayCallNow(tx, standing.booking, mayCall))) return 'rest';
      return claimStep(deps, tx, standing, next);
    default:
      await moveOn(deps, tx, standing, next);
      return 'again';
  }
}

/** A call to the venue's own system has places of its own, and each venue's system is called once at a time. */
async function mayCallNow(tx: Db, { id, placeId }: Booking, here: boolean): Promise<boolean> {
  if (here && (await isLineFree(tx, placeId))) return true;
  const delayMs = here ? LINE_BUSY_MS : 0;
  await addJob(tx, 'advance_in_system', { booking_id: id }, { key: `system/${id}`, delayMs });
  return false;
}

const LINE_BUSY_MS = 250;

type OwnMove = Extract<NextStep, { kind: 'interrupted' | 'unanswered' | 'lapsed' | 'cancel' }>;

async function moveOn(deps: Deps, tx: Db, standing: FullBookingState, next: OwnMove): Promise<void> {
  const { booking, now } = standing;
  const ctx = { now, newId: deps.newId };
  switch (next.kind) {
    case 'interrupted':
      await takeUp(tx, ctx, booking, next.ask);
      return;
    case 'unanswered':
      await endUnanswered(tx, ctx, booking);
      return;
    case 'lapsed':
      await endLapsed(tx, ctx, booking);
      return;
    case 'cancel':
      await moveBooking(tx, ctx, booking, {
        to: 'cancelled',
        actor: 'service',
        text: CANCEL_WORDS[next.reason],
        change: { reason: next.reason },
      });
  }
}

/** Whoever was at it has died. The venue's system can be looked at and knows a repetition, so that one is tried again. */
async function takeUp(tx: Db, ctx: MoveContext, booking: Booking, ask: AskRow): Promise<void> {
  const unwanted = isFinal(booking.status) && !ask.step.startsWith('tell_');
  // The desk's list is our own: what was to stand on it does not yet, and nobody else has heard of it.
  if (ask.channel === 'desk' && !unwanted) {
    await tx`update venue_ask set state = 'queued', leased_until = null where id = ${ask.id}`;
    return;
  }
  if (ask.channel !== 'venue_system')
    return failAsk(tx, ctx, booking, ask, 'It was broken off and is not tried again this way.');
  // What nobody wants any more is not asked for once more, only looked up.
  const state = unwanted ? 'pending' : 'queued';
  await tx`update venue_ask set state = ${state}, leased_until = null where id = ${ask.id}`;
  if (unwanted) await takeBackUndecided(tx, ctx, booking, 'tell_cancelled');
}

const CANCEL_WORDS: Record<Extract<NextStep, { kind: 'cancel' }>['reason'], string> = {
  venue_opted_out: 'The venue takes no requests through us any more; it was not asked.',
  not_bookable_here: 'The place has no tables that could be asked for; it was not asked.',
  place_closed: 'The place appears to have closed; it was not asked.',
  halted_too_long: 'Bookings were halted for more than a day; the venue was not asked.',
  not_asked: 'The venue could not be asked in time.',
};

/** Silence about a change leaves the table that the venue has promised. */
async function endUnanswered(tx: Db, ctx: MoveContext, booking: Booking): Promise<void> {
  if (booking.held !== null) {
    await restoreHeld(tx, ctx, booking, booking.held, {
      actor: 'service',
      reason: 'change_unanswered',
      text: 'The venue did not answer about the change; the table of before stands.',
      tell: true,
    });
    return;
  }
  await tx`
    update venue_ask set state = 'ended'
    where booking_id = ${booking.id} and step in ('ask','reminder') and state in ('waiting','asked','posted')`;
  await moveBooking(tx, ctx, booking, {
    to: 'no_answer',
    actor: 'service',
    text: 'The venue did not answer in time.',
  });
  await takeBackUndecided(tx, ctx, booking, 'tell_cancelled');
}

async function endLapsed(tx: Db, ctx: MoveContext, booking: Booking): Promise<void> {
  const released = await tablesToRelease(tx, booking);
  await tx`
    update booking_offer set state = 'lapsed' where booking_id = ${booking.id} and state = 'open'`;
  if (booking.held !== null) {
    await restoreHeld(tx, ctx, booking, booking.held, {
      actor: 'service',
      reason: 'offer_lapsed',
      text: `${lapsedWords(booking)}; the table of before stands.`,
      tell: true,
    });
    return;
  }
  const ended = await moveBooking(tx, ctx, booking, {
    to: 'cancelled',
    actor: 'service',
    text: `${lapsedWords(booking)}.`,
    change: { reason: 'offer_lapsed' satisfies BookingReason, released },
  });
  await queueTell(tx, ctx, ended, 'tell_cancelled');
  await takeBackUndecided(tx, ctx, ended, 'tell_cancelled');
}

function lapsedWords({ acceptedOfferId }: Booking): string {
  return acceptedOfferId === null
    ? 'The offer was not taken in time'
    : "The venue's system did not confirm the offer in time";
}
