import { z } from 'zod';
import type { Db } from '../../core/postgres/db.ts';
import { bookingStatusSet } from '../../webhooks/booking-event.ts';
import type { Booking, BookingStatus } from '../booking.ts';
import { findRehearsalVenue } from '../rehearsal/rehearsal-venue.ts';
import { listChoices, type Choice } from './choice.ts';

export const choiceSchema = z.object({
  choice_id: z.string(),
  position: z.int().describe('The position of this venue in the order, from 1.'),
  answer_within_minutes: z.int(),
  over: z.boolean().describe('true when no further venue will be asked.'),
  venues: z
    .array(
      z.object({
        position: z.int(),
        place_id: z.string(),
        name: z.string().nullable(),
        booking_id: z.string().nullable().describe('null: not asked.'),
        status: bookingStatusSet.schema.nullable(),
        refusal: z.string().nullable().describe('The error code for which the venue was passed over.'),
      }),
    )
    .describe('All venues in their order.'),
});

export type ChoiceAnswer = z.input<typeof choiceSchema>;

interface VenueRow {
  choiceId: string;
  position: number;
  placeId: string;
  name: string | null;
  bookingId: string | null;
  status: BookingStatus | null;
  hasTable: boolean;
}

/** Describes the choices of bookings, by the id of the choice, each with all its venues. */
export async function choiceAnswers(
  db: Db,
  bookings: readonly Booking[],
): Promise<(booking: Booking) => ChoiceAnswer | null> {
  const ids = [...new Set(bookings.flatMap(({ choice }) => choice?.id ?? []))];
  if (ids.length === 0) return () => null;
  const choices = new Map((await listChoices(db, ids)).map((choice) => [choice.id, choice]));
  const rows = await db<VenueRow[]>`
    select c.id as "choiceId", v.position::int as position, v.place_id as "placeId", p.name, b.id as "bookingId", b.status,
      coalesce(b.status = 'confirmed' or b.held is not null, false) as "hasTable"
    from booking_choice c
    cross join unnest(c.place_ids) with ordinality as v(place_id, position)
    left join place p on p.id = v.place_id
    left join booking b on b.choice_id = c.id and b.choice_position = v.position
    where c.id = any(${ids}::text[]) order by c.id, v.position`;
  const venues = Map.groupBy(rows, ({ choiceId }) => choiceId);
  return ({ choice }) => {
    const stored = choice === null ? undefined : choices.get(choice.id);
    if (choice === null || stored === undefined) return null;
    return answerOf(stored, choice.position, venues.get(stored.id) ?? []);
  };
}

function answerOf(choice: Choice, position: number, venues: readonly VenueRow[]): ChoiceAnswer {
  const { id, placeIds, turns, endedAt, refused, answerWithinMinutes } = choice;
  return {
    choice_id: id,
    position,
    answer_within_minutes: answerWithinMinutes,
    over: endedAt !== null || turns >= placeIds.length || venues.some(({ hasTable }) => hasTable),
    venues: venues.map((venue) => ({
      position: venue.position,
      place_id: venue.placeId,
      name: venue.name ?? findRehearsalVenue(venue.placeId)?.name ?? null,
      booking_id: venue.bookingId,
      status: venue.status,
      refusal: refused[venue.position] ?? null,
    })),
  };
}
