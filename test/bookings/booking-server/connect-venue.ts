import { setConnector } from '../../../src/bookings/booking-server/venue-connector.ts';
import type { TestService } from '../../harness/service/service.ts';
import { addVenue } from '../asking-partner.ts';
import type { VenueServer } from './venue-server.ts';

/** Settings with which a service asks a venue's system on loopback. */
export function settingsFor(venue: VenueServer): Record<string, string> {
  return { EGRESS_ALLOW: venue.pair, DESK_PHONE: '+62361999999' };
}

/** A venue whose bookings stand in its own system, which behaves well from here on. */
export async function connectVenue(
  service: TestService,
  venue: VenueServer,
  change: { phone?: string } = {},
): Promise<string> {
  const { deps } = service.app;
  const placeId = await addVenue(service, { method: 'venue_system', ...change });
  await setConnector(deps.pool, { key: deps.secrets.connector, now: deps.clock.now() }, placeId, {
    baseUrl: venue.url,
    merchantId: placeId,
    serviceId: 's-1',
    username: 'waypost',
    password: 'secret',
    durationSec: 5400,
    acceptsDeskContact: true,
    enabled: true,
  });
  venue.behave();
  return placeId;
}
