import type { Db } from '../../core/postgres/db.ts';
import { venueContacts, type VenueContacts } from '../../venue/contact.ts';
import { recordReached, recordNotified } from '../asking/record-outcome.ts';
import type { Booking } from '../booking.ts';
import { listUnseen, type CodedMessage } from '../coded/coded-message.ts';
import { acknowledgeMessages } from '../coded/message-partner.ts';
import { STAFF_CHANNEL } from '../channels/channels.ts';
import { findBooking, lockBooking, type AskRow } from '../booking-row.ts';
import type { MoveContext } from '../move-booking.ts';
import { refuseWhenHalted } from '../kill-switch/kill-switch.ts';

/** Time after which a taken call without a result becomes available again. */
const TASK_CLAIM_MS = 15 * 60_000;

/** A venue that the desk has to call: to ask for a table, or to notify it of an outcome. */
export interface BookingTask {
  askId: string;
  booking: Booking;
  /** Messages of the partner that the venue has not acknowledged. */
  messages: readonly CodedMessage[];
  step: 'ask' | 'notify_cancelled' | 'notify_accepted' | 'notify_kept' | 'notify_message';
  ref: string | null;
  /** Phone and website are those that may be used for requests, not everything that the listing shows. */
  place: { id: string; name: string; address: string | null } & Pick<
    VenueContacts,
    'phone' | 'unusable_phone' | 'website'
  >;
  since: Date;
  /** Information for the caller, for example what the venue said on the phone. */
  detail: string | null;
  notBefore: Date | null;
  takenBy: { by: string; email: string; at: Date } | null;
}

interface TaskRow {
  askId: string;
  bookingId: string;
  step: BookingTask['step'];
  ref: string | null;
  since: Date;
  detail: string | null;
  notBefore: Date | null;
  takenBy: string | null;
  takenAt: Date | null;
  takenEmail: string | null;
  placeId: string;
  name: string | null;
  address: string | null;
}

/** Lists the desk's calls, of all bookings or of one: due ones first, then by the time of the table. */
export async function listBookingTasks(
  db: Db,
  now: Date,
  limit: number,
  bookingId?: string,
): Promise<BookingTask[]> {
  const rows = await db<TaskRow[]>`
    select a.id::text as "askId", a.booking_id as "bookingId", a.step, a.ref, a.claimed_at as since, a.detail,
           case when a.not_before > ${now} then a.not_before end as "notBefore",
           case when a.taken_at > ${claimsExpiredBefore(now)} then a.taken_by end as "takenBy", a.taken_at as "takenAt",
           s.email as "takenEmail", b.place_id as "placeId", p.name, p.address
    from venue_ask a join booking b on b.id = a.booking_id
    left join place p on p.id = b.place_id left join staff s on s.id = a.taken_by
    where a.channel = ${STAFF_CHANNEL} and a.state in ('waiting','asked')
      and case when a.step = 'ask' then b.status in ('sent','asking') and a.revision = b.revision
               else a.state = 'waiting' end
      ${bookingId === undefined ? db`` : db`and b.id = ${bookingId}`}
    order by a.not_before > ${now} nulls first, b.table_at, a.id limit ${limit}`;
  const tasks = await Promise.all(rows.map((row) => taskOf(db, row)));
  return tasks.filter((task) => task !== undefined);
}

async function taskOf(db: Db, row: TaskRow): Promise<BookingTask | undefined> {
  const booking = await findBooking(db, row.bookingId);
  if (booking === undefined) return undefined;
  const { askId, step, ref, since, detail, notBefore, takenBy, takenAt, takenEmail } = row;
  const { placeId: id, address } = row;
  const { phone, unusable_phone, website } = await venueContacts(db, id);
  return {
    askId,
    booking,
    messages: step === 'notify_message' ? await listUnseen(db, booking.id) : [],
    step,
    ref,
    since,
    detail,
    notBefore,
    place: {
      id,
      name: row.name ?? 'A place that is no longer listed',
      address,
      phone,
      unusable_phone,
      website,
    },
    takenBy:
      takenBy === null || takenAt === null || takenEmail === null
        ? null
        : { by: takenBy, email: takenEmail, at: takenAt },
  };
}

