import type { Deps, StepContext } from '../../core/context.ts';
import { isLocked, waitForLocks, type Db } from '../../core/postgres/db.ts';
import type { ChannelName } from '../booking.ts';
import { lockBooking } from '../booking-row.ts';
import { ACTION_MAX_MS, type AskOutcome, type TellOutcome } from '../channel.ts';
import { holdLine } from '../booking-server/venue-line.ts';
import { CHANNELS } from '../channels/channels.ts';
import { holdErasing } from '../upkeep/erase-guests.ts';
import { holdKillSwitch } from '../upkeep/kill-switch.ts';
import { wakeBooking } from '../move-booking.ts';
import type { Claimed } from './claim-step.ts';
import { partCompanions, postTogether } from './companions.ts';
import { recordAsk, recordTell } from './record-outcome.ts';
import { recordWatch } from './record-watch.ts';

/**
 * Lets a channel act on a claimed step and notes the outcome, all while the kill switch stays where it is. Whoever dies
 * in between leaves the claim behind, and with it the knowledge that the venue may have been reached.
 */
export async function performStep(
  { deps, inTransaction }: StepContext,
  claimed: Claimed,
): Promise<AskOutcome | TellOutcome | undefined> {
  const { booking } = claimed.ask;
  let begun = false;
  const acted = inTransaction(async (tx) => {
    if (claimed.channel === 'sms' || claimed.channel === 'mail') await holdErasing(tx);
    if (claimed.channel === 'venue_system' && claimed.ask.purpose !== 'cancelled')
      await holdLine(tx, booking.placeId);
    if (await holdKillSwitch(tx)) {
      await callOff(tx, claimed);
      return undefined;
    }
    // Whether a table is given back decides what the booking is: whoever else wants to know waits for it.
    if (claimed.ask.purpose === 'cancelled') await lockBooking(tx, booking.id);
    if (!(await stillOurs(tx, claimed))) return undefined;
    begun = true;
    const outcome = await act(deps, claimed, tx);
    await waitForLocks(tx);
    if (claimed.ask.also !== undefined)
      await (outcome.outcome === 'posted'
        ? postTogether(tx, claimed.ask.id, outcome.messageId)
        : partCompanions(tx, claimed.ask.id));
    const now = deps.clock.now();
    const standing = await lockBooking(tx, booking.id);
    if (standing === undefined) return undefined;
    const ctx = { now, newId: deps.newId };
    if (claimed.how === 'tell') await recordTell(tx, ctx, standing, claimed, outcome as TellOutcome);
    else if (claimed.how === 'watch') await recordWatch(tx, ctx, standing, claimed, outcome as AskOutcome);
    else await recordAsk(tx, ctx, standing, claimed, outcome as AskOutcome);
    return outcome;
  });
  return acted.catch(async (thrown: unknown) => {
    if (isLocked(thrown) && !begun) await inTransaction((tx) => callOff(tx, claimed));
    throw thrown;
  });
}

/** Nothing has left yet, so the step is as good as never claimed. */
async function callOff(tx: Db, { ask, kept, how }: Claimed): Promise<void> {
  await partCompanions(tx, ask.id);
  if (!kept) await tx`delete from venue_ask where id = ${ask.id} and state = 'sending'`;
  else if (how === 'ask' || how === 'tell')
    await tx`update venue_ask set state = 'queued', leased_until = null where id = ${ask.id} and state = 'sending'`;
  await wakeBooking(tx, ask.booking.id);
}

/** A worker that slept through its lease finds that somebody else has written its step off. */
async function stillOurs(tx: Db, { ask, how }: Claimed): Promise<boolean> {
  if (how === 'watch') return true;
  const [row] = await tx`
    select 1 from venue_ask
    where id = ${ask.id} and state = ${how === 'poll' ? 'pending' : 'sending'}
      and leased_until > clock_timestamp() + ${ACTION_MAX_MS / 1000} * interval '1 second'`;
  return row !== undefined;
}

function act(deps: Deps, { channel, ask, how }: Claimed, tx: Db): Promise<AskOutcome | TellOutcome> {
  const means = CHANNELS[channel];
  const acted =
    how === 'tell'
      ? means.tell(deps, ask, tx)
      : how !== 'ask' && means.poll !== undefined
        ? means.poll(deps, ask, tx)
        : means.ask(deps, ask, tx);
  return Promise.race([acted, tooLong(channel)]);
}

/** Whoever flips the switch waits for this, so it ends in time whatever the other side does. */
function tooLong(channel: ChannelName): Promise<{ outcome: 'failed' | 'unknown'; detail: string }> {
  const outcome = channel === 'venue_system' ? 'unknown' : 'failed';
  return new Promise((resolve) => {
    AbortSignal.timeout(ACTION_MAX_MS).addEventListener('abort', () => {
      resolve({ outcome, detail: 'The other side took too long.' });
    });
  });
}
