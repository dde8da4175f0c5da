import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';
import sets from './booking-sets.json' with { type: 'json' };

/** Reasons for a booking's status. A partner that cancels may send its own text instead. */
const bookingReasonSet = closedSet('BookingReason', sets.BookingReason);
export type BookingReason = (typeof bookingReasonSet.values)[number];

export const reasonSchema = z
  .union([bookingReasonSet.schema, z.string().describe('Your own text, if you cancelled.')])
  .nullable();