function claimsExpiredBefore(now: Date): Date {
  return new Date(now.getTime() - TASK_CLAIM_MS);
}

export type TakeOutcome = { outcome: 'taken' } | { outcome: 'busy'; email: string } | { outcome: 'gone' };

/** Assigns a call to one staff member. Taking an `ask` call counts as asking, so `sent` moves to `asking`. */
export async function takeBookingTask(
  tx: Db,
  { now, newId }: Omit<MoveContext, 'db'>,
  { bookingId, staffId }: { bookingId: string; staffId: string },
): Promise<TakeOutcome> {
  await refuseWhenHalted(tx);
  const booking = await lockBooking(tx, bookingId);
  if (booking === undefined) return { outcome: 'gone' };
  const [ask] = await tx<{ id: string; revision: number; step: AskRow['step']; first: boolean }[]>`
    update venue_ask a set taken_by = ${staffId}, taken_at = ${now}, not_before = null,
      state = case when a.step = 'ask' then 'asked' else a.state end, asked_at = coalesce(a.asked_at, ${now})
    from (select id, state from venue_ask where booking_id = ${bookingId} and channel = ${STAFF_CHANNEL}
            and (step <> 'ask' or revision = ${booking.revision}) and state in ('waiting','asked')
            and (step = 'ask' or state = 'waiting') order by id for update) as before
    where a.id = before.id
      and (a.taken_by is null or a.taken_by = ${staffId} or a.taken_at <= ${claimsExpiredBefore(now)})
    returning a.id::text as id, a.revision, a.step, before.state = 'waiting' as first`;
  if (ask === undefined) return busyOrGone(tx, bookingId);
  if (ask.step === 'ask' && ask.first)
    await recordReached({ db: tx, now, newId }, booking, {
      id: ask.id,
      channel: STAFF_CHANNEL,
      revision: ask.revision,
      purpose: booking.held === null ? 'new' : 'change',
    });
  return { outcome: 'taken' };
}

async function busyOrGone(tx: Db, bookingId: string): Promise<TakeOutcome> {
  const [other] = await tx<{ email: string }[]>`
    select s.email from venue_ask a join staff s on s.id = a.taken_by
    where a.booking_id = ${bookingId} and a.channel = ${STAFF_CHANNEL} and a.state in ('waiting','asked') limit 1`;
  return other === undefined ? { outcome: 'gone' } : { outcome: 'busy', email: other.email };
}

/** Releases a call that was not made, so that somebody else can take it. False when it was not theirs. */
export async function releaseBookingTask(
  tx: Db,
  { bookingId, staffId }: { bookingId: string; staffId: string },
): Promise<boolean> {
  const { count } = await tx`
    update venue_ask set taken_by = null, taken_at = null
    where booking_id = ${bookingId} and channel = ${STAFF_CHANNEL} and taken_by = ${staffId} and state in ('waiting','asked')`;
  return count > 0;
}

export async function finishNotification(
  tx: Db,
  { now, newId }: Omit<MoveContext, 'db'>,
  { bookingId }: { bookingId: string },
): Promise<boolean> {
  const booking = await lockBooking(tx, bookingId);
  const [row] = await tx<{ step: AskRow['step'] }[]>`
    update venue_ask set state = 'asked', asked_at = ${now}
    where booking_id = ${bookingId} and channel = ${STAFF_CHANNEL} and step like 'notify\\_%' and state = 'waiting'
    returning step`;
  if (booking === undefined || row === undefined) return false;
  await recordNotified({ db: tx, now, newId }, booking, STAFF_CHANNEL, row.step);
  if (row.step === 'notify_message')
    await acknowledgeMessages(
      tx,
      { now, newId, audit: () => undefined },
      { bookingId, actor: 'desk', channel: STAFF_CHANNEL },
    );
  return true;
}
