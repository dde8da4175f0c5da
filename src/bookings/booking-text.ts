import type { z } from 'zod';
import { labelled, told, toldLine, toldLines } from '../core/text/told-line.ts';
import type { bookingSchema, offerSchema } from './booking-answer.ts';

type BookingAnswer = z.output<typeof bookingSchema>;

/** A booking as a text that stands alone: where it stands, and what can be done about it with which ids. */
export function bookingText(booking: BookingAnswer): string {
  const { booking_id, status, booked, place, date, time, party_size, revision, confirmation, held } = booking;
  return toldLines(
    toldLine(
      `${booking_id} is ${status}, ${booked ? 'booked' : 'not booked'}`,
      `${place.name === null ? '' : `${told(place.name)} `}(${place.place_id})`,
      `${date} ${time} ${place.timezone}`,
      `party of ${party_size}`,
      `for ${told(booking.for.name)}`,
      `revision ${revision}`,
    ),
    toldLine(
      labelled('Reason', told(booking.reason)),
      labelled('The venue answers by', booking.answer_by),
      confirmation !== null && `Confirmed by ${confirmation.by} ${confirmation.at}`,
      labelled('reference', told(confirmation?.ref ?? null)),
    ),
    held !== null && `The confirmed table stands: ${held.date} ${held.time}, party of ${held.party_size}.`,
    booking.reverted && 'The change came to nothing; the table of before stands.',
    ...offersOf(booking).map(offerLine),
    booking.link !== null && `The guest can book alone: ${booking.link.url}`,
    labelled('Notes', told(booking.notes)),
  );
}

/** What happened to it, an entry in a line. */
export function timelineText({ timeline }: BookingAnswer): string {
  return timeline
    .map(({ at, event, actor, channel, text }) => `- ${toldLine(at, event, actor, channel, told(text))}`)
    .join('\n');
}

function offersOf({ offer, offers }: BookingAnswer): readonly z.output<typeof offerSchema>[] {
  return offers.length > 0 || offer === null ? offers : [offer];
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
  return `Offer ${toldLine(offer_id, table, told(note), `until ${expires_at}`)}. Take it with modify_booking accept_offer.`;
}
