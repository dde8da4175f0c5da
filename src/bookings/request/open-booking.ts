import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Booking } from '../booking.ts';
import { tellPartner, wakeBooking } from '../move-booking.ts';
import { appendEntry, hashEntry, type Entry } from '../timeline.ts';
import { HOUR_MS } from '../../core/time.ts';

export type NewBooking = Pick<
  Booking,
  | 'partnerId'
  | 'placeId'
  | 'date'
  | 'time'
  | 'partySize'
  | 'timezone'
  | 'tableAt'
  | 'forType'
  | 'memberId'
  | 'guestName'
  | 'notes'
  | 'channel'
  | 'answerBy'
>;

/**
 * Begins a booking: sent, with its first entry, its event, and the job by which the question leaves after the answer, or
 * in the morning where the venue is asleep.
 */
export async function openBooking(ctx: Ctx, given: NewBooking, askFrom: Date): Promise<Booking> {
  const { db, now } = ctx;
  const booking: Booking = {
    ...given,
    id: ctx.newId('bkg'),
    status: 'sent',
    revision: 1,
    lastSequence: 1,
    held: null,
    released: [],
    confirmation: null,
    reverted: false,
    acceptedOfferId: null,
    reason: null,
    frozenAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const first: Entry = {
    sequence: 1,
    at: now,
    event: 'sent',
    from: null,
    to: 'sent',
    actor: 'partner',
    channel: null,
    revision: 1,
    text: 'Request received.',
  };
  // Sent one behind the other without waiting in between, not even for the hash; all of it is one transaction.
  await Promise.all([
    storeBooking(db, booking),
    appendEntry(db, booking.id, first),
    tellPartner(db, ctx, booking, { previous: null, actor: 'partner', hash: hashEntry(booking.id, first) }),
    wakeBooking(db, booking.id, askFrom.getTime() - now.getTime()),
  ]);
  return booking;
}

async function storeBooking(db: Db, one: Booking): Promise<void> {
  await db`
    insert into booking (id, partner_id, place_id, status, last_sequence, date, time, party_size, timezone, table_at,
                         for_type, member_id, guest_name, notes, channel, answer_by, created_at, updated_at)
    values (${one.id}, ${one.partnerId}, ${one.placeId}, 'sent', 1, ${one.date}, ${one.time}, ${one.partySize},
            ${one.timezone}, ${one.tableAt}, ${one.forType}, ${one.memberId}, ${one.guestName}, ${one.notes},
            ${one.channel}, ${one.answerBy}, ${one.createdAt}, ${one.updatedAt})`;
}

const DUPLICATE_MS = 24 * HOUR_MS;

/** The same table for the same name is one request, however often it is sent; also by two calls at the same moment. */
export async function refuseDuplicate(ctx: Ctx, given: NewBooking): Promise<void> {
  const { db, now } = ctx;
  const { partnerId, placeId, date, time, guestName } = given;
  const same = JSON.stringify([partnerId, placeId, date, time, guestName.toLowerCase()]);
  const locked = db`select pg_advisory_xact_lock(7014, hashtext(${same}))`;
  const found = db<{ id: string }[]>`
    select id from booking
    where partner_id = ${partnerId} and place_id = ${placeId} and date = ${date} and time = ${time}
      and lower(guest_name) = ${guestName.toLowerCase()} and status <> 'cancelled'
      and created_at > ${new Date(now.getTime() - DUPLICATE_MS)}
    order by id desc limit 1`;
  const [, [known]] = await Promise.all([locked, found]);
  if (known === undefined) return;
  // Whoever has the id of a booking may change it: it is not told to somebody who may only have guessed the name.
  if (ctx.actor.kind === 'partner' && ctx.actor.shared === true)
    throw new AppError(
      'duplicate_request',
      'This table was already requested for this name. Nothing was changed.',
      { hint: 'Follow it with the booking_id of that request.' },
    );
  throw new AppError(
    'duplicate_request',
    `This table was already requested for this name: ${known.id}. Nothing was changed.`,
    {
      hint: 'Follow it with booking_status; modify_booking changes it, cancel_booking cancels it.',
      members: { booking_id: known.id },
    },
  );
}
