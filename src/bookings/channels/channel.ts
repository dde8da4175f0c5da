import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Deps, OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { Place } from '../../directory/place/place.ts';
import type { VenueContacts } from '../../venue/contact.ts';
import type { Booking, ChannelName, HeldTable, TableRequest } from '../booking.ts';
import type { PlaceLanguages, VenueLanguage } from '../language/venue-language.ts';

/** A request or notification to a venue. Its row in venue_ask is claimed before a channel gets it. */
export interface VenueAsk {
  /** The id of the row in venue_ask. */
  id: string;
  booking: Booking;
  revision: number;
  /**
   * new: a table. change: another table instead of `held`. accept: the table of an offer that the venue made. reminder:
   * there is no answer yet. cancelled, accepted, kept: notifications (kept: the previous table remains).
   * message: coded messages of the partner.
   */
  purpose: 'new' | 'change' | 'accept' | 'reminder' | 'cancelled' | 'accepted' | 'kept' | 'message';
  /** The table that is requested, or that the notification is about. */
  table: TableRequest & { tableAt: Date };
  held: HeldTable | null;
  place: AskedPlace;
  /** The venue's address on this channel, such as an email address; null where the channel needs none. */
  to: string | null;
  /** The exact text for the venue, without the link. */
  text: string;
  /** The text without the guest's name and notes. */
  nameless: string;
  /** For the tap page `${baseUrl}/v/${token}`. Only its hash is stored. Null where no answer is expected. */
  token: string | null;
  /** The same at every attempt: booking_id + ":" + revision, plus the id of an accepted offer. */
  idempotencyToken: string;
  /** The id in the venue's system that a change, a poll or a cancellation refers to. */
  ref: string | null;
  /**
   * True when an earlier attempt may have succeeded: the venue's system is checked before the request is sent again.
   */
  again: boolean;
  answerBy: Date | null;
  /** Other requests for the same venue and evening in the same message, behind the same link. */
  also?: readonly VenueAsk[];
}

interface AskedPlace {
  id: string;
  name: string;
  address: string | null;
  timezone: string;
  country: string;
  languages: string[];
}

/**
 * asked: the venue has the request (the carrier, mail server or system accepted it, or the call was placed).
 * posted: the message is queued under this id; it counts as asked once it is delivered or staff can read it in the
 * outbox.
 * waiting: it is on the desk's list, and counts as asked once somebody takes it.
 * chosen: nothing was requested yet; the channel is asked again, for this time of the window.
 * offered: other tables; with `ref`, the venue's system holds the offered one.
 * unknown: the venue's system may have it without a confirmation. It is polled until that is known, and no other
 * channel is used before.
 */
export type AskOutcome =
  | { outcome: 'asked'; ref?: string }
  | { outcome: 'posted'; messageId: string }
  | { outcome: 'waiting' }
  | { outcome: 'chosen'; time: string }
  | { outcome: 'failed'; detail: string }
  | { outcome: 'confirmed'; ref: string | null }
  | { outcome: 'pending'; ref: string }
  | { outcome: 'unknown'; detail: string }
  | { outcome: 'offered'; offers: TableRequest[]; ref?: string }
  | { outcome: 'declined'; reason: BookingReason };

/**
 * refused: the venue's system refuses (for example BOOKING_NOT_CANCELLABLE), and the desk has to call.
 * unknown: the system did not confirm, so it is retried. absent: it has no table; one may still appear late.
 */
export type TellOutcome =
  | { outcome: 'told'; ref?: string }
  | { outcome: 'posted'; messageId: string }
  | { outcome: 'waiting' }
  | { outcome: 'failed'; detail: string }
  | { outcome: 'unknown'; detail: string }
  | { outcome: 'absent' }
  | { outcome: 'refused'; detail: string };

/** The part of a place that is needed to ask for a table. */
export interface AskablePlace {
  place: Pick<
    Place,
    | 'id'
    | 'name'
    | 'address'
    | 'country'
    | 'languages'
    | 'phone'
    | 'facts'
    | 'hours'
    | 'vertical'
    | 'category'
    | 'categories'
    | 'website'
    | 'booking_method'
    | 'booking_url'
    | 'chosen_by_venue'
    | 'batch_minutes'
    | 'closed_at'
    | 'removed_at'
    | 'removal_reason'
  >;
  timezone: string;
  contacts: VenueContacts;
  /** Results of the channels' `contactSql`, by channel. */
  lookups: Readonly<Record<ChannelName, unknown>>;
  /** A real place of the demonstration, which contacts nobody. */
  sample: boolean;
}

