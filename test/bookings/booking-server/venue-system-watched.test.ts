import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { requeueLostBookings } from '../../../src/bookings/maintenance/requeue-lost-bookings.ts';
import { noCertificates } from '../../harness/service/https-server.ts';
import { passTime, until } from '../../harness/service/jobs.ts';
import { flipSwitch } from '../../harness/service/kill-switch.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addTestStaff } from '../../harness/people/staff.ts';
import { AskingPartner, untilResting } from '../asking-partner.ts';
import { connectVenue, settingsFor } from './connect-venue.ts';
import { startVenueServer } from './venue-server.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';

describe(
  "a table in the venue's own system is watched until its time",
  { skip: noCertificates },
  async () => {
    const venue = await startVenueServer();
    const service = await startTestService({
      settings: { ...settingsFor(venue), BOOKING_READS_PER_MINUTE: '100000' },
    });
    service.clock.advance(14 * HOUR_MS);
    const { pool } = service.database;
    let partner: AskingPartner;
    let placeId = '';

    beforeEach(async () => {
      partner = await AskingPartner.add(service);
      placeId = await connectVenue(service, venue);
      venue.bookings.clear();
      venue.calls.length = 0;
    });

    async function confirmed(): Promise<string> {
      const bookingId = await partner.request(placeId);
      await partner.untilStatus(bookingId, 'confirmed');
      await untilResting(service, bookingId);
      return bookingId;
    }
    const setAll = (status: string) => {
      for (const kept of venue.bookings.values()) kept.status = status;
    };
    async function looksAgain(bookingId: string): Promise<void> {
      const looked = venue.calledFor('GetBookingStatus').length;
      await passTime(service, 6 * HOUR_MS);
      await until('a look', () => venue.calledFor('GetBookingStatus').length > looked);
      await until('the look was recorded', async () => {
        const [job] = await pool`
        select 1 from graphile_worker._private_jobs
        where payload->>'booking_id' = ${bookingId} and (locked_at is not null or run_at <= now())`;
        return job === undefined;
      });
    }

    for (const status of ['CANCELED', 'DECLINED_BY_MERCHANT', 'FAILED'])
      test(`${status}: the booking is cancelled by the venue, and the partner is told`, async () => {
        const bookingId = await confirmed();
        setAll(status);
        await looksAgain(bookingId);
        const { booked, reason, timeline } = await partner.untilStatus(bookingId, 'cancelled');
        assert.deepEqual(
          [booked, reason, timeline.at(-1)?.actor],
          [false, 'venue_cancelled', 'venue_system'],
        );
        const [told] = await pool`
        select 1 from webhook_delivery where booking_id = ${bookingId} and event = 'cancelled'
        union all select 1 from booking_entry where booking_id = ${bookingId} and event = 'cancelled'`;
        assert.ok(told);
      });

    test('a look that failed says nothing, and the next one comes', async () => {
      const bookingId = await confirmed();
      for (const mishap of ['error', 'lost', 'garbage'] as const) {
        venue.spoil('GetBookingStatus', mishap, 1);
        await looksAgain(bookingId);
        assert.equal((await partner.status(bookingId)).status, 'confirmed');
      }
      setAll('CANCELED');
      await looksAgain(bookingId);
      await partner.untilStatus(bookingId, 'cancelled');
    });

    test('while bookings are halted nobody looks; afterwards it goes on', async () => {
      const bookingId = await confirmed();
      const { id: staffId } = await addTestStaff(service, 'lead');
      await flipSwitch(service.app.deps, { on: true, reason: 'a test', staffId });
      setAll('CANCELED');
      await passTime(service, 7 * HOUR_MS);
      await until('the job has been', async () => {
        const [job] = await pool`
        select 1 from graphile_worker._private_jobs where payload->>'booking_id' = ${bookingId}`;
        return job === undefined;
      });
      assert.equal(venue.calledFor('GetBookingStatus').length, 0);
      await flipSwitch(service.app.deps, { on: false, reason: '', staffId });
      await partner.untilStatus(bookingId, 'cancelled');
    });

    const report = (body: unknown, password = 'secret') =>
      service.request(`/webhooks/venue-system/${placeId}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`waypost:${password}`).toString('base64')}`,
        },
        body: JSON.stringify(body),
      });

    test('a system that reports a change is asked at once; a report alone changes nothing', async () => {
      const bookingId = await confirmed();
      const ref = venue.bookings.keys().next().value ?? '';
      assert.equal((await report({ booking_id: ref }, 'wrong')).status, 401);
      assert.equal((await report({ what: ref })).status, 400);
      assert.deepEqual(await (await report({ booking_id: 'another' })).json(), { checking: 0 });
      assert.deepEqual(await (await report({ booking_id: ref, status: 'CANCELED' })).json(), { checking: 1 });
      await until('a look', () => venue.calledFor('GetBookingStatus').length === 1);
      await untilResting(service, bookingId);
      assert.equal((await partner.status(bookingId)).status, 'confirmed');
      setAll('CANCELED');
      assert.equal((await report({ name: `partners/1/bookings/${ref}` })).status, 200);
      await partner.untilStatus(bookingId, 'cancelled');
    });

    test('a booking that has lost its job gets it back', async () => {
      const bookingId = await confirmed();
      const jobs = () =>
        pool`select 1 from graphile_worker._private_jobs where payload->>'booking_id' = ${bookingId}`;
      await pool`delete from graphile_worker._private_jobs where payload->>'booking_id' = ${bookingId}`;
      await requeueLostBookings(pool, service.clock.now());
      await until('it has its job', async () => (await jobs()).length === 1);
      const before = await jobs();
      await requeueLostBookings(pool, service.clock.now());
      assert.equal((await jobs()).length, before.length);
    });

    test('the nearer the table, the more often; after its time not at all', async () => {
      const bookingId = await confirmed();
      const waitMs = async () => {
        await untilResting(service, bookingId);
        const [job] = await pool<{ ms: number }[]>`
        select extract(epoch from run_at - now())::float8 * 1000 as ms from graphile_worker._private_jobs
        where payload->>'booking_id' = ${bookingId}`;
        return job?.ms ?? 0;
      };
      const early = await waitMs();
      assert.ok(early > 25 * MINUTE_MS && early <= 30 * MINUTE_MS + 1000, String(early));
      const tableAt = Date.parse('2026-11-20T11:30:00Z');
      await passTime(service, tableAt - 2 * HOUR_MS - service.clock.now().getTime());
      await until('a look', () => venue.calledFor('GetBookingStatus').length > 0);
      const near = await waitMs();
      assert.ok(near <= 5 * MINUTE_MS + 1000 && near > 4 * MINUTE_MS, String(near));
      await passTime(service, 2 * HOUR_MS);
      await until('no job is left', async () => {
        const [job] = await pool`
        select 1 from graphile_worker._private_jobs where payload->>'booking_id' = ${bookingId}`;
        return job === undefined;
      });
      assert.equal((await partner.status(bookingId)).status, 'confirmed');
    });
  },
);
