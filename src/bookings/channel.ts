import type { BookingReason } from '../webhooks/booking-reason.ts';
import type { Deps, OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Booking, ChannelName, HeldTable, TableRequest } from './booking.ts';

/** A request or notification to a venue. Its row in venue_ask is claimed before a channel gets it. */
export interface VenueAsk {
  id: string;
  booking: Booking;
  revision: number;
  /** change: another table instead of `held`. accept: the offered table. cancelled, accepted, kept: notifications. */
  purpose: 'new' | 'change' | 'accept' | 'reminder' | 'cancelled' | 'accepted' | 'kept';
  table: TableRequest & { tableAt: Date };
  held: HeldTable | null;
  place: AskedPlace;
  /** The venue's email address or E.164 number on this channel; null for venue_system and desk. */
  to: string | null;
  text: string;
  nameless: string;
  /** For the tap page `${baseUrl}/v/${token}`. Only its hash is stored. Null where no answer is expected. */
  token: string | null;
  /** The same at every attempt: booking_id + ":" + revision, plus the id of an accepted offer. */
  idempotencyToken: string;
  /** The id in the venue's system that a change, a poll or a cancellation refers to. */
  ref: string | null;
  /** True when an earlier attempt may have succeeded: the venue's system is checked first. */
  again: boolean;
  answerBy: Date | null;
  /** Other requests for the same venue and evening in the same message, behind the same link. */
  also?: readonly VenueAsk[];
}

export interface AskedPlace {
  id: string;
  name: string;
  address: string | null;
  /** E.164 or null; a missing country code is never guessed. */
  phone: string | null;
  timezone: string;
  country: string;
  languages: string[];
}

/**
 * asked: the venue has the request (the carrier, mail server or system accepted it, or the call was placed).
 * posted: the message is queued under this id; it counts as asked once it is delivered or staff can read it in the
 * outbox.
 * waiting: it is on the desk's list, and counts as asked once somebody takes it.
 * offered: other tables; with `ref`, the venue's system holds the offered one.
 * unknown: the venue's system may have it without a confirmation. It is polled until that is known, and no other
 * channel is used before.
 */
export type AskOutcome =
  | { outcome: 'asked'; ref?: string }
  | { outcome: 'posted'; messageId: string }
  | { outcome: 'waiting' }
  | { outcome: 'failed'; detail: string }
  | { outcome: 'confirmed'; ref: string | null }
  | { outcome: 'pending'; ref: string }
  | { outcome: 'unknown'; detail: string }
  | { outcome: 'offered'; offers: TableRequest[]; ref?: string }
  | { outcome: 'declined'; reason: BookingReason };

/** refused: the desk has to call. unknown: it is retried. absent: no table yet; one may still appear late. */
export type TellOutcome =
  | { outcome: 'told'; ref?: string }
  | { outcome: 'posted'; messageId: string }
  | { outcome: 'waiting' }
  | { outcome: 'failed'; detail: string }
  | { outcome: 'unknown'; detail: string }
  | { outcome: 'absent' }
  | { outcome: 'refused'; detail: string };

/**
 * A channel for reaching a venue. It is called while the kill switch is locked, so it must end within ACTION_MAX_MS.
 * `db` is the transaction that also records the outcome: a channel posts its messages in it, and reads in it too,
 * because waiting for a second connection could deadlock.
 * `detail` appears in the timeline, which partners read: our own words, no names, no contacts.
 */
export interface Channel {
  name: ChannelName;
  /** True when the channel is configured; otherwise it is skipped. Absent: always. */
  usable?(deps: OperationDeps): boolean;
  /** Handles new, change, accept and reminder. venue_system may get the same idempotencyToken again. */
  ask(deps: Deps, ask: VenueAsk, db: Db): Promise<AskOutcome>;
  /** Checks whether the venue has decided, after `pending`. Only venue_system. */
  poll?(deps: Deps, ask: VenueAsk, db: Db): Promise<AskOutcome>;
  /** Checks whether a table is free before a request; null when unknown. Only venue_system. */
  available?(
    deps: Deps,
    placeId: string,
    table: TableRequest & { tableAt: Date },
    db: Db,
  ): Promise<boolean | null>;
  tell(deps: Deps, ask: VenueAsk, db: Db): Promise<TellOutcome>;
}

export const ACTION_MAX_MS = 15_000;
