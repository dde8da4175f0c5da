import type { Deps, StepContext } from '../../core/context.ts';
import { waitForLocks, type Db } from '../../core/postgres/db.ts';
import type { ChannelName } from '../booking.ts';
import { lockBooking } from '../booking-row.ts';
import { ACTION_MAX_MS, type AskOutcome, type TellOutcome } from '../channels/channel.ts';
import { lockVenueSystem } from '../booking-server/venue-system-lock.ts';
import { channelNamed, isChannelKind } from '../channels/channels.ts';
import { holdErasing } from '../maintenance/erase-guests.ts';
import { holdKillSwitch } from '../kill-switch/kill-switch.ts';
import { wakeBooking } from '../move-booking.ts';
import type { Claimed } from './claim-step.ts';
import { splitBatch, postBatch } from './message-batch.ts';
import { recordAsk, recordNotification, recordWatch } from './record-outcome.ts';

/** Performs a claimed step and records its outcome with the kill switch locked. A crash keeps the claim. */
export async function performStep(
  { deps, inTransaction }: StepContext,
  claimed: Claimed,
): Promise<AskOutcome | TellOutcome | undefined> {
  const { booking } = claimed.ask;
  let started = false;
  const result = inTransaction(async (tx) => {
    if (isChannelKind(claimed.channel, 'message')) await holdErasing(tx);
    if (isChannelKind(claimed.channel, 'system') && claimed.ask.purpose !== 'cancelled')
      await lockVenueSystem(tx, booking.placeId);
    if (await holdKillSwitch(tx)) {
      await callOff(tx, claimed);
      return undefined;
    }
    // The outcome of giving a table back determines the booking's status, so other transactions wait for it.
    if (claimed.ask.purpose === 'cancelled') await lockBooking(tx, booking.id);
    if (!(await holdsLease(tx, claimed))) {
      await callOff(tx, claimed);
      return undefined;
    }
    started = true;
    const outcome = await act(deps, claimed, tx);
    await waitForLocks(tx);
    if (claimed.ask.also !== undefined)
      await (outcome.outcome === 'posted'
        ? postBatch(tx, claimed.ask.id, outcome.messageId)
        : splitBatch(tx, claimed.ask.id));
    const now = deps.clock.now();
    const current = await lockBooking(tx, booking.id);
    if (current === undefined) return undefined;
    const ctx = { db: tx, now, newId: deps.newId };
    if (claimed.how === 'tell') await recordNotification(ctx, current, claimed, outcome as TellOutcome);
    else if (claimed.how === 'watch') await recordWatch(ctx, current, claimed, outcome as AskOutcome);
    else await recordAsk(ctx, current, claimed, outcome as AskOutcome);
    return outcome;
  });
  return result.catch(async (thrown: unknown) => {
    // Where the database still does not answer, the end of the lease is noticed as after a crash.
    if (!started) await inTransaction((tx) => callOff(tx, claimed)).catch(() => undefined);
    throw thrown;
  });
}

/** Releases the claim of a step from which nothing has been sent, unless another job has taken it over. */
async function callOff(tx: Db, { ask, existed, how, lease }: Claimed): Promise<void> {
  const own = tx`id = ${ask.id} and state = 'sending' and leased_until = ${lease}::timestamptz`;
  const [row] = await tx`select from venue_ask where ${own} for update`;
  if (row !== undefined) {
    await splitBatch(tx, ask.id);
    if (!existed) await tx`delete from venue_ask where ${own}`;
    else if (how === 'ask' || how === 'tell')
      await tx`update venue_ask set state = 'queued', leased_until = null where ${own}`;
  }
  await wakeBooking(tx, ask.booking.id);
}

/** False when the lease expired, or has too little time left, and another job may have taken over. */
async function holdsLease(tx: Db, { ask, how }: Claimed): Promise<boolean> {
  if (how === 'watch') return true;
  const [row] = await tx`
    select 1 from venue_ask
    where id = ${ask.id} and state = ${how === 'poll' ? 'pending' : 'sending'}
      and leased_until > clock_timestamp() + ${ACTION_MAX_MS / 1000} * interval '1 second'`;
  return row !== undefined;
}

function act(deps: Deps, { channel, ask, how }: Claimed, tx: Db): Promise<AskOutcome | TellOutcome> {
  const channelActions = channelNamed(channel);
  const action =
    how === 'tell'
      ? channelActions.tell(deps, ask, tx)
      : how !== 'ask' && channelActions.poll !== undefined
        ? channelActions.poll(deps, ask, tx)
        : channelActions.ask(deps, ask, tx);
  return Promise.race([action, actionTimeout(channel)]);
}

/** Limits the duration of an action: flipping the kill switch waits for it. */
function actionTimeout(channel: ChannelName): Promise<{ outcome: 'failed' | 'unknown'; detail: string }> {
  const outcome = isChannelKind(channel, 'system') ? 'unknown' : 'failed';
  return new Promise((resolve) => {
    AbortSignal.timeout(ACTION_MAX_MS).addEventListener('abort', () =>
      resolve({ outcome, detail: "The venue's system or the provider took too long." }),
    );
  });
}
