import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { noCertificates } from '../../harness/service/https-server.ts';
import { passTime, until } from '../../harness/service/jobs.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { startTestService } from '../../harness/service/service.ts';
import { AskingPartner, untilResting } from '../asking-partner.ts';
import { connectVenue, settingsFor } from './connect-venue.ts';
import { startVenueServer } from './venue-server.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

const ASKED = Date.parse('2026-11-20T11:30:00Z') / 1000;
const QUARTER = 15 * 60;

describe(
  "a venue's system that gives another table than it was asked for",
  { skip: noCertificates },
  async () => {
    const venue = await startVenueServer();
    const service = await startTestService({
      settings: { ...settingsFor(venue), BOOKING_READS_PER_MINUTE: '100000' },
    });
    service.clock.advance(14 * HOUR_MS);
    let partner: AskingPartner;
    let placeId = '';

    beforeEach(async () => {
      partner = await AskingPartner.add(service);
      placeId = await connectVenue(service, venue, { phone: '+6281777777' });
      venue.bookings.clear();
      venue.calls.length = 0;
    });

    const live = () =>
      [...venue.bookings.values()]
        .filter(({ status }) => status !== 'CANCELED')
        .map(({ slot }) => Number(slot['start_sec']));

    async function offered(): Promise<{ bookingId: string; offerId: string }> {
      venue.other = { startSec: ASKED + QUARTER };
      const bookingId = await partner.request(placeId);
      const { offer, booked, time } = await partner.untilStatus(bookingId, 'offered');
      assert.deepEqual([booked, time, offer?.time, offer?.party_size], [false, '19:30', '19:45', 4]);
      return { bookingId, offerId: offer?.offer_id ?? '' };
    }

    test('it has made an offer, and who takes it has the table that is held already', async () => {
      const { bookingId, offerId } = await offered();
      assert.deepEqual(live(), [ASKED + QUARTER]);
      await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offerId });
      const { booked, time, confirmation } = await partner.untilStatus(bookingId, 'confirmed');
      assert.deepEqual([booked, time, confirmation?.ref], [true, '19:45', 'venue-1']);
      assert.equal(venue.calledFor('CreateBooking').length, 1);
      assert.deepEqual(live(), [ASKED + QUARTER]);
    });

    test('another size is an offer too, and one that the system has cancelled by then is gone', async () => {
      venue.other = { partySize: 2 };
      const bookingId = await partner.request(placeId);
      const { offer } = await partner.untilStatus(bookingId, 'offered');
      assert.deepEqual([offer?.time, offer?.party_size], ['19:30', 2]);
      for (const kept of venue.bookings.values()) kept.status = 'CANCELED';
      await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offer?.offer_id });
      assert.equal((await partner.untilStatus(bookingId, 'declined')).booked, false);
    });

    test('a held table that is not accepted is released: when the offer lapses, is cancelled, or another is requested', async () => {
      const lapsing = (await offered()).bookingId;
      await untilResting(service, lapsing);
      await passTime(service, 12 * HOUR_MS + 10);
      await partner.untilStatus(lapsing, 'cancelled');
      await until('the table is given back', () => live().length === 0);

      const cancelled = (await offered()).bookingId;
      await partner.call('cancel_booking', { booking_id: cancelled });
      await until('the table is given back', () => live().length === 0);

      const changed = (await offered()).bookingId;
      venue.other = undefined;
      await partner.call('modify_booking', { booking_id: changed, time: '20:30' });
      const { time } = await partner.untilStatus(changed, 'confirmed');
      assert.equal(time, '20:30');
      assert.deepEqual(live(), [ASKED + 4 * QUARTER]);
    });

    test('before what is held is known to be given back, nobody is asked for another', async () => {
      const { bookingId } = await offered();
      venue.other = undefined;
      venue.spoil('UpdateBooking', 'error', 1);
      await partner.call('modify_booking', { booking_id: bookingId, time: '20:30' });
      await untilResting(service, bookingId);
      assert.equal(venue.calledFor('CreateBooking').length, 1);
      await passTime(service, HOUR_MS / 30 + 10);
      await partner.untilStatus(bookingId, 'confirmed');
      assert.deepEqual(live(), [ASKED + 4 * QUARTER]);
    });

    test('a table that the system does not release goes to the desk, with the table that it holds', async () => {
      const { bookingId } = await offered();
      venue.refuseUpdate = 'BOOKING_NOT_CANCELLABLE';
      await partner.call('cancel_booking', { booking_id: bookingId });
      const desk = await signInStaff(service, 'desk');
      const page = await until('the desk has it', async () => {
        const text = await (await desk.get('/console/desk')).text();
        return text.includes(bookingId) && text;
      });
      assert.match(
        page.slice(page.indexOf(bookingId)),
        /The system has a table for 4 on Friday 20 November at 19:45\./,
      );
    });

    test('a table at another time that is only pending is given back, and offered', async () => {
      venue.other = { startSec: ASKED + QUARTER };
      venue.status = 'PENDING_MERCHANT_CONFIRMATION';
      const bookingId = await partner.request(placeId);
      const { offer } = await partner.untilStatus(bookingId, 'offered');
      assert.deepEqual([offer?.time, live()], ['19:45', []]);
      venue.other = undefined;
      venue.status = 'CONFIRMED';
      await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offer?.offer_id });
      assert.equal((await partner.untilStatus(bookingId, 'confirmed')).time, '19:45');
      assert.deepEqual(live(), [ASKED + QUARTER]);
      const tokens = venue.calledFor('CreateBooking').map(({ body }) => body['idempotency_token']);
      assert.equal(new Set(tokens).size, 2, 'another table is asked for under another token');
    });

    test('a change that was made otherwise is put back: the table of before stands until the offer is taken', async () => {
      const bookingId = await partner.request(placeId);
      await partner.untilStatus(bookingId, 'confirmed');
      let times = 0;
      venue.instead = (method) => {
        // The first move goes astray, the one back does not.
        if (method === 'UpdateBooking')
          venue.other = times++ === 0 ? { startSec: ASKED + QUARTER } : undefined;
        return false;
      };
      await partner.call('modify_booking', { booking_id: bookingId, time: '20:30' });
      const { offer, held } = await partner.untilStatus(bookingId, 'offered');
      assert.deepEqual([offer?.time, held?.time, live()], ['19:45', '19:30', [ASKED]]);
      await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offer?.offer_id });
      assert.equal((await partner.untilStatus(bookingId, 'confirmed')).time, '19:45');
      assert.deepEqual(live(), [ASKED + QUARTER]);
    });

    test('a system that keeps a table nobody asked for leaves nobody else to be asked', async () => {
      venue.other = { startSec: ASKED - 7 * 24 * 4 * QUARTER };
      venue.refuseUpdate = 'BOOKING_NOT_CANCELLABLE';
      const bookingId = await partner.request(placeId);
      await partner.untilStatus(bookingId, 'asking');
      await untilResting(service, bookingId);
      const others = await service.database.pool`
      select 1 from venue_ask where booking_id = ${bookingId} and channel <> 'venue_system'`;
      assert.equal(others.length, 0);
      venue.refuseUpdate = undefined;
      await passTime(service, HOUR_MS / 30 + 10);
      await until('the table is given back', () => live().length === 0);
    });

    test('the webhook and booking_status name the same offer first: the nearest', async () => {
      venue.refuse = 'SLOT_UNAVAILABLE';
      venue.free = [ASKED - 5 * QUARTER, ASKED - QUARTER, ASKED + 2 * QUARTER];
      const bookingId = await partner.request(placeId);
      const { offer, offers } = await partner.untilStatus(bookingId, 'offered');
      assert.deepEqual(
        offers.map(({ time }) => time),
        ['19:15', '20:00', '18:15'],
      );
      assert.equal(offer?.offer_id, offers[0]?.offer_id);
    });

    test('a system that wants money leads to the page where the guest can book alone', async () => {
      venue.refuse = 'PAYMENT_REQUIRES_3DS1';
      const bookingId = await partner.request(placeId);
      const { reason, link, timeline } = await partner.untilStatus(bookingId, 'declined');
      assert.deepEqual([reason, link?.url], ['payment_required', 'https://book.venue.example/']);
      assert.match(timeline.at(-1)?.text ?? '', /requires a payment/);
    });
  },
);
