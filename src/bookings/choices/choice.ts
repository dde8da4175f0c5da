import type { Db } from '../../core/postgres/db.ts';
import { addJob } from '../../jobs/add-job.ts';
import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Booking, BookingStatus, TableRequest } from '../booking.ts';

declare module '../../jobs/task.ts' {
  interface Payloads {
    advance_choice: { choice_id: string };
  }
}

export const ANSWER_WITHIN_MINUTES = { min: 5, standard: 30, max: 720 };
export const ALTERNATIVES_MAX = 5;

/** One table wanted at the first of several venues that has it. Each venue that is asked has a booking of its own. */
export interface Choice extends TableRequest {
  id: string;
  partnerId: string;
  /** In the order in which they are asked. */
  placeIds: readonly string[];
  timeUntil: string | null;
  /** How long a venue may be silent before the next one is asked too. */
  answerWithinMinutes: number;
  /** How many venues had their turn. */
  turns: number;
  /** Codes of the refusals of venues that could not be asked, by position. */
  refused: Readonly<Record<string, string>>;
  endedAt: Date | null;
}

/** A booking of a choice, as far as it decides whose turn it is. */
export interface ChoiceBooking {
  id: string;
  position: number;
  status: BookingStatus;
  /** True while the venue's table is confirmed, also during a change. */
  hasTable: boolean;
  /** When the venue was first asked about the current revision; null before that. */
  askedAt: Date | null;
}

const CHOICE_COLUMNS = `
  id, partner_id as "partnerId", place_ids as "placeIds", date::text as date, time, time_until as "timeUntil",
  party_size as "partySize", answer_within_minutes as "answerWithinMinutes", turns, refused, ended_at as "endedAt"`;

/** Locks the choice. Its lock comes after that of a booking: a transaction that holds it locks no further booking. */
export async function lockChoice(db: Db, id: string): Promise<Choice | undefined> {
  const [choice] = await db.unsafe<Choice[]>(
    `select ${CHOICE_COLUMNS} from booking_choice where id = $1 for update`,
    [id],
    { prepare: true },
  );
  return choice;
}

export function listChoices(db: Db, ids: readonly string[]): Promise<Choice[]> {
  return db.unsafe<Choice[]>(
    `select ${CHOICE_COLUMNS} from booking_choice where id = any($1::text[])`,
    [ids],
    { prepare: true },
  );
}

/** Reads the bookings of a choice in their order, without locking them: whatever moves one wakes the choice. */
export function listChoiceBookings(db: Db, choiceId: string): Promise<ChoiceBooking[]> {
  return db<ChoiceBooking[]>`
    select b.id, b.choice_position as position, b.status, b.status = 'confirmed' or b.held is not null as "hasTable",
      (select min(coalesce(a.asked_at, a.claimed_at)) from venue_ask a
       where a.booking_id = b.id and a.revision = b.revision and a.step = 'ask' and a.state <> 'failed') as "askedAt"
    from booking b where b.choice_id = ${choiceId} order by b.choice_position`;
}

export async function storeChoice(
  db: Db,
  choice: Omit<Choice, 'turns' | 'refused' | 'endedAt'>,
  now: Date,
): Promise<void> {
  const { id, partnerId, placeIds, date, time, timeUntil, partySize, answerWithinMinutes } = choice;
  await db`
    insert into booking_choice (id, partner_id, place_ids, date, time, time_until, party_size, answer_within_minutes, created_at)
    values (${id}, ${partnerId}, ${placeIds}::text[], ${date}, ${time}, ${timeUntil}, ${partySize}, ${answerWithinMinutes}, ${now})`;
}

/** Queues the job that asks the next venue of a choice, or withdraws what is open once the choice is over. */
export function wakeChoice(db: Db, id: string, delayMs = 0): Promise<void> {
  return addJob(
    db,
    'advance_choice',
    { choice_id: id },
    { key: `choice/${id}`, delayMs: Math.max(0, Math.ceil(delayMs)) },
  );
}

export async function endChoice(db: Db, id: string, now: Date): Promise<void> {
  await db`update booking_choice set ended_at = ${now} where id = ${id} and ended_at is null`;
}

export type ChoiceEnd = Extract<BookingReason, 'other_venue_confirmed' | 'choice_cancelled'>;

/** Returns why no table can be promised for a booking any more; undefined while its choice is open, or without one. */
export async function choiceEnd(
  db: Db,
  { id, choice }: Pick<Booking, 'id' | 'choice'>,
): Promise<ChoiceEnd | undefined> {
  if (choice === null) return undefined;
  const [row] = await db<{ taken: boolean; ended: boolean }[]>`
    select ended_at is not null as ended, exists (
      select from booking o where o.choice_id = c.id and o.id <> ${id} and (o.status = 'confirmed' or o.held is not null)
    ) as taken
    from booking_choice c where c.id = ${choice.id}`;
  if (row?.taken === true) return 'other_venue_confirmed';
  return row?.ended === true ? 'choice_cancelled' : undefined;
}

/** The same right before a table is promised: of several venues that say yes at once, the others wait here. */
export async function lockedChoiceEnd(db: Db, booking: Booking): Promise<ChoiceEnd | undefined> {
  if (booking.choice === null || booking.held !== null) return undefined;
  await lockChoice(db, booking.choice.id);
  return choiceEnd(db, booking);
}
