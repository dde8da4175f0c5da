import type { Db } from '../../../core/postgres/db.ts';
import { spokenLanguage, type PlaceLanguages } from '../../language/venue-language.ts';
import { findBooking } from '../../booking-row.ts';
import { phone } from './phone.ts';
import type { Tap } from '../../answering/find-tap.ts';

export type VenueCall = Pick<Tap, 'booking' | 'channel' | 'revision' | 'placeName' | 'language' | 'open'>;

interface CalledAsk extends PlaceLanguages {
  bookingId: string;
  revision: number;
  state: string;
  placeName: string | null;
}

export async function findCall(db: Db, askId: string): Promise<VenueCall | undefined> {
  if (!/^\d{1,18}$/.test(askId)) return undefined;
  const [ask] = await db<CalledAsk[]>`
    select a.booking_id as "bookingId", a.revision, a.state, p.name as "placeName",
           coalesce(p.languages, '{}') as languages, coalesce(p.country, '') as country
    from venue_ask a join booking b on b.id = a.booking_id left join place p on p.id = b.place_id
    where a.id = ${askId} and a.channel = ${phone.name}`;
  const booking = ask && (await findBooking(db, ask.bookingId));
  if (ask === undefined || booking === undefined) return undefined;
  const { revision, placeName, state } = ask;
  return {
    booking,
    channel: phone.name,
    revision,
    placeName,
    language: spokenLanguage(ask),
    open:
      (booking.status === 'sent' || booking.status === 'asking') &&
      booking.revision === revision &&
      (state === 'sending' || state === 'asked'),
  };
}
