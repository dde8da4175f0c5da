import type { Booking, Table } from '../booking.ts';
import type { VenueAsk } from '../channel.ts';
import { tableWords } from '../table-words.ts';

type WordedBooking = Pick<Booking, 'guestName' | 'notes' | 'held'>;

/** The exact words that a venue gets. A channel adds only how to answer. */
export function wordsForVenue(
  serviceName: string,
  purpose: VenueAsk['purpose'],
  { guestName, notes, held }: WordedBooking,
  table: Table,
): string {
  const what = tableWords(table);
  const name = `Name: ${guestName}.`;
  const note = notes === null ? '' : ` Note: ${notes}`;
  const before = held === null ? '' : ` Until you answer, you hold ${tableWords(held)}.`;
  switch (purpose) {
    case 'new':
      return `${serviceName}: do you have ${what}? ${name}${note}`;
    case 'change':
      return `${serviceName}: could it be ${what} instead? ${name}${note}${before}`;
    case 'reminder':
      return `${serviceName}: we still wait for your answer. Do you have ${what}? ${name}${note}`;
    case 'accept':
    case 'accepted':
      return `${serviceName}: we take your offer: ${what}. ${name}${note}`;
    case 'cancelled':
      return `${serviceName}: ${what} is no longer wanted. ${name}`;
    case 'kept':
      return `${serviceName}: it stays at ${what}. ${name}${note}`;
  }
}
