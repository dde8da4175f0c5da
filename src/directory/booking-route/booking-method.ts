import { closedSet } from '../../core/input/closed-set.ts';
import sets from '../sets/sets.json' with { type: 'json' };

export const BOOKING_METHODS = ['request', 'venue_system', 'phone', 'not_through'] as const;
export type BookingMethod = (typeof BOOKING_METHODS)[number];

export const bookingMethodSet = closedSet('BookingMethod', sets.BookingMethod);
