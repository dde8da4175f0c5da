import { localDate } from '../booking-range.ts';
import type { Booking } from '../booking.ts';
import type { VenueLanguage } from '../language/venue-language.ts';
import { dayWords, momentValues } from '../table-words.ts';
import { waitEnd } from './waiting.ts';

/** Writes the end of a guest's wait in the venue's time: Friday 20 November, 18:00. */
export function waitEndWords(booking: Booking, language: VenueLanguage): string {
  const end = waitEnd(booking);
  const { time } = momentValues(end, booking.timezone, language);
  return `${dayWords(localDate(booking.timezone, end), language)}, ${time}`;
}
