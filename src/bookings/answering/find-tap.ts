import type { Point } from '../../core/geo.ts';
import type { Db } from '../../core/postgres/db.ts';
import { hashToken } from '../../core/secret/token.ts';
import type { Booking, ChannelName } from '../booking.ts';
import { listCodedMessages, takesMessages, type CodedMessage } from '../coded/coded-message.ts';
import { recordShown, type PartnerRecord } from '../outcomes/partner-record.ts';
import { findOutcome, takesOutcome, type TableOutcome } from '../outcomes/table-outcome.ts';
import type { EndingName } from '../language/catalogue.ts';
import { venueLanguage, type PlaceLanguages, type VenueLanguage } from '../language/venue-language.ts';
import { findBooking, listOffers, type BookingOffer } from '../booking-row.ts';
import { isWaiting } from '../waiting/waiting.ts';

/** A request to a venue, as shown on the page behind its link. */
export interface Tap {
  askId: string;
  batch: readonly Tap[];
  booking: Booking;
  placeName: string | null;
  point: Point | null;
  language: VenueLanguage;
  revision: number;
  channel: ChannelName;
  open: boolean;
  /** True when the venue may withdraw the table that it promised or offered, until the time of the table. */
  withdrawable: boolean;
  /** True when the request was for a change, and the confirmed table is its result. */
  changing: boolean;
  optedOut: boolean;
  offer: BookingOffer | undefined;
  /** End of the period in which the last answer can be undone; null when it cannot. */
  undoUntil: Date | null;
  /** Coded messages about the table; null where none can be sent. */
  messages: readonly CodedMessage[] | null;
  /** Outcome of the table by the venue; null: none yet, undefined: it is not the time to state one. */
  tableOutcome: TableOutcome | null | undefined;
  /** Outcomes of the partner's tables; null where nothing is known, or nothing is asked. */
  partnerRecord: PartnerRecord | null;
}

/** States of a request that can still be answered. */
const ANSWERABLE: readonly string[] = ['sending', 'posted', 'asked', 'pending'];
const TOKEN = /^[\w-]{16,86}$/;

interface LinkedAsk extends PlaceLanguages {
  askId: string;
  bookingId: string;
  revision: number;
  channel: ChannelName;
  state: string;
  placeName: string | null;
  point: Point | null;
  optedOut: boolean;
  /** True for the request that the link was created for; the others share its message. */
  own: boolean;
}

/** Returns the request of a link, or the one of its batch with id `askId`. Undefined for an unknown link. Read-only. */
export async function findTap(db: Db, token: string, now: Date, askId?: string): Promise<Tap | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const asks = await db<LinkedAsk[]>`
    select ${askColumns(db)}, a.id = t.id as own
    from venue_ask t join venue_ask a on a.id = t.id or a.batched_with = t.id
    join booking b on b.id = a.booking_id left join place p on p.id = b.place_id
    where t.token_hash = ${hashToken(token)} order by b.table_at, a.id`;
  const batch: Tap[] = [];
  for (const ask of asks) batch.push(await tapOf(db, ask, now, batch));
  const chosen = asks.findIndex((ask) => (askId === undefined ? ask.own : ask.askId === askId));
  return batch[chosen];
}

function askColumns(db: Db) {
  return db`
    a.id::text as "askId", a.booking_id as "bookingId", a.revision, a.channel, a.state, p.name as "placeName",
    case when p.lat is not null then jsonb_build_object('lat', p.lat, 'lng', p.lng) end as point,
    coalesce(p.booking_method = 'not_through', false) as "optedOut",
    coalesce(p.languages, '{}') as languages, coalesce(p.country, '') as country`;
}

/** A request that a text or mail to one address contained, and when it was sent; null while it is being sent. */
export interface SentTap {
  tap: Tap;
  messageId: string;
  sentAt: Date | null;
}

const SENT_MAX = 20;

