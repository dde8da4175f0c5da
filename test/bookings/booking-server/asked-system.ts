import { setConnector } from '../../../src/bookings/booking-server/venue-connector.ts';
import type { Booking } from '../../../src/bookings/booking.ts';
import type { AskOutcome, TellOutcome, VenueAsk } from '../../../src/bookings/channels/channel.ts';
import { venueSystem } from '../../../src/bookings/channels/venue-system/venue-system.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addVenue } from '../asking-partner.ts';
import { settingsFor } from './connect-venue.ts';
import { startVenueServer } from './venue-server.ts';

export const TABLE_AT = new Date('2026-11-20T11:30:00Z');

/** A venue whose own system is connected, and the channel that asks and tells it. */
export async function openAskedSystem() {
  const venue = await startVenueServer();
  const service = await startTestService({ settings: settingsFor(venue) });
  const { deps } = service.app;
  const placeId = await addVenue(service, { method: 'venue_system' });
  const connector = {
    baseUrl: venue.url,
    merchantId: 'm-1',
    serviceId: 's-1',
    username: 'waypost',
    password: 'a secret of the venue',
    durationSec: 5400,
    acceptsDeskContact: true,
    enabled: true,
  };
  const set = (change: Partial<typeof connector> = {}) =>
    setConnector(deps.pool, { key: deps.secrets.connector, now: deps.clock.now() }, placeId, {
      ...connector,
      ...change,
    });

  const reset = async () => {
    await set();
    venue.behave();
    venue.calls.length = 0;
    venue.bookings.clear();
  };

  let asks = 0;
  function made(change: Partial<VenueAsk> = {}): VenueAsk {
    const id = `bkg_${String(++asks).padStart(26, '0')}`;
    return {
      id: String(asks),
      booking: { id, partnerId: 'ptn_1', guestName: 'Ana Maria Example' } as Booking,
      revision: 1,
      purpose: 'new',
      table: { date: '2026-11-20', time: '19:30', partySize: 4, tableAt: TABLE_AT },
      held: null,
      place: {
        id: placeId,
        name: 'Warung Senja',
        address: null,
        timezone: 'Asia/Makassar',
        country: 'ID',
        languages: [],
      },
      to: null,
      nameless: '',
      text: '',
      token: null,
      idempotencyToken: `${id}:1`,
      ref: null,
      again: false,
      answerBy: null,
      ...change,
    };
  }
  const ask = (change: Partial<VenueAsk> = {}): Promise<AskOutcome> =>
    deps.pool.begin((tx) => venueSystem.ask(deps, made(change), tx));
  const tell = (change: Partial<VenueAsk> = {}): Promise<TellOutcome> =>
    deps.pool.begin((tx) => venueSystem.tell(deps, made({ purpose: 'cancelled', ...change }), tx));
  const poll = (change: Partial<VenueAsk> = {}): Promise<AskOutcome | undefined> =>
    deps.pool.begin(async (tx) => venueSystem.poll?.(deps, made(change), tx));
  return { venue, deps, placeId, connector, set, reset, made, ask, tell, poll };
}
