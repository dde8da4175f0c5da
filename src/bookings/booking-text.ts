import type { z } from 'zod';
import { labelled, quoteUntrusted, joinFacts, joinLines } from '../core/text/tool-text.ts';
import { codedSentence } from './coded/coded-words.ts';
import { termSentences } from './terms/term-words.ts';
import type { bookingSchema, offerSchema } from './booking-answer.ts';

type BookingAnswer = z.output<typeof bookingSchema>;

/** Describes a booking as self-contained text: its status, and the possible actions with their ids. */
export function bookingText(booking: BookingAnswer): string {
  const {
    booking_id,
    status,
    booked,
    place,
    date,
    time,
    time_until,
    party_size,
    revision,
    confirmation,
    held,
  } = booking;
  return joinLines(
    booking.rehearsal && 'A rehearsal: no real venue is involved.',
    joinFacts(
      `${booking_id} is ${status}, ${booked ? 'booked' : 'not booked'}`,
      `${place.name === null ? '' : `${quoteUntrusted(place.name)} `}(${place.place_id})`,
      `${date} ${time}${time_until === null ? '' : ` to ${time_until}`} ${place.timezone}`,
      `party of ${party_size}`,
      `for ${quoteUntrusted(booking.for.name)}`,
      `revision ${revision}`,
    ),
    joinFacts(
      labelled('Reason', quoteUntrusted(booking.reason)),
      booking.waiting === null && labelled('The venue answers by', booking.answer_by),
      confirmation !== null && `Confirmed by ${confirmation.by} ${confirmation.at}`,
      labelled('reference', quoteUntrusted(confirmation?.ref ?? null)),
    ),
    waitingLine(booking),
    held !== null && `The confirmed table stays: ${held.date} ${held.time}, party of ${held.party_size}.`,
    booking.reverted && 'The change failed; the earlier table stays confirmed.',
    ...booking.offers.map(offerLine),
    booking.link !== null && `The guest can book directly: ${booking.link.url}`,
    joinFacts(...termSentences(booking.table_terms)),
    ...booking.messages.map(
      ({ sender, seen_at, ...message }) =>
        `${sender === 'venue' ? 'The venue' : 'You'}: ${codedSentence(message)}${seen_at === null ? '' : ' (seen)'}`,
    ),
    ...choiceLines(booking),
    labelled('Notes', quoteUntrusted(booking.notes)),
  );
}

function waitingLine({ waiting }: BookingAnswer): string | false {
  if (waiting === null) return false;
  const { until, ahead } = waiting;
  return `The venue is full. The guest waits for a free table until ${until}, with ${ahead} ahead; an offer follows if one becomes free.`;
}

/** Describes where the other venues of the choice stand. */
function choiceLines({ choice }: BookingAnswer): string[] {
  if (choice === null) return [];
  const { choice_id, position, over, venues } = choice;
  return [
    `Venue ${position} of ${venues.length} in ${choice_id}${over ? ', no further one is asked' : ''}:`,
    ...venues.map(
      (venue) =>
        `${venue.position}. ${joinFacts(
          venue.name === null ? venue.place_id : `${quoteUntrusted(venue.name)} (${venue.place_id})`,
          venue.booking_id,
          venue.status ?? venue.refusal ?? 'not asked',
        )}`,
    ),
  ];
}

export function timelineText({ timeline }: BookingAnswer): string {
  return timeline
    .map(
      ({ at, event, actor, channel, text }) =>
        `- ${joinFacts(at, event, actor, channel, quoteUntrusted(text))}`,
    )
    .join('\n');
}

function offerLine({
  offer_id,
  date,
  time,
  party_size,
  note,
  expires_at,
}: z.output<typeof offerSchema>): string {
  const table = `${date} ${time}, party of ${party_size}`;
  return `Offer ${joinFacts(offer_id, table, quoteUntrusted(note), `until ${expires_at}`)}. Accept it with modify_booking accept_offer.`;
}
