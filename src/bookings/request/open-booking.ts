import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Booking } from '../booking.ts';
import { queueMoveEvent, wakeBooking, type MoveContext } from '../move-booking.ts';
import type { StatedTerms } from '../terms/table-terms.ts';
import { appendEntry, hashEntry, requestReceived } from '../timeline.ts';
import { HOUR_MS } from '../../core/time.ts';

export type NewBooking = Pick<
  Booking,
  | 'partnerId'
  | 'askedBy'
  | 'placeId'
  | 'date'
  | 'time'
  | 'timeUntil'
  | 'partySize'
  | 'timezone'
  | 'tableAt'
  | 'forType'
  | 'memberId'
  | 'guestName'
  | 'notes'
  | 'channel'
  | 'answerBy'
> & { choice?: Booking['choice']; waitUntil?: Date | null };

/** Creates a booking in `sent`, with timeline entry, event, and the job that asks the venue in its contact hours. */
export async function openBooking(ctx: MoveContext, fields: NewBooking, askFrom: Date): Promise<Booking> {
  const { db, now } = ctx;
  const booking: Booking = {
    ...fields,
    id: ctx.newId('bkg'),
    status: 'sent',
    revision: 1,
    lastSequence: 1,
    held: null,
    slotTime: null,
    released: [],
    confirmation: null,
    reverted: false,
    acceptedOfferId: null,
    reason: null,
    choice: fields.choice ?? null,
    waitUntil: fields.waitUntil ?? null,
    waitingSince: null,
    waitingRevision: null,
    terms: {},
    frozenAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const first = requestReceived(now);
  // All statements are in one transaction, so they are pipelined, and none waits for the result of another.
  const [terms] = await Promise.all([
    storeBooking(db, booking),
    appendEntry(db, booking.id, first),
    queueMoveEvent(ctx, booking, { previous: null, actor: 'partner', hash: hashEntry(booking.id, first) }),
    wakeBooking(db, booking.id, askFrom.getTime() - now.getTime()),
  ]);
  return { ...booking, terms };
}

/** Stores the booking with the terms of the venue, and returns these. */
async function storeBooking(db: Db, booking: Booking): Promise<StatedTerms> {
  const [row] = await db<{ terms: StatedTerms }[]>`
    insert into booking (id, partner_id, place_id, status, last_sequence, date, time, time_until, party_size, timezone,
                         table_at, for_type, member_id, guest_name, notes, channel, answer_by, choice_id, choice_position, wait_until, table_terms, created_at, updated_at)
    values (${booking.id}, ${booking.partnerId}, ${booking.placeId}, 'sent', 1, ${booking.date}, ${booking.time}, ${booking.timeUntil},
            ${booking.partySize}, ${booking.timezone}, ${booking.tableAt}, ${booking.forType}, ${booking.memberId}, ${booking.guestName}, ${booking.notes},
            ${booking.channel}, ${booking.answerBy}, ${booking.choice?.id ?? null}, ${booking.choice?.position ?? null}, ${booking.waitUntil}, table_terms_of(${booking.placeId}), ${booking.createdAt}, ${booking.updatedAt})
    returning table_terms as terms`;
  return row?.terms ?? {};
}

const DUPLICATE_MS = 24 * HOUR_MS;

/**
 * Rejects a repeated request for the same table and name, also from concurrent calls. With checkOnly, no call is kept
 * waiting: the booking is not about to be made.
 */
export async function refuseDuplicate(
  { db, now, actor }: Pick<Ctx, 'db' | 'now'> & Partial<Pick<Ctx, 'actor'>>,
  fields: NewBooking,
  { checkOnly = false } = {},
): Promise<void> {
  const { partnerId, placeId, date, time, guestName, memberId } = fields;
  const key = JSON.stringify([partnerId, placeId, date, time, guestName.toLowerCase()]);
  const locked = checkOnly ? undefined : db`select pg_advisory_xact_lock(7014, hashtext(${key}))`;
  const query = db<{ id: string }[]>`
    select id from booking
    where partner_id = ${partnerId} and place_id = ${placeId} and date = ${date} and time = ${time}
      and lower(guest_name) = ${guestName.toLowerCase()} and status <> 'cancelled'
      and (member_id is null or ${memberId}::text is null or member_id = ${memberId})
      and created_at > ${new Date(now.getTime() - DUPLICATE_MS)}
    order by id desc limit 1`;
  const [, [existing]] = await Promise.all([locked, query]);
  if (existing === undefined) return;
  // The id of a booking permits changing it, so it is not revealed to a caller who may only have guessed the name.
  if (actor?.kind === 'partner' && actor.shared === true)
    throw new AppError(
      'duplicate_request',
      'This table was already requested for this name. Nothing was changed.',
      { hint: 'Use the booking_id of that request to follow it.' },
    );
  throw new AppError(
    'duplicate_request',
    `This table was already requested for this name: ${existing.id}. Nothing was changed.`,
    {
      hint: 'Follow it with booking_status; modify_booking changes it, cancel_booking cancels it.',
      members: { booking_id: existing.id },
    },
  );
}
