import { createHash } from 'node:crypto';
import { closedSet } from '../core/input/closed-set.ts';
import type { Db } from '../core/postgres/db.ts';
import { bookingStatusSet } from '../webhooks/booking-event.ts';
import type { Booking, BookingStatus, ChannelName, Mover } from './booking.ts';

/** What is told without a move: it leaves the status as it is, and no webhook hears of it. */
const NOTES = {
  channel_failed: 'One way to reach the venue failed.',
  reminder_sent: 'The venue was reminded.',
  late_answer: 'The venue answered too late; nothing moved.',
  no_show_reported: 'The venue says that nobody came.',
  change_asked: 'You asked for a change.',
  offer_taken: 'You took the offer.',
  venue_told: 'The venue was told.',
  notes_changed: 'You changed the notes.',
  callback_wanted: 'The venue wants a call back.',
} as const;
export type NoteEvent = keyof typeof NOTES;

/** What an entry tells: the status that a move led to, or what else happened. */
export const timelineEventSet = closedSet('TimelineEvent', { ...bookingStatusSet.sentences, ...NOTES });

export interface Entry {
  sequence: number;
  at: Date;
  event: BookingStatus | NoteEvent;
  from: BookingStatus | null;
  to: BookingStatus;
  actor: Mover;
  channel: ChannelName | null;
  revision: number;
  /** Our own words: no name of a guest or of staff, no contact. */
  text: string;
}

export interface SealedEntry extends Entry {
  bookingId: string;
  /** Hex. */
  hash: string;
}

/** Where a timeline ends: whoever keeps this can prove later what it said up to here. */
export interface TimelineHead {
  sequence: number;
  /** Hex. */
  hash: string;
}

/**
 * Each entry is sealed with the one before it, so that none can be changed or taken out unnoticed. Gives the hash, in hex.
 */
export async function appendEntry(db: Db, bookingId: string, entry: Entry): Promise<string> {
  const { sequence, at, event, from, to, actor, channel, revision, text } = entry;
  const [row] = await db<{ hash: string }[]>`
    insert into booking_entry (booking_id, sequence, at, event, from_status, to_status, actor, channel, revision, text, hash)
    values (${bookingId}, ${sequence}, ${at}, ${event}, ${from}, ${to}, ${actor}, ${channel}, ${revision}, ${text},
            sha256(coalesce((select hash from booking_entry
              where booking_id = ${bookingId} and sequence = ${sequence - 1}), ''::bytea) || ${sealed(bookingId, entry)}))
    returning encode(hash, 'hex') as hash`;
  if (row === undefined) throw new Error('An entry gave no hash.');
  return row.hash;
}

/** The hash of an entry by that of the entry before; the first has none before it. Hex. */
export function hashEntry(bookingId: string, entry: Entry, before = ''): string {
  return createHash('sha256').update(before, 'hex').update(sealed(bookingId, entry)).digest('hex');
}

/** What is hashed. docs/webhooks.md publishes it, and partners hold us to it: it never changes for entries that exist. */
function sealed(bookingId: string, entry: Entry): Buffer {
  const { sequence, at, event, from, to, actor, channel, revision, text } = entry;
  return Buffer.from(
    JSON.stringify([bookingId, sequence, at.toISOString(), event, from, to, actor, channel, revision, text]),
  );
}

/** The timelines of as many bookings as are asked about, in order. */
export function listEntries(db: Db, bookingIds: readonly string[]): Promise<SealedEntry[]> {
  return db<SealedEntry[]>`
    select booking_id as "bookingId", sequence, at, event, from_status as from, to_status as to, actor, channel, revision,
           text, encode(hash, 'hex') as hash
    from booking_entry where booking_id = any(${bookingIds}::text[]) order by booking_id, sequence`;
}

/** Tells something that does not move the booking, which the caller has locked. */
export async function noteEntry(
  db: Db,
  now: Date,
  booking: Booking,
  note: { event: NoteEvent; actor: Mover; channel?: ChannelName | null; text: string },
): Promise<void> {
  const sequence = booking.lastSequence + 1;
  await db`update booking set last_sequence = ${sequence}, updated_at = ${now} where id = ${booking.id}`;
  const { event, actor, channel = null, text } = note;
  const { status, revision } = booking;
  await appendEntry(db, booking.id, {
    sequence,
    at: now,
    event,
    from: status,
    to: status,
    actor,
    channel,
    revision,
    text,
  });
  booking.lastSequence = sequence;
}