/** Lists the last requests to an address, or the one with an id, the newest first, each booking and revision once. */
export async function listSentTaps(
  db: Db,
  by: { channel: ChannelName; to: string } | { ask: string },
  now: Date,
): Promise<SentTap[]> {
  const asks = await db<(Omit<LinkedAsk, 'own'> & Omit<SentTap, 'tap'>)[]>`
    select ${askColumns(db)}, m.id as "messageId", m.finished_at as "sentAt"
    from message m join venue_ask a on a.message_id = m.id
    join booking b on b.id = a.booking_id left join place p on p.id = b.place_id
    where ${'ask' in by ? db`a.id = ${by.ask}` : db`m.recipient = ${by.to} and m.channel = ${by.channel}`}
      and m.stops_when_halted and a.step in ('ask','reminder')
    order by m.sequence desc, a.id limit ${SENT_MAX}`;
  const sent: SentTap[] = [];
  for (const { messageId, sentAt, ...ask } of asks)
    if (!sent.some(({ tap }) => tap.booking.id === ask.bookingId && tap.revision === ask.revision))
      sent.push({ tap: await tapOf(db, ask, now), messageId, sentAt });
  return sent;
}

async function tapOf(
  db: Db,
  ask: Omit<LinkedAsk, 'own'>,
  now: Date,
  together: readonly Tap[] = [],
): Promise<Tap> {
  const booking = await findBooking(db, ask.bookingId);
  if (booking === undefined) throw new Error('The booking of a request cannot be read.');
  const [undo] = await db<{ until: Date }[]>`
    select until from venue_undo
    where booking_id = ${booking.id} and sequence = ${booking.lastSequence} and actor = 'venue' and until > ${now}`;
  const [change] = await db<{ changing: boolean }[]>`
    select count(*) filter (where revision < ${ask.revision}) > 0
      and (array_agg(revision order by sequence desc))[1] = ${ask.revision} as changing
    from booking_entry where booking_id = ${booking.id} and event = 'confirmed'`;
  const offers = booking.status === 'offered' ? await listOffers(db, [booking.id]) : [];
  const open =
    (booking.status === 'sent' || booking.status === 'asking') &&
    booking.revision === ask.revision &&
    ANSWERABLE.includes(ask.state) &&
    !isWaiting(booking);
  const { askId, placeName, point, revision, channel, optedOut } = ask;
  return {
    askId,
    batch: together,
    booking,
    placeName,
    point,
    language: venueLanguage(ask),
    revision,
    channel,
    withdrawable: canWithdraw(booking, revision, now),
    open,
    changing: change?.changing ?? false,
    optedOut,
    offer: offers.find(({ state }) => state === 'open'),
    undoUntil: undo?.until ?? null,
    tableOutcome: takesOutcome(booking, now) ? await findOutcome(db, booking.id) : undefined,
    partnerRecord: open ? await recordShown({ db, now }, booking) : null,
    messages: takesMessages(booking, now) ? await listCodedMessages(db, [booking.id]) : null,
  };
}

/** True when the venue may withdraw the table: a confirmed one by any link, others by their own link only. */
function canWithdraw(
  { status, held, revision, tableAt }: Booking,
  askedRevision: number,
  now: Date,
): boolean {
  if (tableAt <= now) return false;
  if (status === 'confirmed') return true;
  return revision === askedRevision && (status === 'offered' || (status === 'asking' && held !== null));
}

/** Returns the outcome of a request that can no longer be answered by its message. */
export function endingOf({ booking, revision, optedOut, withdrawable, changing }: Tap): EndingName {
  const { status, reason, reverted } = booking;
  if (status === 'cancelled') return reason === 'venue_cancelled' ? 'venueCancelled' : 'withdrawn';
  if (status === 'no_answer') return 'unanswered';
  if (status === 'confirmed' && !withdrawable) return 'over';
  if (status === 'confirmed') {
    if (!changing) return 'booked';
    if (!reverted) return 'changed';
    return reason === 'change_declined' ? 'changeDeclined' : 'changeEnded';
  }
  if (booking.revision === revision && isWaiting(booking)) return 'waiting';
  if (booking.revision !== revision || status === 'asking' || status === 'sent') return 'replaced';
  if (status === 'offered') return 'offered';
  return optedOut ? 'stopped' : 'declined';
}
