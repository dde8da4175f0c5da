import type { Db } from '../../core/postgres/db.ts';
import type { Booking } from '../booking.ts';
import { isOpen } from '../moves.ts';
import { endChoice, listChoiceBookings, lockChoice, wakeChoice } from './choice.ts';

/** Cancels the rest of a choice, one of whose requests has ended. False when nothing of it was open. */
export async function cancelRest(db: Db, { choice }: Booking, now: Date): Promise<boolean> {
  const locked = choice === null ? undefined : await lockChoice(db, choice.id);
  if (locked === undefined || locked.endedAt !== null) return false;
  const bookings = await listChoiceBookings(db, locked.id);
  if (bookings.some(({ hasTable }) => hasTable)) return false;
  const rest = locked.turns < locked.placeIds.length || bookings.some(({ status }) => isOpen(status));
  if (!rest) return false;
  await endChoice(db, locked.id, now);
  await wakeChoice(db, locked.id);
  return true;
}
