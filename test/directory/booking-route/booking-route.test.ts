import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { recognizePlatform } from '../../../src/directory/booking-route/platforms.ts';
import { bookingRoute, type BookablePlace } from '../../../src/directory/booking-route/booking-route.ts';

const ASK = { party_size: 4, date: '2026-11-06', time: '19:30' };
const LINK = 'https://www.sevenrooms.com/reservations/silverspoon';
const none = { party_size: false, date: false, time: false };
const PLACE: BookablePlace = {
  booking_method: 'phone',
  booking_url: LINK,
  chosen_by_venue: true,
  phone: '+62361234567',
  country: 'ID',
  facts: {},
  closed: false,
};

suite('the booking block', () => {
  test('a venue with its own system gives the filled link and no phone', () => {
    assert.deepEqual(bookingRoute({ ...PLACE, booking_method: 'venue_system' }, ASK, 'svc'), {
      method: 'venue_system',
      url: `${LINK}?default_date=2026-11-06&default_party_size=4&default_time=19%3A30`,
      chosen_by_venue: true,
      phone: null,
      platform: 'sevenrooms',
      prefilled: { party_size: true, date: true, time: true },
      guidance: 'Send the traveller to booking.url; nothing is booked until they finish there.',
    });
  });

  test('a page of an unknown system is given as it is', () => {
    const place = {
      ...PLACE,
      booking_method: 'venue_system',
      booking_url: 'https://spoon.example/book',
      chosen_by_venue: false,
    } as const;
    const block = bookingRoute(place, ASK, 'svc');
    assert.equal(block.url, 'https://spoon.example/book');
    assert.equal(block.platform, null);
    assert.equal(block.chosen_by_venue, false);
    assert.deepEqual(block.prefilled, none);
  });

  test('a venue by phone gives the number and no link', () => {
    assert.deepEqual(bookingRoute(PLACE, ASK, 'svc'), {
      method: 'phone',
      url: null,
      chosen_by_venue: true,
      phone: '+62361234567',
      platform: null,
      prefilled: none,
      guidance: 'Give the traveller this number; we have no booking channel for this venue.',
    });
  });

  test('a number without its country code is given as published, and guidance does not deny it', () => {
    const written = { ...PLACE, phone: null, facts: { phone_as_published: '0361 234567' } };
    const { phone, phone_as_published, guidance } = bookingRoute(written, ASK, 'svc');
    assert.deepEqual([phone, phone_as_published], [null, '0361 234567']);
    assert.match(guidance, /as it is written.*never complete it/);
    assert.match(bookingRoute({ ...written, facts: {} }, ASK, 'svc').guidance, /no phone number/);
  });

  test('a number of another country is given with that remark', () => {
    const guidanceFor = (phone: string) => bookingRoute({ ...PLACE, phone }, ASK, 'svc').guidance;
    assert.match(guidanceFor('+37793100000'), /of another country/);
    for (const phone of ['+62361234567', '+80012345678', '+99912345678'])
      assert.doesNotMatch(guidanceFor(phone), /of another country/, phone);
  });

  test('a venue that takes requests gives neither link nor phone', () => {
    assert.deepEqual(bookingRoute({ ...PLACE, booking_method: 'request' }, ASK, 'svc'), {
      method: 'request',
      url: null,
      chosen_by_venue: true,
      phone: null,
      platform: null,
      prefilled: none,
      guidance:
        'You may ask this venue for a table through the concierge surface. A request is not a booking until the venue accepts.',
    });
  });

  test('a venue that opted out says so with the prefix of the service', () => {
    const block = bookingRoute({ ...PLACE, booking_method: 'not_through' }, ASK, 'waypost');
    assert.equal(block.method, 'not_through_waypost');
    assert.equal(block.url, null);
    assert.equal(block.phone, null);
    assert.equal(
      block.guidance,
      'This venue asked not to be sent bookings through us. Do not request a table here.',
    );
  });

  test('a closed place is closed whatever it chose before', () => {
    for (const booking_method of ['request', 'venue_system', 'phone', 'not_through'] as const) {
      assert.deepEqual(bookingRoute({ ...PLACE, booking_method, closed: true }, ASK, 'svc'), {
        method: 'closed',
        url: null,
        chosen_by_venue: false,
        phone: null,
        platform: null,
        prefilled: none,
        guidance: 'This place appears to have closed. Do not send anyone.',
      });
    }
  });

  test('a stored link that no browser should follow is never given out; the phone is', () => {
    for (const booking_url of ['javascript:alert(1)', 'not a link', '', null]) {
      const block = bookingRoute({ ...PLACE, booking_method: 'venue_system', booking_url }, ASK, 'svc');
      assert.equal(block.method, 'phone');
      assert.equal(block.url, null);
      assert.equal(block.phone, '+62361234567');
      assert.equal(block.chosen_by_venue, false);
    }
  });
});

suite('the page of a place that nobody asked', () => {
  test('a booking platform is recognised, also where nothing can be filled in', () => {
    assert.notEqual(recognizePlatform(LINK), null);
    assert.notEqual(recognizePlatform('https://eatapp.co/reserve/spoon'), null);
  });

  test('anything else is no platform', () => {
    for (const page of [
      'https://spoon.example/book',
      'https://opentable.com.evil.example/r/spoon',
      'javascript:alert(1)',
    ])
      assert.equal(recognizePlatform(page), null, page);
  });
});
