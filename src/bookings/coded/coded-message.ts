import type { z } from 'zod';
import type { Db } from '../../core/postgres/db.ts';
import { HOUR_MS } from '../../core/time.ts';
import type {
  Allergen,
  codedMessageSchema,
  GuestCode,
  CodedSender,
  VenueCode,
} from '../../webhooks/coded-message-sets.ts';
import type { Booking } from '../booking.ts';

/** A coded message about a confirmed table. */
export interface CodedMessage {
  bookingId: string;
  sequence: number;
  sender: CodedSender;
  code: GuestCode | VenueCode;
  minutes: number | null;
  allergens: Allergen[] | null;
  /** HH:mm, local to the place. */
  at: string | null;
  sentAt: Date;
  seenAt: Date | null;
}

export function codedMessageAnswer(message: CodedMessage): z.output<typeof codedMessageSchema> {
  const { sender, code, minutes, allergens, at, sentAt, seenAt } = message;
  return {
    ...{ sender, code, minutes, allergens, at },
    sent_at: sentAt.toISOString(),
    seen_at: seenAt && seenAt.toISOString(),
  };
}

/** Messages are about a table that is to come or has just begun. */
const UNTIL_AFTER_MS = HOUR_MS;

export function takesMessages({ status, tableAt }: Pick<Booking, 'status' | 'tableAt'>, now: Date): boolean {
  return status === 'confirmed' && tableAt.getTime() + UNTIL_AFTER_MS > now.getTime();
}

const MESSAGE_SQL = `
  m.booking_id as "bookingId", m.sequence, m.sender, m.code, m.minutes, m.allergens, m.at_time as at,
  m.sent_at as "sentAt", m.seen_at as "seenAt"`;

export function listCodedMessages(db: Db, bookingIds: readonly string[]): Promise<CodedMessage[]> {
  return db<CodedMessage[]>`
    select ${db.unsafe(MESSAGE_SQL)} from coded_message m
    where m.booking_id = any(${bookingIds}::text[]) order by m.booking_id, m.sequence`;
}

/** The messages of the partner that the venue has not acknowledged. */
export async function listUnseen(db: Db, bookingId: string): Promise<CodedMessage[]> {
  return (await listCodedMessages(db, [bookingId])).filter(isUnseen);
}

export function isUnseen({ sender, seenAt }: CodedMessage): boolean {
  return sender === 'partner' && seenAt === null;
}

export async function storeCodedMessage(db: Db, message: CodedMessage): Promise<void> {
  const { bookingId, sequence, sender, code, minutes, allergens, at, sentAt } = message;
  await db`
    insert into coded_message (booking_id, sequence, sender, code, minutes, allergens, at_time, sent_at)
    values (${bookingId}, ${sequence}, ${sender}, ${code}, ${minutes}, ${allergens}, ${at}, ${sentAt})`;
}

/** Marks the unseen messages of a booking as seen, and returns them. */
export function markSeen(db: Db, now: Date, bookingId: string): Promise<CodedMessage[]> {
  return db<CodedMessage[]>`
    update coded_message m set seen_at = ${now}
    where m.booking_id = ${bookingId} and m.sender = 'partner' and m.seen_at is null
    returning ${db.unsafe(MESSAGE_SQL)}`;
}
