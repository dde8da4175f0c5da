import { PUBLIC_NAME_SQL } from '../accounts/partners/house-partner.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Booking, ChannelName, HeldTable, BookingMover, TableRequest } from './booking.ts';

interface StoredTable {
  date: string;
  time: string;
  time_until?: string;
  party_size: number;
}

interface StoredHeld extends StoredTable {
  ref: string | null;
  by: BookingMover;
  at: string;
}

export type BookingRow = Omit<Booking, 'held' | 'released' | 'confirmation'> & {
  held: StoredHeld | null;
  released: readonly StoredTable[] | null;
  confirmedAt: Date | null;
  confirmedBy: BookingMover | null;
  confirmedRef: string | null;
};

export const BOOKING_SQL = `
  b.id, b.partner_id as "partnerId",
  (select ${PUBLIC_NAME_SQL} from partner n where n.id = b.partner_id) as "askedBy", b.place_id as "placeId", b.status, b.revision, b.last_sequence as "lastSequence",
  b.date::text as date, b.time, b.time_until as "timeUntil", b.slot_time as "slotTime", b.party_size as "partySize", b.timezone, b.table_at as "tableAt",
  b.for_type as "forType", b.member_id as "memberId", b.guest_name as "guestName", b.notes, b.channel,
  b.answer_by as "answerBy", b.held, b.released, b.confirmed_at as "confirmedAt", b.confirmed_by as "confirmedBy",
  b.confirmed_ref as "confirmedRef", b.reverted, b.accepted_offer as "acceptedOfferId", b.reason,
  (select jsonb_build_object('id', c.id, 'position', b.choice_position, 'of', cardinality(c.place_ids))
   from booking_choice c where c.id = b.choice_id) as choice,
  b.wait_until as "waitUntil", b.waiting_since as "waitingSince", b.waiting_revision as "waitingRevision",
  coalesce(b.table_terms, '{}') as terms,
  b.frozen_at as "frozenAt", b.created_at as "createdAt", b.updated_at as "updatedAt"`;

export function bookingOf(row: BookingRow): Booking {
  const { held, released, confirmedAt, confirmedBy, confirmedRef, ...rest } = row;
  return {
    ...rest,
    held: held && heldOf(held),
    released: (released ?? []).map(({ date, time, time_until: timeUntil = null, party_size: partySize }) => ({
      date,
      time,
      timeUntil,
      partySize,
    })),
    confirmation:
      confirmedAt === null || confirmedBy === null
        ? null
        : { at: confirmedAt, by: confirmedBy, ref: confirmedRef },
  };
}

export function heldOf({ date, time, party_size, ref, by, at }: StoredHeld): HeldTable {
  return { date, time, partySize: party_size, ref, by, at: new Date(at) };
}

export function storedHeld({ date, time, partySize, ref, by, at }: HeldTable): StoredHeld {
  return { date, time, party_size: partySize, ref, by, at: at.toISOString() };
}

export function storedTable({ date, time, timeUntil, partySize }: TableRequest): StoredTable {
  return { date, time, ...(timeUntil && { time_until: timeUntil }), party_size: partySize };
}

export async function lockBooking(db: Db, id: string): Promise<Booking | undefined> {
  const [row] = await db.unsafe<BookingRow[]>(
    `select ${BOOKING_SQL} from booking b where b.id = $1 for update`,
    [id],
    { prepare: true },
  );
  return row && bookingOf(row);
}

export async function findBooking(db: Db, id: string): Promise<Booking | undefined> {
  const [row] = await db.unsafe<BookingRow[]>(`select ${BOOKING_SQL} from booking b where b.id = $1`, [id], {
    prepare: true,
  });
  return row && bookingOf(row);
}

export interface BookingOffer {
  id: string;
  bookingId: string;
  date: string;
  time: string;
  partySize: number;
  tableAt: Date;
  note: string | null;
  madeBy: 'venue' | 'venue_system' | 'desk';
  expiresAt: Date;
  state: 'open' | 'accepted' | 'lapsed' | 'withdrawn' | 'superseded';
  ref: string | null;
}

export function listOffers(db: Db, bookingIds: readonly string[]): Promise<BookingOffer[]> {
  return db<BookingOffer[]>`
    select id, booking_id as "bookingId", date::text as date, time, party_size as "partySize", table_at as "tableAt",
           note, made_by as "madeBy", expires_at as "expiresAt", state, ref
    from booking_offer where booking_id = any(${bookingIds}::text[]) order by created_at, rank, id`;
}

export interface AskRow {
  id: string;
  revision: number;
  step:
    'ask' | 'accept' | 'reminder' | 'notify_cancelled' | 'notify_accepted' | 'notify_kept' | 'notify_message';
  channel: ChannelName;
  state: 'queued' | 'sending' | 'posted' | 'waiting' | 'asked' | 'pending' | 'answered' | 'failed' | 'ended';
  askedAt: Date | null;
  claimedAt: Date;
  polls: number;
  polledAt: Date | null;
  /** True when the venue's system reported a change that has not been checked yet. */
  checkWanted: boolean;
  ref: string | null;
  reason: string | null;
  leaseOver: boolean;
}

export function listAsks(db: Db, bookingId: string): Promise<AskRow[]> {
  return db<AskRow[]>`
    select id::text as id, revision, step, channel, state, asked_at as "askedAt", claimed_at as "claimedAt", polls,
           polled_at as "polledAt", check_wanted as "checkWanted", ref, reason, coalesce(leased_until <= clock_timestamp(), true) as "leaseOver"
    from venue_ask where booking_id = ${bookingId} order by id`;
}
