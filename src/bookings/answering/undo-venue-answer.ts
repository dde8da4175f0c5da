import type { Db } from '../../core/postgres/db.ts';
import type { Booking } from '../booking.ts';
import { heldOf, lockBooking, storedHeld } from '../booking-row.ts';
import { lockedChoiceEnd } from '../choices/choice.ts';
import { isHalted } from '../kill-switch/kill-switch.ts';
import { moveBooking } from '../move-booking.ts';
import { revertOptOut, type Route } from './opt-out.ts';
import { isWaiting } from '../waiting/waiting.ts';
import type { VenueAnswerOutcome, AnswerContext } from './answer-outcome.ts';

const UNDO_MS = 2 * 60_000;

interface Before {
  answer_by: string | null;
  held: ReturnType<typeof storedHeld> | null;
  date: string;
  time: string;
  /** Absent in records of the previous release. */
  time_until?: string | null;
  party_size: number;
  table_at: string;
  route: Route | null;
}

interface UndoRecord {
  before: Booking;
  after: Booking;
  actor: 'venue' | 'desk';
  route: Before['route'];
}

/** Stores the state before an answer for the undo period. Returns the end of that period. */
export async function storeUndo(
  tx: Db,
  now: Date,
  { before, after, actor, route }: UndoRecord,
): Promise<Date> {
  const until = new Date(now.getTime() + UNDO_MS);
  const state: Before = {
    answer_by: before.answerBy?.toISOString() ?? null,
    held: before.held && storedHeld(before.held),
    date: before.date,
    time: before.time,
    time_until: before.timeUntil,
    party_size: before.partySize,
    table_at: before.tableAt.toISOString(),
    route,
  };
  await tx`
    insert into venue_undo (booking_id, sequence, actor, until, before)
    values (${after.id}, ${after.lastSequence}, ${actor}, ${until}, ${tx.json(state)})
    on conflict (booking_id) do update set sequence = excluded.sequence, actor = excluded.actor,
      until = excluded.until, before = excluded.before`;
  return until;
}

/** Returns until when the last answer can be undone; undefined when it cannot. */
export async function answerUndoableUntil(
  db: Db,
  { id, lastSequence }: Booking,
  { now, actor }: { now: Date; actor: UndoRecord['actor'] },
): Promise<Date | undefined> {
  const [undo] = await db<{ until: Date }[]>`
    select until from venue_undo
    where booking_id = ${id} and sequence = ${lastSequence} and actor = ${actor} and until > ${now}`;
  return undo?.until;
}

/** Undoes the last answer, within two minutes and only if nothing else has happened since. */
export async function undoVenueAnswer(
  tx: Db,
  ctx: AnswerContext,
  { bookingId, actor = 'venue' }: { bookingId: string; actor?: 'venue' | 'desk' },
): Promise<VenueAnswerOutcome> {
  const { now } = ctx;
  const halted = await isHalted(tx);
  const booking = await lockBooking(tx, bookingId);
  if (booking === undefined) return { outcome: 'invalid', detail: 'There is no such booking.' };
  const [undo] = await tx<{ before: Before }[]>`
    select before from venue_undo
    where booking_id = ${bookingId} and sequence = ${booking.lastSequence} and actor = ${actor} and until > ${now}`;
  if (undo === undefined || (await lockedChoiceEnd(tx, booking)) !== undefined)
    return { outcome: 'late', status: booking.status };
  const { before } = undo;
  const moved = await moveBooking({ ...ctx, db: tx }, booking, {
    to: 'asking',
    actor,
    text: 'The answer was undone.',
    undo: true,
    change: {
      answerBy: before.answer_by === null ? null : new Date(before.answer_by),
      held: before.held && heldOf(before.held),
      date: before.date,
      time: before.time,
      timeUntil: before.time_until ?? null,
      partySize: before.party_size,
      tableAt: new Date(before.table_at),
      confirmation: null,
      frozenAt: halted ? now : null,
    },
  });
  await restore(tx, moved, before, now);
  ctx.audit(bookingId, { was: booking.status, by: actor });
  return { outcome: 'moved', status: moved.status, undoUntil: null };
}

async function restore(tx: Db, moved: Booking, { route }: Before, now: Date): Promise<void> {
  const { id, revision, placeId } = moved;
  await tx`delete from venue_undo where booking_id = ${id}`;
  await tx`update booking_offer set state = 'withdrawn' where booking_id = ${id} and state = 'open'`;
  // A guest who waits again is on the waiting list; the question stays answered.
  if (!isWaiting(moved))
    await tx`
    update venue_ask set state = 'asked'
    where booking_id = ${id} and revision = ${revision} and state = 'answered' and step in ('ask','reminder')`;
  if (route === null) return;
  await revertOptOut(tx, now, placeId, route);
}
