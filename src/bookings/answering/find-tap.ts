import type { Db } from '../../core/postgres/db.ts';
import { hashToken } from '../asking/claim-step.ts';
import type { Booking, ChannelName } from '../booking.ts';
import { venueLanguage, type SpokenAt, type VenueLanguage } from '../language/venue-language.ts';
import { findBooking, listOffers, type Offer } from '../booking-row.ts';

/** A question to a venue, as the page behind its link shows it. */
export interface Tap {
  /** Of the question. */
  askId: string;
  /** All the questions that the message asks, this one too, the earliest table first. */
  together: readonly Tap[];
  booking: Booking;
  /** null where the place is gone. */
  placeName: string | null;
  /** In which the venue was written to. */
  language: VenueLanguage;
  /** The revision that the link asks about. */
  revision: number;
  /** By which way the link went to the venue. */
  channel: ChannelName;
  /** Whether the venue may answer here and now. */
  open: boolean;
  /** Whether a table that the venue promised or offered has yet to come; until then it may say that it cannot keep it. */
  stands: boolean;
  /** Whether it asked for a change, and the table that stands is what came of it. */
  changing: boolean;
  /** Whether the venue wants no requests of ours. */
  optedOut: boolean;
  /** What the venue offered instead, while it is being considered. */
  offer: Offer | undefined;
  /** Until when the last answer may be taken back; null when it may not. */
  undoUntil: Date | null;
}

/** Where a question stands that may still be answered. */
const ANSWERABLE: readonly string[] = ['sending', 'posted', 'asked', 'pending'];
const TOKEN = /^[\w-]{16,86}$/;

interface AskedByLink extends SpokenAt {
  askId: string;
  bookingId: string;
  revision: number;
  channel: ChannelName;
  state: string;
  placeName: string | null;
  optedOut: boolean;
  /** Whether the link was made for this one, and the others of the message go with it. */
  own: boolean;
}

/**
 * What a link asks, or the one of several questions that `askId` names. Undefined for a link that we never sent. It only
 * reads: looking changes nothing.
 */
export async function findTap(db: Db, token: string, now: Date, askId?: string): Promise<Tap | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const asks = await db<AskedByLink[]>`
    select a.id::text as "askId", a.booking_id as "bookingId", a.revision, a.channel, a.state, p.name as "placeName",
           coalesce(p.booking_method = 'not_through', false) as "optedOut", a.id = t.id as own,
           coalesce(p.languages, '{}') as languages, coalesce(p.country, '') as country
    from venue_ask t join venue_ask a on a.id = t.id or a.with_ask = t.id
    join booking b on b.id = a.booking_id left join place p on p.id = b.place_id
    where t.token_hash = ${hashToken(token)} order by b.table_at, a.id`;
  const together: Tap[] = [];
  for (const ask of asks) together.push(await tapOf(db, ask, now, together));
  const chosen = asks.findIndex((ask) => (askId === undefined ? ask.own : ask.askId === askId));
  return together[chosen];
}

async function tapOf(db: Db, ask: AskedByLink, now: Date, together: readonly Tap[]): Promise<Tap> {
  const booking = await findBooking(db, ask.bookingId);
  if (booking === undefined) throw new Error('The booking of a question cannot be read.');
  const [undo] = await db<{ until: Date }[]>`
    select until from venue_undo
    where booking_id = ${booking.id} and sequence = ${booking.lastSequence} and actor = 'venue' and until > ${now}`;
  const [asked] = await db<{ changing: boolean }[]>`
    select count(*) filter (where revision < ${ask.revision}) > 0
      and (array_agg(revision order by sequence desc))[1] = ${ask.revision} as changing
    from booking_entry where booking_id = ${booking.id} and event = 'confirmed'`;
  const offers = booking.status === 'offered' ? await listOffers(db, [booking.id]) : [];
  const { askId, placeName, revision, channel, optedOut } = ask;
  return {
    askId,
    together,
    booking,
    placeName,
    language: venueLanguage(ask),
    revision,
    channel,
    stands: standsAt(booking, revision, now),
    open:
      (booking.status === 'sent' || booking.status === 'asking') &&
      booking.revision === revision &&
      ANSWERABLE.includes(ask.state),
    changing: asked?.changing ?? false,
    optedOut,
    offer: offers.find(({ state }) => state === 'open'),
    undoUntil: undo?.until ?? null,
  };
}

/** A promise stands whichever message it was given on; an offer only on the one that it answers. */
function standsAt({ status, held, revision, tableAt }: Booking, asked: number, now: Date): boolean {
  if (tableAt <= now) return false;
  if (status === 'confirmed') return true;
  return revision === asked && (status === 'offered' || (status === 'asking' && held !== null));
}
