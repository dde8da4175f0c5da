import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noteNoShows } from '../../../src/bookings/channels/venue-system/note-no-shows.ts';
import { noCertificates } from '../../harness/service/https-server.ts';
import { passTime, stepOf, until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { AskingPartner, linkInOutbox, tap, untilResting } from '../asking-partner.ts';
import { connectVenue, settingsFor } from '../booking-server/connect-venue.ts';
import { startVenueServer } from '../booking-server/venue-server.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

const START = Date.parse('2026-11-20T11:30:00Z') / 1000;

describe('a venue that is reached through its own booking system', { skip: noCertificates }, async () => {
  const venue = await startVenueServer();
  const service = await startTestService({ settings: settingsFor(venue) });
  service.clock.advance(14 * HOUR_MS);
  const partner = await AskingPartner.add(service);

  const connected = (change: { phone?: string } = {}) => connectVenue(service, venue, change);
  const callsFor = (method: string, id: string) =>
    venue.calledFor(method).filter(({ body }) => JSON.stringify(body).includes(id));

  test('the request is answered as requested, and its confirmation comes from the system afterwards', async () => {
    const placeId = await connected();
    const bookingId = await partner.request(placeId);
    const { booked, confirmation, channel } = await partner.untilStatus(bookingId, 'confirmed');
    assert.deepEqual([booked, confirmation?.by, channel], [true, 'venue_system', 'venue_system']);
    assert.ok(confirmation?.ref);
    assert.equal(callsFor('CreateBooking', placeId).length, 1);
    assert.equal(callsFor('CreateBooking', placeId)[0]?.body['idempotency_token'], `${bookingId}:1`);
  });

  test('a pending table is looked up after one, two, five, ten and fifteen minutes', async () => {
    const placeId = await connected();
    venue.status = 'PENDING_MERCHANT_CONFIRMATION';
    const bookingId = await partner.request(placeId);
    await partner.untilStatus(bookingId, 'asking');
    const made = [...venue.bookings.values()].at(-1);
    assert.ok(made);
    const polls = () =>
      venue.calledFor('GetBookingStatus').filter(({ body }) => body['booking_id'] === made.booking_id);
    for (const [nth, minutes] of [1, 1, 3, 5].entries()) {
      await untilResting(service, bookingId);
      await passTime(service, minutes * 60_000 + 10);
      await until(`poll ${nth + 1}`, () => polls().length === nth + 1);
    }
    made.status = 'CONFIRMED';
    await untilResting(service, bookingId);
    await passTime(service, 5 * 60_000 + 10);
    assert.equal((await partner.untilStatus(bookingId, 'confirmed')).booked, true);
    assert.equal(polls().length, 5);
  });

  test('a taken table becomes offers, and the one that is accepted is booked there first', async () => {
    const placeId = await connected();
    venue.refuse = 'SLOT_UNAVAILABLE';
    venue.free = [START + 1800];
    const bookingId = await partner.request(placeId);
    const { offer } = await partner.untilStatus(bookingId, 'offered');
    assert.equal(offer?.time, '20:00');
    venue.refuse = undefined;
    await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offer.offer_id });
    const booked = await partner.untilStatus(bookingId, 'confirmed');
    assert.equal(booked.time, '20:00');
    const made = [...venue.bookings.values()].at(-1);
    assert.equal(made?.slot['start_sec'], String(START + 1800));
  });

  test('a change moves the table there; a refused one leaves it', async () => {
    const placeId = await connected();
    const bookingId = await partner.request(placeId);
    const { confirmation } = await partner.untilStatus(bookingId, 'confirmed');
    const ref = confirmation?.ref ?? '';
    await partner.call('modify_booking', { booking_id: bookingId, time: '20:30' });
    await until('it moved', () => venue.bookings.get(ref)?.slot['start_sec'] === String(START + 3600));
    await partner.untilStatus(bookingId, 'confirmed');
    venue.refuseUpdate = 'SLOT_UNAVAILABLE';
    await partner.call('modify_booking', { booking_id: bookingId, time: '21:00' });
    await until('it is refused', async () => (await partner.status(bookingId)).reason === 'change_declined');
    const kept = await partner.status(bookingId);
    assert.deepEqual([kept.status, kept.time], ['confirmed', '20:30']);
  });

  test('a cancelled table is given back there', async () => {
    const placeId = await connected();
    const bookingId = await partner.request(placeId);
    const { confirmation } = await partner.untilStatus(bookingId, 'confirmed');
    await partner.call('cancel_booking', { booking_id: bookingId });
    await until('it is given back', () => venue.bookings.get(confirmation?.ref ?? '')?.status === 'CANCELED');
    assert.equal((await partner.status(bookingId)).status, 'cancelled');
  });

  test('a table that the system no longer takes back stays booked, until the desk has asked the venue', async () => {
    const placeId = await connected();
    const bookingId = await partner.request(placeId);
    await partner.untilStatus(bookingId, 'confirmed');
    venue.refuseUpdate = 'OUTSIDE_CANCELLATION_WINDOW';
    await assert.rejects(partner.call('cancel_booking', { booking_id: bookingId }), /not_cancellable/);
    assert.equal((await partner.status(bookingId)).status, 'confirmed');
    const desk = await signInStaff(service, 'desk');
    const page = await (await desk.get('/console/desk')).text();
    assert.ok(page.includes('Ask the venue to cancel the table'));
    await desk.post(`/console/desk/${bookingId}/take`, {}, '/console/desk');
    await desk.post(`/console/desk/${bookingId}/told`, { taken_back: 'yes' }, '/console/desk');
    assert.equal((await partner.status(bookingId)).status, 'cancelled');
  });

  test('whether a table is free is asked of the system before anybody asks for it', async () => {
    const placeId = await connected();
    venue.free = [START];
    const ask = (time: string) =>
      partner.call<{ available: boolean | null; source: string; channel: string }>('check_availability', {
        place_id: placeId,
        date: '2026-11-20',
        time,
        party_size: 4,
      });
    const free = await ask('19:30');
    assert.deepEqual([free.available, free.source, free.channel], [true, 'venue_system', 'venue_system']);
    assert.equal((await ask('20:00')).available, false);
  });

  test('a demand for money is declined', async () => {
    const placeId = await connected();
    venue.refuse = 'PAYMENT_ERROR';
    const bookingId = await partner.request(placeId);
    assert.equal((await partner.untilStatus(bookingId, 'declined')).reason, 'payment_required');
  });

  test('a system that turns us away leads to a message that the venue taps', async () => {
    const placeId = await connected({ phone: '+6281777777' });
    venue.instead = (_name, response) => {
      response.writeHead(401).end();
      return true;
    };
    const bookingId = await partner.request(placeId);
    await tap(service, await linkInOutbox(service, bookingId), { answer: 'yes' });
    const { status, confirmation, timeline } = await partner.status(bookingId);
    assert.deepEqual([status, confirmation?.by], ['confirmed', 'venue']);
    assert.ok(
      timeline.some(({ event, channel }) => event === 'channel_failed' && channel === 'venue_system'),
    );
  });

  test('a guest who did not come leaves a line in the timeline, once, and the booking as it is', async () => {
    const placeId = await connected();
    const bookingId = await partner.request(placeId);
    const { confirmation } = await partner.untilStatus(bookingId, 'confirmed');
    const kept = venue.bookings.get(confirmation?.ref ?? '');
    assert.ok(kept);
    kept.status = 'NO_SHOW';
    await noteNoShows(stepOf(service));
    const lines = async () => {
      const { status, timeline } = await partner.status(bookingId);
      assert.equal(status, 'confirmed');
      return timeline.filter(({ event }) => event === 'no_show_reported').length;
    };
    assert.equal(await lines(), 0, 'nobody asks before the table');
    service.clock.advance(Date.parse('2026-11-21T06:00:00Z') - service.clock.now().getTime());
    await noteNoShows(stepOf(service));
    await noteNoShows(stepOf(service));
    assert.equal(await lines(), 1);
  });
});
