import type { Db } from '../../core/postgres/db.ts';
import type { Booking, ChannelName } from '../booking.ts';
import type { AskRow } from '../booking-row.ts';
import { listAsks } from '../booking-row.ts';
import { wakeBooking, type MoveContext } from '../move-booking.ts';

export type TellStep = 'tell_cancelled' | 'tell_accepted' | 'tell_kept';

export const REACHED: readonly AskRow['state'][] = [
  'sending',
  'posted',
  'asked',
  'pending',
  'answered',
  'ended',
];

/** Under way, or in a system that has not decided or not answered: there may be a table whose name we do not know. */
const UNDECIDED: readonly AskRow['state'][] = ['sending', 'pending'];

/** Has the venue told what became of the table, the way it was reached; one that was never reached need not know. */
export async function queueTell(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  step: TellStep,
  only?: 'venue_system',
): Promise<void> {
  const asks = await listAsks(tx, booking.id);
  const way = wayBack(asks, booking);
  if (way === undefined || (only !== undefined && way.channel !== only)) return;
  const people = step === 'tell_cancelled' && only === undefined ? peopleAsked(asks, booking) : undefined;
  const ways = people === undefined || people.channel === way.channel ? [way] : [way, people];
  for (const { channel, ref } of ways)
    await tx`
      insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, ref)
      values (${booking.id}, ${booking.revision}, ${step}, ${channel}, 'queued', ${ctx.now}, ${ref})
      on conflict on constraint venue_ask_once do nothing`;
  await wakeBooking(tx, booking.id);
}

/** The channel by which people were asked about a change while the venue's system holds the table: both need the message. */
function peopleAsked(asks: readonly AskRow[], booking: Booking): WayBack | undefined {
  const { revision } = booking;
  return wayBack(
    asks.filter((one) => one.channel !== 'venue_system' && one.revision === revision),
    booking,
  );
}

interface WayBack {
  channel: ChannelName;
  /** What the venue's own system calls the table. */
  ref: string | null;
}

/** How a venue was reached last, if it was: its own system before everything else. */
export function wayBack(asks: readonly AskRow[], { confirmation }: Booking): WayBack | undefined {
  const reached = asks.filter(({ state, step }) => REACHED.includes(state) && !step.startsWith('tell_'));
  // What the desk calls about is kept by the system.
  const givenBack = asks.filter(
    ({ channel, step, state }) => channel !== 'desk' && step === 'tell_cancelled' && state !== 'failed',
  );
  const inSystem = reached.filter(
    ({ channel, ref, state }) =>
      channel === 'venue_system' &&
      (ref === null ? UNDECIDED.includes(state) : !givenBack.some((one) => one.ref === ref)),
  );
  if (inSystem.length > 0) {
    const known = inSystem.findLast(({ ref }) => ref !== null)?.ref ?? null;
    return { channel: 'venue_system', ref: confirmation?.ref ?? known };
  }
  const last = reached.findLast(({ channel }) => channel === 'sms' || channel === 'mail');
  if (last !== undefined) return { channel: last.channel, ref: null };
  // A system that was asked and holds nothing has nobody to be told.
  return reached.some(({ channel }) => channel !== 'venue_system')
    ? { channel: 'desk', ref: null }
    : undefined;
}

/**
 * Nobody waits any longer for what lies in the venue's own system. It would still be answered there, or is held already
 * without our knowing: it is looked up and taken back, or put back to the table that stands.
 */
export async function takeBackUndecided(
  tx: Db,
  ctx: MoveContext,
  { id, confirmation }: Booking,
  step: 'tell_cancelled' | 'tell_kept',
): Promise<void> {
  const ref = step === 'tell_kept' ? tx`${confirmation?.ref ?? null}::text` : tx`ref`;
  await tx`
    with undecided as (
      update venue_ask set state = 'ended'
      where booking_id = ${id} and step in ('ask','accept') and channel = 'venue_system' and state = 'pending'
      returning booking_id, revision, channel, ref)
    insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, ref)
    select booking_id, revision, ${step}, channel, 'queued', ${ctx.now}, ${ref} from undecided
    on conflict on constraint venue_ask_once do nothing`;
  await wakeBooking(tx, id);
}
