import type { Ctx } from '../../core/context.ts';
import type { BookingStatus } from '../booking.ts';

export type AnswerContext = Pick<Ctx, 'now' | 'newId' | 'audit'>;

/**
 * Outcome of recording a venue's answer. moved: it changed the status. late: it came for a request that had
 * ended or changed, and is only noted. noted: it is recorded, and the venue is still being asked. already:
 * the same answer was recorded before. stale: an answer that came meanwhile remains valid.
 */
export type VenueAnswerOutcome =
  | { outcome: 'moved'; status: BookingStatus; undoUntil: Date | null }
  | { outcome: 'late'; status: BookingStatus }
  | { outcome: 'already'; status: BookingStatus }
  | { outcome: 'noted'; status: BookingStatus }
  | { outcome: 'stale'; status: BookingStatus }
  | { outcome: 'invalid'; detail: string; fault?: OfferFault };

export type OfferFault = 'incomplete' | 'size' | 'passed' | 'too_far' | 'same';
