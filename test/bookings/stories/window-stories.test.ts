import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/core/time.ts';
import { noBrowser, openBrowser, VIEWS } from '../../harness/browser/browser.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { noCertificates } from '../../harness/service/https-server.ts';
import { until } from '../../harness/service/jobs.ts';
import { BASE_URL, startTestService } from '../../harness/service/service.ts';
import { startSmtp } from '../../messages/smtp-receiver.ts';
import { refusedCode } from '../../surfaces/concierge/refused.ts';
import { startPhoneProvider } from '../../twilio/phone-provider.ts';
import { addVenue, AskingPartner, linkIn, tap, type BookingTold } from '../asking-partner.ts';
import { connectVenue, settingsFor } from '../booking-server/connect-venue.ts';
import { startVenueServer } from '../booking-server/venue-server.ts';

const WINDOW = { time: '19:00', time_until: '20:30' };
const timesOf = ({ status, time, time_until }: BookingTold) => [status, time, time_until];

describe('a table that is requested for any time between two', async () => {
  const smtp = await startSmtp();
  const provider = await startPhoneProvider();
  const service = await startTestService({
    settings: {
      ...provider.settings,
      TWILIO_REPLIES: 'on',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'post@waypost.example',
    },
  });
  // Ten in the morning where the venues are: nobody is asked at night.
  service.clock.advance(14 * 60 * MINUTE_MS);
  const { pool } = service.database;
  const partner = await AskingPartner.add(service);
  let venues = 0;

  async function askedByMail(change: Record<string, unknown> = {}) {
    const email = `window-${++venues}@venue.example`;
    const placeId = await addVenue(service, { email });
    const bookingId = await partner.request(placeId, { ...WINDOW, ...change });
    const link = await linkIn(smtp, email);
    await partner.untilStatus(bookingId, 'asking');
    return { email, placeId, bookingId, link };
  }

  test('the message names both ends and what a plain yes means', async () => {
    const { message_to_venue: message } = await partner.call<{ message_to_venue: string }>('request_table', {
      place_id: await addVenue(service, { email: 'dry@venue.example' }),
      date: '2026-11-20',
      ...WINDOW,
      party_size: 4,
      guest_name: 'Guest Example',
      dry_run: true,
    });
    assert.match(
      message,
      /do you have a table for 4 on Friday 20 November between 19:00 and 20:30\? A yes means 19:00; you may also name another time in between\. Name: Guest Example/,
    );
  });

  test('the venue taps a time of the window, and that is the one time of the table', async () => {
    const { bookingId, link } = await askedByMail();
    assert.deepEqual(timesOf(await partner.status(bookingId)), ['asking', '19:00', '20:30']);
    const choice = { answer: 'offer', offer_date: '2026-11-20', offer_time: '19:45' };
    assert.equal((await tap(service, link, choice)).status, 303);
    const booked = await partner.status(bookingId);
    assert.deepEqual(timesOf(booked), ['confirmed', '19:45', null]);
    // A second tap on the same button is the same answer.
    assert.equal((await tap(service, link, choice)).status, 303);
    assert.equal((await partner.status(bookingId)).timeline.length, booked.timeline.length);
    const [row] = await pool`
      select table_at = '2026-11-20T11:45:00Z' as exact from booking where id = ${bookingId}`;
    assert.equal(row?.['exact'], true);
    await tap(service, link, {}, '/undo');
    assert.deepEqual(timesOf(await partner.status(bookingId)), ['asking', '19:00', '20:30']);
    const page = await (await service.request(link, { headers: { accept: 'text/html' } })).text();
    assert.match(page, /19:00 – 20:30/);
    for (const time of ['19:00', '19:15', '20:30']) assert.ok(page.includes(`value="${time}"`), time);
  });

  test('a time outside the window is an offer, and one with a note too', async () => {
    const outside = await askedByMail();
    await tap(service, outside.link, { answer: 'offer', offer_date: '2026-11-20', offer_time: '20:45' });
    assert.deepEqual(timesOf(await partner.status(outside.bookingId)), ['offered', '19:00', '20:30']);
    // Without another day or time, a change keeps the window.
    await partner.call('modify_booking', { booking_id: outside.bookingId, party_size: 5 });
    assert.deepEqual(timesOf(await partner.status(outside.bookingId)), ['asking', '19:00', '20:30']);
  });

  test('a cancelled request names the window to the venue', async () => {
    const { email, bookingId } = await askedByMail();
    await partner.call('cancel_booking', { booking_id: bookingId });
    const told = await until('the venue is informed', () =>
      smtp.mails.filter(({ to }) => to.includes(email)).at(1),
    );
    assert.match(
      told.text.replaceAll(/=?\r\n/g, ' ').replaceAll(/ +/g, ' '),
      /between 19:00 and 20:30 is no longer wanted/,
    );
  });

  test('the venue presses a time on its phone', { skip: noBrowser }, async () => {
    const { bookingId, link } = await askedByMail();
    const { page } = await openBrowser(service.url, VIEWS[0]);
    await page.goto(service.url + link);
    await page.getByRole('button', { name: '20:15' }).click();
    await page.waitForLoadState();
    assert.deepEqual(timesOf(await partner.status(bookingId)), ['confirmed', '20:15', null]);
    assert.match((await page.textContent('body')) ?? '', /20:15/);
  });

  test('by text, yes is the first time, and a time of the window is that time', async () => {
    for (const [body, expected] of [
      ['YES', ['confirmed', '19:00', null]],
      ['20:15', ['confirmed', '20:15', null]],
      ['yes at 19:30', ['confirmed', '19:30', null]],
      ['21:00 instead', ['offered', '19:00', '20:30']],
      ['20:00?', ['asking', '19:00', '20:30']],
    ] as const) {
      const phone = `+6285${String(1000000 + ++venues)}`;
      const bookingId = await partner.request(await addVenue(service, { phone }), WINDOW);
      await partner.untilStatus(bookingId, 'asking');
      const form = { MessageSid: `SM${String(venues).padStart(32, '0')}`, From: phone, To: '+62361000000' };
      await provider.post(service, `${BASE_URL}/twilio/replies`, { ...form, Body: body });
      assert.deepEqual(timesOf(await partner.status(bookingId)), expected, body);
    }
  });

  test('on a call, 1 books the first time', async () => {
    const phone = `+6286${String(1000000 + ++venues)}`;
    const bookingId = await partner.request(await addVenue(service, { phone, method: 'phone' }), WINDOW);
    await partner.untilStatus(bookingId, 'asking');
    const url = provider.calls(phone)[0]?.form.get('Url') ?? '';
    const call = (path: string, fields: Record<string, string>) => provider.post(service, url + path, fields);
    assert.match((await call('', {})).text, /between 19:00 and 20:30\? A yes means 19:00/);
    await call('/key', { Digits: '1' });
    assert.deepEqual(timesOf(await partner.status(bookingId)), ['confirmed', '19:00', null]);
  });

  test('the desk records the time that it heard', async () => {
    const bookingId = await partner.request(await addVenue(service), WINDOW);
    const desk = await signInStaff(service, 'desk');
    const page = async () => (await desk.get('/console/desk')).text();
    await until('it is on the list', async () => (await page()).includes(bookingId));
    await desk.post(`/console/desk/${bookingId}/take`, {}, '/console/desk');
    assert.match(await page(), /between 19:00 and 20:30.*At which time\?.*Yes, at 19:00/s);
    const fields = { answer: 'offer', offer_date: '2026-11-20', offer_time: '20:00' };
    const { status, headers } = await desk.post(`/console/desk/${bookingId}`, fields, '/console/desk');
    assert.deepEqual([status, /done=booking_yes/.test(headers.get('location') ?? '')], [303, true]);
    assert.deepEqual(timesOf(await partner.status(bookingId)), ['confirmed', '20:00', null]);
  });

  test('a window ends 15 minutes to 4 hours after it begins; the database holds it, and one time once confirmed', async () => {
    const place_id = await addVenue(service, { email: 'never@venue.example' });
    const table = { place_id, date: '2026-11-20', party_size: 2, guest_name: 'Guest Example' };
    for (const [time, time_until] of [
      ['19:00', '19:00'],
      ['19:00', '18:00'],
      ['19:00', '19:10'],
      ['17:00', '21:01'],
      ['19:00', '25:00'],
    ])
      assert.equal(
        await refusedCode(partner, 'request_table', { ...table, time, time_until }),
        'validation_failed',
        `${time} to ${time_until}`,
      );
    const { bookingId } = await askedByMail();
    for (const [change, constraint] of [
      [`time_until = '18:00'`, /booking_window_span/],
      [`held = '{}'`, /booking_confirmed_at_one_time/],
    ] as const)
      await assert.rejects(
        () => pool.unsafe(`update booking set ${change} where id = '${bookingId}'`),
        constraint,
      );
  });
});

