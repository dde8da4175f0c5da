import type { Db } from '../../core/postgres/db.ts';
import type { Booking } from '../booking.ts';
import { listAsks } from '../booking-row.ts';
import type { AskOutcome } from '../channel.ts';
import { wakeBooking, type MoveContext } from '../move-booking.ts';
import { cancelByVenue } from '../answering/settle.ts';
import { isFinal } from '../moves.ts';
import type { Claimed } from './claim-step.ts';

/**
 * Records the check of a table in the venue's own system, confirmed or held during a change. Only the system's own
 * answer counts: a failed check is ignored, and so is a table that the partner is giving back.
 */
export async function recordWatch(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  { ask }: Claimed,
  { outcome }: AskOutcome,
): Promise<void> {
  await wakeBooking(tx, booking.id);
  if (outcome !== 'declined' && outcome !== 'failed') return;
  const { confirmation, held } = booking;
  if (isFinal(booking.status) || (confirmation ?? held)?.ref !== ask.ref) return;
  const asks = await listAsks(tx, booking.id);
  if (asks.some(({ step, state }) => step === 'notify_cancelled' && UNFINISHED.includes(state))) return;
  await cancelByVenue(tx, ctx, booking, { actor: 'venue_system', channel: 'venue_system' });
}

const UNFINISHED: readonly string[] = ['queued', 'sending', 'pending'];
