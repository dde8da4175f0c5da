import { joinLines, quoteUntrusted } from '../../core/text/tool-text.ts';
import { publishedNote } from '../place/shown-phones.ts';

/** Text lines about booking: the guidance, and the address and number that it refers to. */
export function bookingLines(booking: {
  guidance: string;
  url: string | null;
  phone: string | null;
  phone_as_published?: string | undefined;
  prefilled: Record<string, boolean>;
}): string {
  const { guidance, url, phone, phone_as_published: written, prefilled } = booking;
  const open = Object.keys(prefilled).filter((name) => prefilled[name] !== true);
  return joinLines(
    guidance,
    url !== null && `booking.url: ${url}`,
    url !== null && open.length > 0 && `Not filled in on the page: ${open.join(', ')}.`,
    phone !== null && `The number: ${phone}`,
    written !== undefined && `The number ${publishedNote(written)}: ${quoteUntrusted(written)}`,
    'Nothing is booked.',
  );
}
