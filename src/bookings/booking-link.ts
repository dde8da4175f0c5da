import { z } from 'zod';
import { webUrl } from '../directory/booking-route/platforms.ts';
import { prefillBookingUrl } from '../directory/booking-route/prefill.ts';
import { prefilledSchema } from '../directory/place/place-fields.ts';
import type { Booking } from './booking.ts';

export const bookingLinkSchema = z.object({ url: z.string(), prefilled: prefilledSchema });
export type BookingLink = z.output<typeof bookingLinkSchema>;

/** Returns the venue's own booking page, prefilled, for a guest whose table requires a prepayment; null otherwise. */
export function filledBookingLink(
  { reason, date, time, partySize }: Pick<Booking, 'reason' | 'date' | 'time' | 'partySize'>,
  bookingUrl: string | null,
): BookingLink | null {
  if (reason !== 'payment_required' || bookingUrl === null || webUrl(bookingUrl) === null) return null;
  const { url, prefilled } = prefillBookingUrl(bookingUrl, { date, time, party_size: partySize });
  return { url, prefilled };
}
