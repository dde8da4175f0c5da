import { toldLines } from '../../core/text/told-line.ts';

/** How to book, in lines: the sentence to follow, and the address and the number that it speaks of. */
export function bookingLines(booking: {
  guidance: string;
  url: string | null;
  phone: string | null;
}): string {
  const { guidance, url, phone } = booking;
  return toldLines(
    guidance,
    url !== null && `booking.url: ${url}`,
    phone !== null && `The number: ${phone}`,
    'Nothing is booked.',
  );
}
