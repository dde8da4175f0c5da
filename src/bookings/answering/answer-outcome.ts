import type { Ctx } from '../../core/context.ts';
import type { BookingStatus } from '../booking.ts';
import type { MoveContext } from '../move-booking.ts';

/** Context of an answer. The audit row names who reported it. */
export type AnswerContext = MoveContext & Pick<Ctx, 'audit'>;

/**
 * moved: recorded, and the booking moved. late: noted in the timeline, nothing moved. noted: recorded, and asking
 * continues. already: the same answer was recorded before. stale: a different answer was recorded meanwhile and remains
 * valid; nothing was recorded. invalid: the answer is not valid, for the reason in `detail`.
 */
export type VenueAnswerOutcome =
  | { outcome: 'moved'; status: BookingStatus; undoUntil: Date | null }
  | { outcome: 'late'; status: BookingStatus }
  | { outcome: 'already'; status: BookingStatus }
  | { outcome: 'noted'; status: BookingStatus }
  | { outcome: 'stale'; status: BookingStatus }
  | { outcome: 'invalid'; detail: string; fault?: OfferFault };

/** Validation errors of a table that a venue offers. */
export type OfferFault = 'incomplete' | 'size' | 'passed' | 'same';
