/** The seven moves of a booking; each is the event that tells of it. */
export const BOOKING_EVENTS = [
  'sent',
  'asking',
  'offered',
  'confirmed',
  'declined',
  'no_answer',
  'cancelled',
] as const;
export type BookingEvent = (typeof BOOKING_EVENTS)[number];

/** What a move of a booking tells its receiver. Who the guest is, the receiver knows; it never leaves us this way. */
export interface BookingMove {
  bookingId: string;
  status: BookingEvent;
  previousStatus: BookingEvent | null;
  placeId: string;
  /** YYYY-MM-DD and HH:mm, local to the place. */
  date: string;
  time: string;
  partySize: number;
  revision: number;
  actor: 'partner' | 'venue' | 'venue_system' | 'desk' | 'service';
  reason: string | null;
  offer: {
    offerId: string;
    date: string;
    time: string;
    partySize: number;
    note: string | null;
    expiresAt: Date;
  } | null;
  confirmation: { ref: string | null; at: Date } | null;
  link: BookingEventBody['link'];
  answerBy: Date | null;
  /** The entry of the move, by its hash: with the timeline it proves later what came before, and that nothing is gone. */
  timelineHead: { sequence: number; hash: string };
}

/** What stands under `data` in the body of a delivery. */
export interface BookingEventBody {
  booking_id: string;
  status: BookingEvent;
  previous_status: BookingEvent | null;
  booked: boolean;
  place_id: string;
  date: string;
  time: string;
  party_size: number;
  revision: number;
  actor: BookingMove['actor'];
  reason: string | null;
  offer: {
    offer_id: string;
    date: string;
    time: string;
    party_size: number;
    note: string | null;
    expires_at: string;
  } | null;
  confirmation: { ref: string | null; at: string } | null;
  /** The venue's own page, where its system wants money that we never pay. */
  link: { url: string; prefilled: { party_size: boolean; date: boolean; time: boolean } } | null;
  answer_by: string | null;
  timeline_head: { sequence: number; hash: string };
}

export function bookingEventBody(move: BookingMove): BookingEventBody {
  const { offer, confirmation } = move;
  return {
    booking_id: move.bookingId,
    status: move.status,
    previous_status: move.previousStatus,
    booked: move.status === 'confirmed',
    place_id: move.placeId,
    date: move.date,
    time: move.time,
    party_size: move.partySize,
    revision: move.revision,
    actor: move.actor,
    reason: move.reason,
    offer: offer && {
      offer_id: offer.offerId,
      date: offer.date,
      time: offer.time,
      party_size: offer.partySize,
      note: offer.note,
      expires_at: offer.expiresAt.toISOString(),
    },
    confirmation: confirmation && { ref: confirmation.ref, at: confirmation.at.toISOString() },
    link: move.link,
    answer_by: move.answerBy?.toISOString() ?? null,
    timeline_head: move.timelineHead,
  };
}