describe('a window at a venue with its own booking system', { skip: noCertificates }, async () => {
  const venue = await startVenueServer();
  const service = await startTestService({ settings: settingsFor(venue) });
  service.clock.advance(14 * 60 * MINUTE_MS);
  const partner = await AskingPartner.add(service);
  const startOf = (time: string) => Date.parse(`2026-11-20T${time}:00+08:00`) / 1000;

  test('the first free time of the window is booked', async () => {
    const placeId = await connectVenue(service, venue);
    venue.free = [startOf('18:30'), startOf('19:45'), startOf('20:15'), startOf('21:00')];
    const bookingId = await partner.request(placeId, WINDOW);
    const booked = await partner.untilStatus(bookingId, 'confirmed');
    assert.deepEqual(timesOf(booked), ['confirmed', '19:45', null]);
    const created = venue.calledFor('CreateBooking');
    assert.deepEqual(
      created.map(({ body }) => (body['slot'] as { start_sec: string }).start_sec),
      [String(startOf('19:45'))],
    );
  });

  test('a request whose answer is lost is repeated for the same time, whatever is free by then', async () => {
    const placeId = await connectVenue(service, venue);
    const before = venue.calledFor('CreateBooking').length;
    venue.free = [startOf('19:30')];
    venue.status = 'PENDING_MERCHANT_CONFIRMATION';
    const bookingId = await partner.request(placeId, WINDOW);
    await partner.untilStatus(bookingId, 'asking');
    assert.deepEqual(timesOf(await partner.status(bookingId)), ['asking', '19:00', '20:30']);
    const made = [...venue.bookings.values()].at(-1);
    assert.ok(made);
    made.status = 'CONFIRMED';
    venue.free = [startOf('19:00')];
    service.clock.advance(2 * MINUTE_MS);
    await service.database.pool`update graphile_worker._private_jobs set run_at = now()`;
    assert.deepEqual(timesOf(await partner.untilStatus(bookingId, 'confirmed')), [
      'confirmed',
      '19:30',
      null,
    ]);
    assert.equal(venue.calledFor('CreateBooking').length, before + 1);
  });

  test('where none is free, other times near the first are offered', async () => {
    const placeId = await connectVenue(service, venue);
    venue.refuse = 'SLOT_UNAVAILABLE';
    venue.free = [startOf('18:30')];
    const bookingId = await partner.request(placeId, WINDOW);
    const offered = await partner.untilStatus(bookingId, 'offered');
    assert.deepEqual(
      offered.offers.map(({ time }) => time),
      ['18:30'],
    );
    await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offered.offer?.offer_id });
  });
});
