import type { Db } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';
import type { AnswerContext } from '../answering/answer-outcome.ts';
import { BOOKING_SQL, bookingOf, lockBooking, type BookingRow } from '../booking-row.ts';
import type { Booking, ChannelName } from '../booking.ts';
import { noteEntry } from '../timeline.ts';

/** came: all guests. fewer: some. absent: nobody. */
export const TABLE_OUTCOMES = ['came', 'fewer', 'absent'] as const;
export type TableOutcome = (typeof TABLE_OUTCOMES)[number];

/** A venue says what became of a table until so long after its time. */
const UNTIL_AFTER_MS = 14 * DAY_MS;

export function takesOutcome({ status, tableAt }: Pick<Booking, 'status' | 'tableAt'>, now: Date): boolean {
  const sinceMs = now.getTime() - tableAt.getTime();
  return status === 'confirmed' && sinceMs >= 0 && sinceMs <= UNTIL_AFTER_MS;
}

interface ReportedOutcome {
  bookingId: string;
  outcome: TableOutcome;
  /** Set on a page of one venue, so that tables of other venues cannot be used. */
  placeId?: string;
  channel: ChannelName | null;
}

/** Records what the venue says about a past table. False when there is no such table, or nothing changes. */
export async function recordOutcome(
  tx: Db,
  ctx: AnswerContext,
  { bookingId, outcome, placeId, channel }: ReportedOutcome,
): Promise<boolean> {
  const booking = await lockBooking(tx, bookingId);
  if (booking === undefined || (placeId !== undefined && booking.placeId !== placeId)) return false;
  if (!takesOutcome(booking, ctx.now)) return false;
  if ((await findOutcome(tx, bookingId)) === outcome) return false;
  await storeOutcome(tx, ctx.now, { bookingId, outcome, by: 'venue' });
  if (outcome === 'absent')
    await noteEntry(tx, ctx.now, booking, {
      event: 'no_show_reported',
      actor: 'venue',
      channel,
      text: 'The venue reports that nobody came.',
    });
  ctx.audit(bookingId, { outcome });
  return true;
}

/** Stores an outcome. The venue's own word stays over that of its system. */
export async function storeOutcome(
  tx: Db,
  now: Date,
  { bookingId, outcome, by }: { bookingId: string; outcome: TableOutcome; by: 'venue' | 'venue_system' },
): Promise<void> {
  await tx`
    insert into table_outcome as o (booking_id, outcome, recorded_by, recorded_at)
    values (${bookingId}, ${outcome}, ${by}, ${now})
    on conflict (booking_id) do update set outcome = excluded.outcome, recorded_by = excluded.recorded_by,
      recorded_at = excluded.recorded_at
    where excluded.recorded_by = 'venue' or o.recorded_by = 'venue_system'`;
}

export async function findOutcome(db: Db, bookingId: string): Promise<TableOutcome | null> {
  const [row] = await db<{ outcome: TableOutcome }[]>`
    select outcome from table_outcome where booking_id = ${bookingId}`;
  return row?.outcome ?? null;
}

/** Past tables of a venue without an outcome, the latest first. */
export async function listUntoldTables(db: Db, placeId: string, now: Date): Promise<Booking[]> {
  const rows = await db<BookingRow[]>`
    select ${db.unsafe(BOOKING_SQL)} from booking b left join table_outcome o on o.booking_id = b.id
    where b.place_id = ${placeId} and b.status = 'confirmed' and o.outcome is null
      and b.table_at between ${new Date(now.getTime() - UNTIL_AFTER_MS)} and ${now}
    order by b.table_at desc limit 20`;
  return rows.map(bookingOf);
}
