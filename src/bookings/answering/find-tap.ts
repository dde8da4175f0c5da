import type { Db } from '../../core/postgres/db.ts';
import { hashToken } from '../../core/secret/token.ts';
import type { Booking, ChannelName } from '../booking.ts';
import { venueLanguage, type PlaceLanguages, type VenueLanguage } from '../language/venue-language.ts';
import { findBooking, listOffers, type BookingOffer } from '../booking-row.ts';

/** A request to a venue, as shown on the page behind its link. */
export interface Tap {
  askId: string;
  batch: readonly Tap[];
  booking: Booking;
  placeName: string | null;
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
  optedOut: boolean;
  /** True for the request that the link was created for; the others share its message. */
  own: boolean;
}

/** Returns the request of a link, or the one of its batch with id `askId`. Undefined for an unknown link. Read-only. */
export async function findTap(db: Db, token: string, now: Date, askId?: string): Promise<Tap | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const asks = await db<LinkedAsk[]>`
    select a.id::text as "askId", a.booking_id as "bookingId", a.revision, a.channel, a.state, p.name as "placeName",
           coalesce(p.booking_method = 'not_through', false) as "optedOut", a.id = t.id as own,
           coalesce(p.languages, '{}') as languages, coalesce(p.country, '') as country
    from venue_ask t join venue_ask a on a.id = t.id or a.batched_with = t.id
    join booking b on b.id = a.booking_id left join place p on p.id = b.place_id
    where t.token_hash = ${hashToken(token)} order by b.table_at, a.id`;
  const batch: Tap[] = [];
  for (const ask of asks) batch.push(await tapOf(db, ask, now, batch));
  const chosen = asks.findIndex((ask) => (askId === undefined ? ask.own : ask.askId === askId));
  return batch[chosen];
}

async function tapOf(db: Db, ask: LinkedAsk, now: Date, together: readonly Tap[]): Promise<Tap> {
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
  const { askId, placeName, revision, channel, optedOut } = ask;
  return {
    askId,
    batch: together,
    booking,
    placeName,
    language: venueLanguage(ask),
    revision,
    channel,
    withdrawable: canWithdraw(booking, revision, now),
    open:
      (booking.status === 'sent' || booking.status === 'asking') &&
      booking.revision === revision &&
      ANSWERABLE.includes(ask.state),
    changing: change?.changing ?? false,
    optedOut,
    offer: offers.find(({ state }) => state === 'open'),
    undoUntil: undo?.until ?? null,
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
