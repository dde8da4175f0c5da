import type { StatedTerms } from './terms/table-terms.ts';
import { BOOKING_EVENTS, moverSet } from '../webhooks/booking-event.ts';

/** Statuses of a booking. Only move-booking.ts changes them, and only as moves.ts allows. */
export const STATUSES = BOOKING_EVENTS;
export type BookingStatus = (typeof STATUSES)[number];

export const MOVERS = moverSet.values;
export type BookingMover = (typeof MOVERS)[number];

/** The name of a channel for contacting a venue; channels/channels.ts lists them. */
export type ChannelName = string;

/** A table; date and time are local to the place. */
export interface TableRequest {
  /** YYYY-MM-DD. */
  date: string;
  /** HH:mm. */
  time: string;
  /** HH:mm, where any time from `time` until then is wanted. A promised table has one time. */
  timeUntil?: string | null;
  partySize: number;
}

/** A table that the venue has promised, while a change of it is requested. */
export interface HeldTable extends TableRequest {
  ref: string | null;
  by: BookingMover;
  at: Date;
}

export interface Booking extends TableRequest {
  id: string;
  partnerId: string;
  /** The partner's public name; null for members who asked on a page of this service. */
  askedBy: string | null;
  placeId: string;
  status: BookingStatus;
  revision: number;
  lastSequence: number;
  timezone: string;
  timeUntil: string | null;
  /** The time of the window that is requested from the venue's own system. */
  slotTime: string | null;
  /** The instant of `date` and `time`. */
  tableAt: Date;
  forType: 'guest' | 'member';
  memberId: string | null;
  /** Name given to the venue; ERASED_NAME once it has been erased. */
  guestName: string;
  notes: string | null;
  /** The planned channel, or the last one used. */
  channel: ChannelName;
  answerBy: Date | null;
  held: HeldTable | null;
  /** After a cancellation: all tables that the venue must free, the promised one first. */
  released: readonly TableRequest[];
  confirmation: { ref: string | null; by: BookingMover; at: Date } | null;
  /** True when the confirmed table is the one from before a failed change. */
  reverted: boolean;
  /** The offer that the partner accepted and the venue's system has not yet booked. */
  acceptedOfferId: string | null;
  reason: string | null;
  /** The choice of several venues that it belongs to, its position in their order, and how many they are. */
  choice: { id: string; position: number; of: number } | null;
  /** While a full venue has no table, the guest waits for one until then; null: the request ends with the venue's no. */
  waitUntil: Date | null;
  /** When the guest joined the waiting list, and the revision that did; `isWaiting` says whether it still waits. */
  waitingSince: Date | null;
  waitingRevision: number | null;
  /** The venue's terms at the time of the request. */
  terms: StatedTerms;
  /** Time at which the kill switch stopped the booking; null while it is not stopped. */
  frozenAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const ERASED_NAME = 'guest';

export function nameless(booking: Booking): Booking {
  return { ...booking, guestName: ERASED_NAME, notes: null };
}