/** A request for which channels are being chosen. */
export interface PlannedRequest {
  deps: OperationDeps;
  askable: AskablePlace;
  /** True when the table is too soon for a message that may be read late. */
  soon: boolean;
  /** Channels that will be used before this one. */
  earlier: readonly Channel[];
}

/** Configured times after which a venue is contacted again. */
export interface ChannelWaits {
  reminderMs: number;
  mailMs: number;
  deskMs: number;
}

/** A channel as callers see it. Channels that the venue answers in the same way share one. */
interface PublicChannel {
  name: string;
  /** Its description in the API. */
  sentence: string;
  /** Text of check_availability that says how the venue will be asked. */
  how: string;
}

/** An external service that channels need, as the set-up page shows it. */
interface ChannelProvider {
  /** Channels with the same name share one item. */
  name: string;
  /** Settings that configure it. */
  settings: readonly string[];
  isSet(config: Deps['config']): boolean;
  /** Text of the set-up page while the provider is configured; `missing`: while it is not. */
  ready: string;
  missing: string;
}

/**
 * How a channel reaches the venue; it decides how its requests are scheduled.
 * system: a program of the venue. It is asked at any hour, one job at a time, answers at once or is polled, recognises
 * a repeated request, and no other channel is used while its answer is pending.
 * message: text with a link to the page on which the venue answers. One message may contain several requests; the venue
 * gets a reminder, and notifications on the same channel.
 * call: an automated call that the venue answers at once.
 * staff: a task on the desk's list. Exactly one channel, the last one: it takes over whatever the others cannot do.
 */
export type ChannelKind = 'system' | 'message' | 'call' | 'staff';

/**
 * A channel for contacting a venue, with everything that differs between channels. channels.ts lists all of them.
 * `ask`, `poll`, `available` and `tell` are called while the kill switch is locked, so they must end within
 * ACTION_MAX_MS. `db` is the transaction that also records the outcome: a channel posts its messages in it, and reads
 * in it too, because waiting for a second connection could deadlock.
 * `detail` of an outcome appears in the timeline, which partners read: our own words, no names, no contacts.
 */
export interface Channel {
  /** Stored with bookings and shown in timelines: lower-case letters and underscores. */
  name: ChannelName;
  kind: ChannelKind;
  /** Its description in the API. */
  sentence: string;
  shownAs: PublicChannel;
  /** Its name in the console. */
  label: string;
  /** Timeline text of a request that reached the venue. */
  askedText: string;
  /** Timeline text of a finished cancellation, where the general one does not fit. */
  cancelledText?: string;
  provider?: ChannelProvider;
  /** SQL expression over place p; its value is in `lookups` of the place under the channel's name. */
  contactSql?: string;
  /** Returns the venue's address on this channel: null where none is needed, undefined where the venue has none. */
  contact(askable: AskablePlace): string | null | undefined;
  /** False when the channel must not be used for this request. Absent: it may, if the venue has a contact. */
  suits?(request: PlannedRequest): boolean;
  /** False when its provider is not configured: callers are shown the channel, and staff do its work. Absent: true. */
  usable?(deps: OperationDeps): boolean;
  /** Wait for an answer on earlier channels before this one is used. Absent: `deskMs`. */
  waitMs?(waits: ChannelWaits): number;
  /** Time after which a request has been answered or has failed. Absent: the wait of the next channel applies. */
  answerMs?: number;
  /** Language of the texts. Absent: that of messages. */
  language?(place: PlaceLanguages): VenueLanguage;
  /** Handles the purposes new, change, accept and reminder. A system may get the same idempotencyToken again. */
  ask(deps: Deps, ask: VenueAsk, db: Db): Promise<AskOutcome>;
  /** Checks whether the venue has decided, after `pending`. Only for kind `system`. */
  poll?(deps: Deps, ask: VenueAsk, db: Db): Promise<AskOutcome>;
  /** Checks whether a table is free before a request; null when unknown. Only for kind `system`. */
  available?(
    deps: Deps,
    placeId: string,
    table: TableRequest & { tableAt: Date },
    db: Db,
  ): Promise<boolean | null>;
  /** Handles the purposes cancelled, accepted, kept and message. */
  tell(deps: Deps, ask: VenueAsk, db: Db): Promise<TellOutcome>;
}

export const ACTION_MAX_MS = 15_000;
