/** How a venue can be asked for a table. */
export const BOOKING_METHODS = ['request', 'venue_system', 'phone', 'not_through'] as const;
export type BookingMethod = (typeof BOOKING_METHODS)[number];
