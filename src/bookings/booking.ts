import { closedSet } from '../core/input/closed-set.ts';
import { BOOKING_EVENTS, moverSet } from '../webhooks/booking-event.ts';

/** Where a booking stands. Only move-booking.ts changes it, and only as moves.ts allows. */
export const STATUSES = BOOKING_EVENTS;
export type BookingStatus = (typeof STATUSES)[number];

/** Who makes a move. */
export const MOVERS = moverSet.values;
export type Mover = (typeof MOVERS)[number];

/** The means by which a venue is reached. */
export const channelNameSet = closedSet('ChannelName', {
  venue_system: "The venue's booking system.",
  sms: 'A text message.',
  mail: 'A mail.',
  phone: 'A call.',
  desk: 'A person of ours.',
});
export const CHANNEL_NAMES = channelNameSet.values;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

/** The same as callers are told: a text message and a mail are both answered with a tap. */
export const channelSet = closedSet('Channel', {
  venue_system: "The venue's booking system is asked.",
  tap: 'The venue gets a text message or a mail and answers with a tap.',
  phone: 'The venue is called.',
  desk: 'A person of ours asks the venue.',
});
export type ChannelWord = (typeof channelSet.values)[number];

export function channelWord(channel: ChannelName): ChannelWord {
  return channel === 'sms' || channel === 'mail' ? 'tap' : channel;
}

/** Which table: date and clock time are local to the place. */
export interface Table {
  /** YYYY-MM-DD. */
  date: string;
  /** HH:mm. */
  time: string;
  partySize: number;
}

/** A table that the venue has promised, while another is being asked for in its stead. */
export interface HeldTable extends Table {
  ref: string | null;
  by: Mover;
  at: Date;
}

export interface Booking extends Table {
  id: string;
  partnerId: string;
  placeId: string;
  status: BookingStatus;
  /** Grows with every change of what is asked for. */
  revision: number;
  /** The number of the last entry of the timeline. */
  lastSequence: number;
  timezone: string;
  /** The instant of date and time. */
  tableAt: Date;
  forType: 'guest' | 'member';
  memberId: string | null;
  /** What the venue is told; "guest" once it has been erased. */
  guestName: string;
  notes: string | null;
  /** The means that was chosen, or the last that was used. */
  channel: ChannelName;
  answerBy: Date | null;
  held: HeldTable | null;
  /** After a cancellation: every table that the venue must free, the promised one first. */
  released: readonly Table[];
  confirmation: { ref: string | null; by: Mover; at: Date } | null;
  /** Whether the confirmed table is the one from before a change that did not come about. */
  reverted: boolean;
  /** The offer that the partner took and that the venue's system has yet to take in. */
  acceptedOfferId: string | null;
  reason: string | null;
  /** When the kill switch stopped the asking; null while it goes on. */
  frozenAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What stands in the place of a name that was erased. */
export const ERASED_NAME = 'guest';

/** A booking as it reads once nobody may know for whom it is. */
export function nameless(booking: Booking): Booking {
  return { ...booking, guestName: ERASED_NAME, notes: null };
}
