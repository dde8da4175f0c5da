import { createHash } from 'node:crypto';
import { closedSet } from '../core/input/closed-set.ts';
import type { Db } from '../core/postgres/db.ts';
import { bookingStatusSet } from '../webhooks/booking-event.ts';
import type { Booking, BookingStatus, ChannelName, BookingMover } from './booking.ts';

/** Events without a move: they leave the status unchanged and send no webhook. */
const NOTES = {
  channel_failed: 'One channel to the venue failed.',
  reminder_sent: 'The venue was reminded.',
  late_answer: 'The venue answered too late; nothing changed.',
  no_show_reported: 'The venue says that nobody came.',
  change_asked: 'You asked for a change.',
  offer_taken: 'You accepted the offer.',
  venue_told: 'The venue was informed.',
  notes_changed: 'You changed the notes.',
  callback_wanted: 'The venue wants a call back.',
  message_sent: 'You sent the venue a message.',
  message_seen: 'The venue has seen your messages.',
  venue_message: 'The venue sent you a message.',
  waiting: 'The venue is full; the guest waits in case a table becomes free.',
} as const;
type NoteEvent = keyof typeof NOTES;

export const timelineEventSet = closedSet('TimelineEvent', { ...bookingStatusSet.sentences, ...NOTES });

export interface TimelineEntry {
  sequence: number;
  at: Date;
  event: BookingStatus | NoteEvent;
  from: BookingStatus | null;
  to: BookingStatus;
  actor: BookingMover;
  channel: ChannelName | null;
  revision: number;
  /** In our own words: no names of guests or staff, no contacts. */
  text: string;
}

export interface SealedEntry extends TimelineEntry {
  bookingId: string;
  hash: string;
}

export function requestReceived(at: Date): TimelineEntry {
  return {
    sequence: 1,
    at,
    event: 'sent',
    from: null,
    to: 'sent',
    actor: 'partner',
    channel: null,
    revision: 1,
    text: 'Request received.',
  };
}

/** The end of a timeline: a copy of it can later prove the timeline's content up to here. */
export interface TimelineHead {
  sequence: number;
  hash: string;
}

/** Appends an entry whose hash includes the previous one. Returns the hash in hex. */
export async function appendEntry(db: Db, bookingId: string, entry: TimelineEntry): Promise<string> {
  const { sequence, at, event, from, to, actor, channel, revision, text } = entry;
  const [row] = await db<{ hash: string }[]>`
    insert into booking_entry (booking_id, sequence, at, event, from_status, to_status, actor, channel, revision, text, hash)
    values (${bookingId}, ${sequence}, ${at}, ${event}, ${from}, ${to}, ${actor}, ${channel}, ${revision}, ${text},
            sha256(coalesce((select hash from booking_entry
              where booking_id = ${bookingId} and sequence = ${sequence - 1}), ''::bytea) || ${hashInput(bookingId, entry)}))
    returning encode(hash, 'hex') as hash`;
  if (row === undefined) throw new Error('An entry has no hash.');
  return row.hash;
}

/** Returns the hash of an entry in hex; `before` is the hash of the previous entry, empty for the first. */
export function hashEntry(bookingId: string, entry: TimelineEntry, before = ''): string {
  return createHash('sha256').update(before, 'hex').update(hashInput(bookingId, entry)).digest('hex');
}

/** The hashed bytes. docs/guides/webhooks.md publishes the format: it never changes for existing entries. */
function hashInput(bookingId: string, entry: TimelineEntry): Buffer {
  const { sequence, at, event, from, to, actor, channel, revision, text } = entry;
  return Buffer.from(
    JSON.stringify([bookingId, sequence, at.toISOString(), event, from, to, actor, channel, revision, text]),
  );
}

export function listEntries(db: Db, bookingIds: readonly string[]): Promise<SealedEntry[]> {
  return db<SealedEntry[]>`
    select booking_id as "bookingId", sequence, at, event, from_status as from, to_status as to, actor, channel, revision,
           text, encode(hash, 'hex') as hash
    from booking_entry where booking_id = any(${bookingIds}::text[]) order by booking_id, sequence`;
}

/** Records an event that does not move the booking, and returns its hash. The caller has locked the booking. */
export async function noteEntry(
  db: Db,
  now: Date,
  booking: Booking,
  note: { event: NoteEvent; actor: BookingMover; channel?: ChannelName | null; text: string },
): Promise<string> {
  const sequence = booking.lastSequence + 1;
  await db`update booking set last_sequence = ${sequence}, updated_at = ${now} where id = ${booking.id}`;
  const { event, actor, channel = null, text } = note;
  const { status, revision } = booking;
  const hash = await appendEntry(db, booking.id, {
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
  return hash;
}
