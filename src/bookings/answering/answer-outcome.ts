import type { Ctx } from '../../core/context.ts';
import type { BookingStatus } from '../booking.ts';

export type AnswerContext = Pick<Ctx, 'now' | 'newId' | 'audit'>;

/** late: noted only. noted: asking continues. already: recorded before. stale: another answer remains valid. */
export type VenueAnswerOutcome =
  | { outcome: 'moved'; status: BookingStatus; undoUntil: Date | null }
  | { outcome: 'late'; status: BookingStatus }
  | { outcome: 'already'; status: BookingStatus }
  | { outcome: 'noted'; status: BookingStatus }
  | { outcome: 'stale'; status: BookingStatus }
  | { outcome: 'invalid'; detail: string; fault?: OfferFault };

export type OfferFault = 'incomplete' | 'size' | 'passed' | 'same';
