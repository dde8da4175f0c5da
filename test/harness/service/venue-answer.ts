import { undoVenueAnswer } from '../../../src/bookings/answering/undo-venue-answer.ts';
import type { VenueAnswerOutcome, AnswerContext } from '../../../src/bookings/answering/answer-outcome.ts';
import { recordVenueAnswer, type VenueAnswer } from '../../../src/bookings/answering/venue-answer.ts';
import type { Deps } from '../../../src/core/context.ts';
import { transactionsOf } from '../../../src/core/postgres/db.ts';

/** Records what a venue said, as a page or the phone does. */
export function venueSays(deps: Deps, answer: VenueAnswer): Promise<VenueAnswerOutcome> {
  return transactionsOf(deps.pool)((tx) => recordVenueAnswer(tx, contextOf(deps), answer));
}

/** Takes the last answer of a venue back. */
export function venueTakesBack(deps: Deps, bookingId: string): Promise<VenueAnswerOutcome> {
  return transactionsOf(deps.pool)((tx) => undoVenueAnswer(tx, contextOf(deps), { bookingId }));
}

function contextOf({ clock, newId }: Deps): AnswerContext {
  return { now: clock.now(), newId, audit: () => undefined };
}
