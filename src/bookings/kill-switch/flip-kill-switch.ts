import { setStatementTimeout, type Db } from '../../core/postgres/db.ts';
import { queueHeldBack } from '../../messages/message-job.ts';
import { SOON_MS } from '../asking/timing.ts';
import { wakeOpenChoices } from '../choices/advance-choice.ts';
import { lockBooking } from '../booking-row.ts';
import { readKillSwitch } from './kill-switch.ts';
import { wakeBookings, type MoveContext } from '../move-booking.ts';
import { cancelAndRelease, restoreHeld } from '../answering/settle.ts';

export interface Flip {
  on: boolean;
  reason: string;
  staffId: string;
}

/**
 * Halts or resumes all bookings. Waits for running actions; after its commit no new one starts on any node. Returns
 * the number of bookings; undefined when nothing changed.
 */
export async function flipKillSwitch(
  tx: Db,
  ctx: Omit<MoveContext, 'db'>,
  { on, reason, staffId }: Flip,
): Promise<number | undefined> {
  await setStatementTimeout(tx, 120_000);
  await tx`select lock_kill_switch()`;
  const before = await readKillSwitch(tx);
  if (before.on === on) return undefined;
  await tx`
    update kill_switch set halted = ${on}, since = ${ctx.now}, by_staff = ${staffId}, reason = ${reason}`;
  return (on ? freeze : resume)({ ...ctx, db: tx });
}

/** Counts the bookings that are, or would be, halted. */
export async function countFreezable(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from booking where status in ('sent','asking','offered')`;
  return row?.count ?? 0;
}

async function freeze(ctx: MoveContext): Promise<number> {
  const frozen = await ctx.db<{ id: string; status: string }[]>`
    update booking set frozen_at = ${ctx.now} where status in ('sent','asking','offered') and frozen_at is null
    returning id, status`;
  // Requests that have not been sent are cancelled after a day; their jobs schedule that.
  await wakeBookings(
    ctx.db,
    frozen.filter(({ status }) => status === 'sent').map(({ id }) => id),
  );
  return frozen.length;
}

/** Resumes halted bookings with the time they had left, unless the table is too near by now. */
async function resume(ctx: MoveContext): Promise<number> {
  const { now } = ctx;
  const frozen = await ctx.db<{ id: string; soon: boolean }[]>`
    select id, table_at <= ${new Date(now.getTime() + SOON_MS)} as soon
    from booking where frozen_at is not null order by id for update`;
  for (const { id } of frozen.filter(({ soon }) => soon)) await endTooLate(ctx, id);
  await ctx.db`
    update booking_offer o set expires_at = least(o.expires_at + (${now} - b.frozen_at), o.table_at)
    from booking b where b.id = o.booking_id and b.frozen_at is not null and o.state = 'open'`;
  await ctx.db`
    update venue_ask a set asked_at = a.asked_at + (${now} - b.frozen_at)
    from booking b where b.id = a.booking_id and b.frozen_at is not null and a.revision = b.revision`;
  await ctx.db`
    update booking set
      answer_by = case when waiting then answer_by else least(answer_by + (${now} - frozen_at), table_at - interval '15 minutes') end,
      frozen_at = null, updated_at = ${now}
    where frozen_at is not null`;
  const waiting = await ctx.db<{ id: string }[]>`
    select booking_id as id from venue_ask where state in ('queued','sending')
    union select booking_id from venue_ask where state = 'pending' and step like 'notify\\_%'
    union select id from booking where status in ('sent','asking','offered')
    union select id from booking where status = 'confirmed' and confirmed_by = 'venue_system' and table_at > ${now}`;
  await wakeBookings(
    ctx.db,
    [...frozen, ...waiting].map(({ id }) => id),
  );
  await wakeOpenChoices(ctx.db, now);
  await queueHeldBack(ctx.db);
  return frozen.length;
}

/** Ends a booking that is too near to ask for. A promised table remains. */
async function endTooLate(ctx: MoveContext, id: string): Promise<void> {
  const booking = await lockBooking(ctx.db, id);
  if (booking === undefined) return;
  const text = 'Bookings were halted, and it is now too late to ask.';
  if (booking.held !== null)
    await restoreHeld(ctx, booking, booking.held, {
      actor: 'service',
      reason: 'halted',
      text: `${text} The earlier table stays confirmed.`,
      tell: true,
    });
  else await cancelAndRelease(ctx, booking, { actor: 'service', text, reason: 'halted' });
}
