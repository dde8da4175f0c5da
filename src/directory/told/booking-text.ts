import { toldLines } from '../../core/text/told-line.ts';

/** How to book, in lines: the sentence to follow, and the address and the number that it speaks of. */
export function bookingLines(booking: {
  guidance: string;
  url: string | null;
  phone: string | null;
  prefilled: Record<string, boolean>;
}): string {
  const { guidance, url, phone, prefilled } = booking;
  const open = Object.keys(prefilled).filter((name) => prefilled[name] !== true);
  return toldLines(
    guidance,
    url !== null && `booking.url: ${url}`,
    url !== null && open.length > 0 && `The page is not filled in with: ${open.join(', ')}.`,
    phone !== null && `The number: ${phone}`,
    'Nothing is booked.',
  );
}
