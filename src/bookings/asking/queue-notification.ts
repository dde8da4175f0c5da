import type { Booking, ChannelName } from '../booking.ts';
import type { AskRow } from '../booking-row.ts';
import { listAsks } from '../booking-row.ts';
import type { ChannelKind } from '../channels/channel.ts';
import { channelsOfKind, isChannelKind, STAFF_CHANNEL } from '../channels/channels.ts';
import { wakeBooking, type MoveContext } from '../move-booking.ts';

type NotificationStep = 'notify_cancelled' | 'notify_accepted' | 'notify_kept';

export const REACHED: readonly AskRow['state'][] = [
  'sending',
  'posted',
  'asked',
  'pending',
  'answered',
  'ended',
];

/** A request in these states may have a table whose reference is unknown. */
const UNDECIDED: readonly AskRow['state'][] = ['sending', 'pending'];

/** Queues a notification through the channel that reached the venue, if any did. */
export async function queueNotification(
  ctx: MoveContext,
  booking: Booking,
  step: NotificationStep,
  only?: ChannelKind,
): Promise<void> {
  const asks = await listAsks(ctx.db, booking.id);
  const target = notificationTarget(asks, booking);
  if (target === undefined || (only !== undefined && !isChannelKind(target.channel, only))) return;
  const people = step === 'notify_cancelled' && only === undefined ? peopleAsked(asks, booking) : undefined;
  const targets = people === undefined || people.channel === target.channel ? [target] : [target, people];
  for (const { channel, ref } of targets)
    await ctx.db`
      insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, ref)
      values (${booking.id}, ${booking.revision}, ${step}, ${channel}, 'queued', ${ctx.now}, ${ref})
      on conflict on constraint venue_ask_once do nothing`;
  await wakeBooking(ctx.db, booking.id);
}

/** Returns the channel on which people were asked about a change: they are notified like the system. */
function peopleAsked(asks: readonly AskRow[], booking: Booking): NotificationTarget | undefined {
  const { revision } = booking;
  return notificationTarget(
    asks.filter((one) => !isChannelKind(one.channel, 'system') && one.revision === revision),
    booking,
  );
}

interface NotificationTarget {
  channel: ChannelName;
  ref: string | null;
}

/** Returns the channel that last reached the venue, preferring its own system; undefined if none did. */
export function notificationTarget(
  asks: readonly AskRow[],
  { confirmation }: Booking,
): NotificationTarget | undefined {
  const reached = asks.filter(({ state, step }) => REACHED.includes(state) && !step.startsWith('notify_'));
  // Cancellations at the desk do not count: the system still holds those tables.
  const givenBack = asks.filter(
    ({ channel, step, state }) =>
      !isChannelKind(channel, 'staff') && step === 'notify_cancelled' && state !== 'failed',
  );
  const inSystem = reached.filter(
    ({ channel, ref, state }) =>
      isChannelKind(channel, 'system') &&
      (ref === null ? UNDECIDED.includes(state) : !givenBack.some((one) => one.ref === ref)),
  );
  const holder = inSystem.findLast(({ ref }) => ref !== null) ?? inSystem.at(-1);
  if (holder !== undefined) return { channel: holder.channel, ref: confirmation?.ref ?? holder.ref };
  const last = reached.findLast(({ channel }) => isChannelKind(channel, 'message'));
  if (last !== undefined) return { channel: last.channel, ref: null };
  // A system that was asked and holds no table needs no notification.
  return reached.some(({ channel }) => !isChannelKind(channel, 'system'))
    ? { channel: STAFF_CHANNEL, ref: null }
    : undefined;
}

/**
 * Ends undecided requests in the venue's system. It may still hold a table, so a notification cancels it or moves it
 * back to the promised one.
 */
export async function endUndecided(
  ctx: MoveContext,
  { id, confirmation }: Booking,
  step: 'notify_cancelled' | 'notify_kept',
): Promise<void> {
  const ref = step === 'notify_kept' ? ctx.db`${confirmation?.ref ?? null}::text` : ctx.db`ref`;
  await ctx.db`
    with undecided as (
      update venue_ask set state = 'ended'
      where booking_id = ${id} and step in ('ask','accept') and state = 'pending'
        and channel = any(${channelsOfKind('system')}::text[])
      returning booking_id, revision, channel, ref)
    insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, ref)
    select booking_id, revision, ${step}, channel, 'queued', ${ctx.now}, ${ref} from undecided
    on conflict on constraint venue_ask_once do nothing`;
  await wakeBooking(ctx.db, id);
}
