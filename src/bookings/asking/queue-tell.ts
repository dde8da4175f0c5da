import type { Db } from '../../core/db.ts';
import type { Booking, ChannelName } from '../booking.ts';
import type { AskRow } from '../booking-row.ts';
import { listAsks } from '../booking-row.ts';
import { wakeBooking, type MoveContext } from '../move-booking.ts';

export type TellStep = 'tell_cancelled' | 'tell_accepted' | 'tell_kept';

const REACHED: readonly AskRow['state'][] = ['sending', 'posted', 'asked', 'pending', 'answered', 'ended'];

/** Has the venue told what became of the table, the way it was reached; one that was never reached need not know. */
export async function queueTell(tx: Db, ctx: MoveContext, booking: Booking, step: TellStep): Promise<void> {
  const way = wayBack(await listAsks(tx, booking.id), booking);
  if (way === undefined) return;
  await tx`
    insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, ref)
    values (${booking.id}, ${booking.revision}, ${step}, ${way.channel}, 'queued', ${ctx.now}, ${way.ref})
    on conflict on constraint venue_ask_once do nothing`;
  await wakeBooking(tx, booking.id);
}

/** How a venue was reached last, if it was: its own system before everything else. */
export function wayBack(
  asks: readonly AskRow[],
  { confirmation }: Booking,
): { channel: ChannelName; ref: string | null } | undefined {
  const reached = asks.filter(({ state, step }) => REACHED.includes(state) && !step.startsWith('tell_'));
  const inSystem = reached.findLast(({ channel, ref }) => channel === 'venue_system' && ref !== null);
  if (inSystem !== undefined) return { channel: 'venue_system', ref: confirmation?.ref ?? inSystem.ref };
  const last = reached.findLast(({ channel }) => channel === 'sms' || channel === 'mail');
  if (last !== undefined) return { channel: last.channel, ref: null };
  return reached.length === 0 ? undefined : { channel: 'desk', ref: null };
}
