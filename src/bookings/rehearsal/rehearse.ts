import { z } from 'zod';
import type { Db } from '../../core/postgres/db.ts';
import { addJob } from '../../jobs/add-job.ts';
import { defineTask } from '../../jobs/task.ts';
import type { AnswerContext } from '../answering/answer-outcome.ts';
import { undoVenueAnswer } from '../answering/undo-venue-answer.ts';
import { withdrawTable } from '../answering/upcoming-tables.ts';
import { recordVenueAnswer, type VenueAnswer } from '../answering/venue-answer.ts';
import type { Booking } from '../booking.ts';
import { lockBooking } from '../booking-row.ts';
import { acknowledgeMessages } from '../coded/message-partner.ts';
import { rehearsal } from '../channels/rehearsal.ts';
import { findRehearsalVenue, type RehearsalPart } from './rehearsal-venue.ts';

const payload = z.object({
  booking_id: z.string(),
  revision: z.int(),
  act: z.enum(['answer', 'second', 'seen']),
});

declare module '../../jobs/task.ts' {
  interface Payloads {
    rehearse: z.output<typeof payload>;
  }
}

/** Time between the answer of a rehearsal venue and what it does next. */
const SECOND_AFTER_MS = 10_000;

/** Plays the part of a rehearsal venue, by the functions that record what real venues answer. */
export const rehearse = defineTask({
  kind: 'asking',
  payload,
  run: ({ deps, inTransaction }, { booking_id: id, revision, act }) =>
    inTransaction(async (tx) => {
      const ctx = { now: deps.clock.now(), newId: deps.newId, audit: () => undefined };
      if (act === 'seen') {
        await acknowledgeMessages(tx, ctx, { bookingId: id, actor: 'venue', channel: rehearsal.name });
        return;
      }
      const booking = await lockBooking(tx, id);
      const part = booking && findRehearsalVenue(booking.placeId)?.part;
      if (booking === undefined || part === undefined || booking.revision !== revision) return;
      await (act === 'answer' ? answer(tx, ctx, booking, part) : actAgain(tx, ctx, booking, part));
    }),
});

async function answer(tx: Db, ctx: AnswerContext, booking: Booking, part: RehearsalPart): Promise<void> {
  const { id: bookingId, revision } = booking;
  if (part === 'silent') return;
  const given =
    part === 'no' || part === 'full'
      ? ({ answer: 'no' } as const)
      : part === 'offer'
        ? ({ answer: 'offer', offer: { time: otherTime(booking.timeUntil ?? booking.time) } } as const)
        : ({ answer: 'yes' } as const);
  await recordVenueAnswer(tx, ctx, { ...byVenue(booking), ...given });
  if (part === 'cancels' || part === 'twice' || (part === 'full' && booking.waitUntil !== null))
    await addJob(
      tx,
      'rehearse',
      { booking_id: bookingId, revision, act: 'second' },
      { key: `rehearse/${bookingId}/second`, delayMs: SECOND_AFTER_MS },
    );
}

async function actAgain(tx: Db, ctx: AnswerContext, booking: Booking, part: RehearsalPart): Promise<void> {
  const { id: bookingId, revision } = booking;
  if (part === 'cancels') {
    await withdrawTable(tx, ctx, { bookingId, revision, actor: 'venue', channel: rehearsal.name });
    return;
  }
  if (part === 'full') {
    await recordVenueAnswer(tx, ctx, { ...byVenue(booking), answer: 'free' });
    return;
  }
  await undoVenueAnswer(tx, ctx, { bookingId });
  await recordVenueAnswer(tx, ctx, { ...byVenue(booking), answer: 'no' });
}

function byVenue({
  id,
  revision,
}: Booking): Pick<VenueAnswer, 'bookingId' | 'revision' | 'actor' | 'channel'> {
  return { bookingId: id, revision, actor: 'venue', channel: rehearsal.name };
}

const OTHER_BY_MIN = 45;

/** 45 minutes later, or earlier where that would be the next day. */
function otherTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const later = hour * 60 + minute + OTHER_BY_MIN;
  const at = later < 24 * 60 ? later : later - 2 * OTHER_BY_MIN;
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
}
