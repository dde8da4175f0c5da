import type { Booking, Table } from '../booking.ts';
import type { VenueAsk } from '../channel.ts';
import type { VenueLanguage } from '../language/venue-language.ts';
import type { MessagePurpose } from '../language/words.ts';
import { dayWords, sentenceAbout } from '../table-words.ts';

type WordedBooking = Pick<Booking, 'guestName' | 'notes' | 'held' | 'released'>;

/** The exact words that a venue gets, in its language. A channel adds only how to answer. */
export function wordsForVenue(
  serviceName: string,
  purpose: VenueAsk['purpose'],
  { guestName, notes, held, released }: WordedBooking,
  table: Table,
  language: VenueLanguage,
): string {
  const { words } = language;
  const told = messagePurpose(purpose);
  const parts = [sentenceAbout(table, language, words.messages[told]), words.forName(guestName)];
  if (notes !== null && told !== 'cancelled') parts.push(words.withNote(notes));
  if (held !== null && told === 'change') parts.push(sentenceAbout(held, language, words.holdMeanwhile));
  const also = told === 'cancelled' ? released.slice(1) : [];
  // Each on a line of its own, because a subject has no full stop.
  return [
    `${serviceName}: ${parts.join(' ')}`,
    ...also.map((one) => sentenceAbout(one, language, words.subjects.cancelled)),
  ].join('\n');
}

/** What a mail is about; with several tables of one day, how many there are. */
export function subjectForVenue({ purpose, table, also = [] }: VenueAsk, language: VenueLanguage): string {
  const { words } = language;
  return also.length === 0
    ? sentenceAbout(table, language, words.subjects[messagePurpose(purpose)])
    : words.severalSubject(also.length + 1, dayWords(table.date, language));
}

/** That an offer is taken reads the same whether the venue has yet to take that in or is only told. */
function messagePurpose(purpose: VenueAsk['purpose']): MessagePurpose {
  return purpose === 'accept' ? 'accepted' : purpose;
}
