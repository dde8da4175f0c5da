import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startReceiver } from '../../callbacks/receiver.ts';
import { passTime, until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { startSmtp } from '../../messages/smtp-receiver.ts';
import { addVenue, AskingPartner, linkIn, tap } from '../asking-partner.ts';
import { tapper } from './tap-in-browser.ts';
import { MINUTE_MS } from '../../../src/core/time.ts';

describe('a venue that is reached by mail and answers with a tap', async () => {
  const smtp = await startSmtp();
  const receiver = await startReceiver();
  const service = await startTestService({
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'post@waypost.example', EGRESS_ALLOW: receiver.pair },
  });
  // Ten in the morning where the venues are: nobody is asked at night.
  service.clock.advance(14 * 60 * MINUTE_MS);
  const answer = await tapper(service);
  let venues = 0;

  async function ask(path: string) {
    const partner = await AskingPartner.add(service, `${receiver.url}/${path}`);
    const email = `venue-${++venues}@venue.example`;
    const placeId = await addVenue(service, { email });
    const bookingId = await partner.request(placeId);
    const link = await linkIn(smtp, email);
    await partner.untilStatus(bookingId, 'asking');
    const events = (count: number) =>
      until(`${count} events at ${path}`, () => {
        const heard = receiver.received.filter((one) => one.path === `/${path}`);
        const bodies = heard.map(({ body }) => JSON.parse(body) as { event: string; sequence: number });
        return (
          bodies.length >= count && bodies.sort((a, b) => a.sequence - b.sequence).map(({ event }) => event)
        );
      });
    return { partner, email, placeId, bookingId, link, events };
  }

  test('yes: the table is booked, and the partner hears every move', async () => {
    const { partner, email, bookingId, link, events } = await ask('yes');
    const mails = smtp.mails.filter(({ to }) => to.includes(email));
    assert.equal(mails.length, 1);
    await answer(link, { answer: 'yes' });
    const booking = await partner.status(bookingId);
    assert.deepEqual(
      [booking.status, booking.booked, booking.confirmation?.by],
      ['confirmed', true, 'venue'],
    );
    assert.equal(
      booking.timeline.find(({ event }) => event === 'asking')?.text,
      'An email was sent to the venue.',
    );
    assert.deepEqual(await events(3), ['sent', 'asking', 'confirmed']);
    // A second tap on the same button is the same answer.
    await tap(service, link, { answer: 'yes' });
    assert.equal((await partner.status(bookingId)).timeline.length, booking.timeline.length);
  });

  test('offer, then accepted: exactly what the venue offered is booked, and it is told', async () => {
    const { partner, email, bookingId, link, events } = await ask('offer');
    await answer(link, { answer: 'offer', offer_date: '2026-11-20', offer_time: '20:15' });
    const offered = await partner.untilStatus(bookingId, 'offered');
    assert.deepEqual([offered.booked, offered.offer?.time], [false, '20:15']);
    await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offered.offer?.offer_id });
    const booked = await partner.untilStatus(bookingId, 'confirmed');
    assert.deepEqual([booked.booked, booked.date, booked.time], [true, '2026-11-20', '20:15']);
    await until('the venue is told', () => smtp.mails.filter(({ to }) => to.includes(email)).length === 2);
    assert.deepEqual(await events(4), ['sent', 'asking', 'offered', 'confirmed']);
  });

  test('no: declined, and nothing more is asked', async () => {
    const { partner, email, bookingId, link, events } = await ask('no');
    await answer(link, { answer: 'no' });
    assert.equal((await partner.status(bookingId)).status, 'declined');
    assert.deepEqual(await events(3), ['sent', 'asking', 'declined']);
    await passTime(service, 120 * MINUTE_MS);
    assert.equal(smtp.mails.filter(({ to }) => to.includes(email)).length, 1);
  });

  test('stop: declined, and the venue is never asked again', async () => {
    const { partner, placeId, bookingId, link } = await ask('stop');
    await answer(link, { answer: 'stop' });
    assert.equal((await partner.status(bookingId)).status, 'declined');
    const [place] = await service.database.pool`
      select booking_method, chosen_by_venue from place where id = ${placeId}`;
    assert.deepEqual({ ...place }, { booking_method: 'not_through', chosen_by_venue: true });
    await assert.rejects(partner.request(placeId, { time: '20:00' }), /venue_opted_out/);
  });

  test('a change of a booked table that the venue refuses leaves the table of before', async () => {
    const { partner, email, bookingId, link, events } = await ask('change');
    await answer(link, { answer: 'yes' });
    await partner.call('modify_booking', { booking_id: bookingId, time: '21:00' });
    const asked = await partner.status(bookingId);
    assert.deepEqual([asked.status, asked.held?.time, asked.time], ['asking', '19:30', '21:00']);
    await until('the change is asked', () => smtp.mails.filter(({ to }) => to.includes(email)).length === 2);
    const changeLink = await linkIn(smtp, email);
    assert.notEqual(changeLink, link);
    const page = await (await service.request(changeLink)).text();
    assert.match(page, /a table for 4 on Friday 20 November at 19:30/);
    assert.equal((await service.request(link)).status, 410, 'the first link died with its question');
    await answer(changeLink, { answer: 'no' });
    const kept = await partner.status(bookingId);
    assert.deepEqual([kept.status, kept.booked, kept.time, kept.held], ['confirmed', true, '19:30', null]);
    assert.deepEqual(await events(5), ['sent', 'asking', 'confirmed', 'asking', 'confirmed']);
  });

  test('cancelled by the guest: the venue is told, and its link says so politely', async () => {
    const { partner, email, bookingId, link, events } = await ask('cancel');
    await partner.call('cancel_booking', { booking_id: bookingId });
    assert.equal((await partner.status(bookingId)).status, 'cancelled');
    await until('the venue is told', () =>
      smtp.mails.some(({ to, text }) => to.includes(email) && /no longer wanted/i.test(text)),
    );
    const page = await service.request(link);
    assert.equal(page.status, 410);
    assert.match(await page.text(), /This table is no longer wanted/);
    await tap(service, link, { answer: 'yes' });
    assert.equal((await partner.status(bookingId)).status, 'cancelled');
    assert.deepEqual(await events(3), ['sent', 'asking', 'cancelled']);
  });

  test('an answer can be undone within two minutes, and not later', async () => {
    const { partner, bookingId, link } = await ask('undo');
    await answer(link, { answer: 'no' });
    const page = await (await service.request(link)).text();
    assert.match(page, /Thank you for telling us/);
    await answer(link, { answer: 'undo' });
    assert.equal((await partner.status(bookingId)).status, 'asking');
    await answer(link, { answer: 'yes' });
    assert.equal((await partner.status(bookingId)).status, 'confirmed');
    await passTime(service, 2 * MINUTE_MS + 1);
    await tap(service, link, {}, '/undo');
    assert.equal((await partner.status(bookingId)).status, 'confirmed');
  });
});
