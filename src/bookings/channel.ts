import type { BookingReason } from '../webhooks/booking-reason.ts';
import type { Deps, OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Booking, ChannelName, HeldTable, Table } from './booking.ts';

/** One question to a venue, or one thing that it is told. The row of venue_ask was claimed before a channel sees it. */
export interface VenueAsk {
  /** Of the row in venue_ask. */
  id: string;
  booking: Booking;
  revision: number;
  /**
   * new: a table. change: another table in place of `held`. accept: the table of `offer`, which the venue proposed.
   * reminder: nobody has answered yet. cancelled, accepted, kept: what the venue is told (kept: the table of before stands).
   */
  purpose: 'new' | 'change' | 'accept' | 'reminder' | 'cancelled' | 'accepted' | 'kept';
  /** What is asked for, or what the venue is told about. */
  table: Table & { tableAt: Date };
  held: HeldTable | null;
  place: AskedPlace;
  /** Where this channel reaches the venue: an address or an E.164 number; null for venue_system and desk. */
  to: string | null;
  /** The exact words for the venue, without the link. */
  text: string;
  /** The same without the name and the notes of the guest. */
  nameless: string;
  /** For the tap page: `${baseUrl}/v/${token}`. Only its hash is stored. null where nothing is to be answered. */
  token: string | null;
  /** The same at every attempt: booking_id + ":" + revision, and the offer that is taken. */
  idempotencyToken: string;
  /** What the channel called it earlier: the id in the venue's system that a change, a poll or a cancellation is about. */
  ref: string | null;
  /** Whether an earlier attempt may have come through: the venue's system is looked at before it is asked again. */
  again: boolean;
  answerBy: Date | null;
  /** Other questions for the same venue and evening that go out with this one, behind the same link. */
  also?: readonly VenueAsk[];
}

export interface AskedPlace {
  id: string;
  name: string;
  address: string | null;
  /** E.164, or null: never completed by guess. */
  phone: string | null;
  timezone: string;
  country: string;
  languages: string[];
}

/**
 * asked: the venue has it (carrier, mail server or system took it over, the call was placed).
 * posted: it lies in our outbox under this message id, and is asked when it was delivered or staff can read it there.
 * waiting: it is on the desk's list; it is asked when somebody takes it.
 * offered: other tables; with `ref`, the venue's system holds the one that is offered.
 * unknown: the venue's system may have it and has not said so. It is looked up until that is known, and nobody else is
 * asked before.
 */
export type AskOutcome =
  | { outcome: 'asked'; ref?: string }
  | { outcome: 'posted'; messageId: string }
  | { outcome: 'waiting' }
  | { outcome: 'failed'; detail: string }
  | { outcome: 'confirmed'; ref: string | null }
  | { outcome: 'pending'; ref: string }
  | { outcome: 'unknown'; detail: string }
  | { outcome: 'offered'; offers: Table[]; ref?: string }
  | { outcome: 'declined'; reason: BookingReason };

/**
 * refused: the venue's system will not (such as BOOKING_NOT_CANCELLABLE), and a person at the desk has to.
 * unknown: it has not said whether it did, and is asked again. absent: it knows of no table; one may still come late.
 */
export type TellOutcome =
  | { outcome: 'told'; ref?: string }
  | { outcome: 'posted'; messageId: string }
  | { outcome: 'waiting' }
  | { outcome: 'failed'; detail: string }
  | { outcome: 'unknown'; detail: string }
  | { outcome: 'absent' }
  | { outcome: 'refused'; detail: string };

/**
 * A means to reach a venue. It is called while the kill switch is held off, so it must end within ACTION_MAX_MS.
 * `db` is a transaction that commits with the note of the outcome: a channel that only posts a message posts it there,
 * and one that reads does so there too, because who waits for a second connection may wait for ever.
 * `detail` is for the timeline, which partners read: our own words, no names, no contacts.
 */
export interface Channel {
  name: ChannelName;
  /** Whether it is set up at all; a channel that is not is passed over in silence. Absent: always. */
  usable?(deps: OperationDeps): boolean;
  /** Purposes new, change, accept and reminder. venue_system may be called again with the same idempotencyToken. */
  ask(deps: Deps, ask: VenueAsk, db: Db): Promise<AskOutcome>;
  /** After `pending`: whether the venue has decided. Only venue_system. */
  poll?(deps: Deps, ask: VenueAsk, db: Db): Promise<AskOutcome>;
  /** Whether a table is free, for somebody who thinks of asking; null where nobody can tell. Only venue_system. */
  available?(deps: Deps, placeId: string, table: Table & { tableAt: Date }, db: Db): Promise<boolean | null>;
  /** Purposes cancelled, accepted and kept. */
  tell(deps: Deps, ask: VenueAsk, db: Db): Promise<TellOutcome>;
}

export const ACTION_MAX_MS = 15_000;
