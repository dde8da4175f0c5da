import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/core/time.ts';
import { noCertificates } from '../../harness/service/https-server.ts';
import { passTime, until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { AskingPartner, type BookingTold } from '../asking-partner.ts';
import { connectVenue, settingsFor } from '../booking-server/connect-venue.ts';
import { startVenueServer } from '../booking-server/venue-server.ts';

describe('a choice whose venue has its own booking system', { skip: noCertificates }, async () => {
  const server = await startVenueServer();
  const service = await startTestService({
    settings: { ...settingsFor(server), BOOKING_READS_PER_MINUTE: '100000' },
  });
  service.clock.advance(14 * 60 * MINUTE_MS);
  const partner = await AskingPartner.add(service);

  test('a system that says yes after another venue confirmed gets its table back', async () => {
    const [first, second] = [await connectVenue(service, server), await connectVenue(service, server)];
    server.status = 'PENDING_MERCHANT_CONFIRMATION';
    const bookingId = await partner.request(first, { alternatives: [second], answer_within_minutes: 5 });
    await partner.untilStatus(bookingId, 'asking');
    const [slow] = [...server.bookings.values()];
    server.status = 'CONFIRMED';
    await passTime(service, 6 * MINUTE_MS);
    await partner.untilStatus(bookingId, 'cancelled');
    const { choice, reason } = (await partner.status(bookingId)) as BookingTold & {
      choice: { venues: { status: string | null }[] } | null;
    };
    assert.deepEqual(
      choice?.venues.map(({ status }) => status),
      ['cancelled', 'confirmed'],
    );
    assert.equal(reason, 'other_venue_confirmed');
    await until('the pending table is given back', () => slow?.status === 'CANCELED');
  });
});
