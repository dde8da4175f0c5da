import type { Booking, TableRequest } from '../booking.ts';
import type { VenueAsk } from '../channels/channel.ts';
import type { CodedMessage } from '../coded/coded-message.ts';
import { codedSentence } from '../coded/coded-words.ts';
import type { VenueLanguage } from '../language/venue-language.ts';
import { dayValues, guestWords, momentValues, sentenceAbout, windowWords } from '../table-words.ts';
import { cutAtWord } from '../../core/text/limits.ts';

type WordedBooking = Pick<
  Booking,
  'guestName' | 'askedBy' | 'notes' | 'held' | 'released' | 'answerBy' | 'timezone'
> & { messages?: readonly CodedMessage[] };

/** Who writes to whom. `place` is null where the venue was greeted by name before. */
interface Letterhead {
  service: string;
  place: string | null;
}

const PLACE_NAME_MAX = 60;

/** Builds the exact text for a venue, in its language. A channel only adds how to answer. */
export function wordsForVenue(
  { service, place }: Letterhead,
  purpose: VenueAsk['purpose'],
  booking: WordedBooking,
  table: TableRequest,
  language: VenueLanguage,
): string {
  const { notes, held, released, answerBy, timezone, messages = [] } = booking;
  const kind = messagePurpose(purpose);
  const parts = [
    sentenceAbout(table, language, `message.${kind}`),
    ...(table.timeUntil && ASKING.includes(kind) ? [windowWords(table, language)] : []),
    // The sentence brings its own full stop, also after an initial such as "Mia T.".
    language.text('message.name', { name: guestWords(booking, language).replace(/\.$/, '') }),
  ];
  if (kind === 'message') parts.splice(1, 0, ...messages.map((one) => codedSentence(one, language)));
  if (notes !== null && kind !== 'cancelled' && kind !== 'message')
    parts.push(language.text('message.note', { note: notes }));
  if (held !== null && kind === 'change') parts.push(sentenceAbout(held, language, 'message.holdMeanwhile'));
  if (answerBy !== null && ASKING.includes(kind))
    parts.push(language.text('page.answerBy', momentValues(answerBy, timezone, language)));
  const also = kind === 'cancelled' ? released.slice(1) : [];
  const letterhead = place
    ? language.text('message.to', { service, place: cutAtWord(place, PLACE_NAME_MAX) })
    : service;
  // Each further table is on its own line: its text is that of a mail subject, which has no full stop.
  return [
    `${letterhead}: ${parts.join(' ')}`,
    ...also.map((other) => sentenceAbout(other, language, 'subject.cancelled')),
  ].join('\n');
}

const ASKING: readonly VenueAsk['purpose'][] = ['new', 'change', 'reminder'];

/** Builds the subject of a mail; for several tables of one day, it contains their number. */
export function subjectForVenue({ purpose, table, also = [] }: VenueAsk, language: VenueLanguage): string {
  return also.length === 0
    ? sentenceAbout(table, language, `subject.${messagePurpose(purpose)}`)
    : language.text('subject.several', { tables: also.length + 1, ...dayValues(table.date, language) });
}

/** An accepted offer reads the same whether the venue still has to book it or is only notified. */
function messagePurpose(purpose: VenueAsk['purpose']): Exclude<VenueAsk['purpose'], 'accept'> {
  return purpose === 'accept' ? 'accepted' : purpose;
}
