import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../harness/service/jobs.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addVenue, AskingPartner, linkInOutbox, tap } from '../asking-partner.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

const HELD = 'a table for 4 on Friday 20 November at 19:30';
const TOLD = `Waypost to Warung Senja: ${HELD} is no longer wanted. Name: Guest Example, a guest of Test Partner.`;
const PERSON = 'Questions? A person answers: hello@waypost.example';
const CHANGE = 'a table for 7 on Saturday 21 November at 19:30';

describe('a booking that is cancelled while a change of it is asked for', async () => {
  const service = await startTestService({ settings: { BOOKING_READS_PER_MINUTE: '100000' } });
  const { pool } = service.database;
  // Ten in the morning where the venues are.
  service.clock.advance(14 * HOUR_MS);
  const partner = await AskingPartner.add(service);
  let phones = 2000;

  const bodies = (id: string) =>
    pool<{ subject: string; body: string; purpose: string }[]>`
      select subject, body, purpose from message where subject_id = ${id} order by sequence`;

  /** A table that the venue has confirmed and that the guest would rather have the day after, for more people. */
  async function changing(contact: Parameters<typeof addVenue>[1], channel: 'sms' | 'mail'): Promise<string> {
    const id = await partner.request(await addVenue(service, contact));
    await tap(service, await linkInOutbox(service, id, channel), { answer: 'yes' });
    await partner.untilStatus(id, 'confirmed');
    await partner.call('modify_booking', { booking_id: id, date: '2026-11-21', party_size: 7 });
    return id;
  }

  const asked = (id: string) =>
    until('the venue is asked about the change', async () =>
      (await partner.status(id)).timeline.some(({ event }) => event === 'change_asked'),
    );
  const toldVenue = (id: string) =>
    until('the venue is told', async () =>
      (await bodies(id)).find(({ purpose }) => purpose === 'booking_cancelled'),
    );

  for (const [channel, contact] of [
    ['sms', { phone: `+628170${++phones}` }],
    ['mail', { email: 'host@venue.example' }],
  ] as const)
    test(`by ${channel} the venue hears that the promised table is free, and that the change is off`, async () => {
      const id = await changing(contact, channel);
      await asked(id);
      await partner.call('cancel_booking', { booking_id: id });
      const told = await toldVenue(id);
      assert.equal(told.body, `${TOLD}\nNo longer wanted: ${CHANGE}\n\n${PERSON}`);
      assert.equal(told.subject, `No longer wanted: ${HELD}`);
      const { status, date, timeline } = await partner.status(id);
      assert.deepEqual([status, date], ['cancelled', '2026-11-21']);
      assert.ok(timeline.some(({ text }) => text.endsWith('The confirmed table is cancelled too.')));
    });

  test('a venue whose offer is not taken hears of the table that it offered, not of the one it did not have', async () => {
    const id = await partner.request(await addVenue(service, { phone: `+628170${++phones}` }));
    await tap(service, await linkInOutbox(service, id), { answer: 'offer', offer_time: '21:00' });
    await partner.untilStatus(id, 'offered');
    await partner.call('cancel_booking', { booking_id: id });
    assert.equal(
      (await toldVenue(id)).body,
      `Waypost to Warung Senja: a table for 4 on Friday 20 November at 21:00 is no longer wanted. Name: Guest Example, a guest of Test Partner.\n\n${PERSON}`,
    );
  });

  test('at the desk the card and the words for the call name both tables', async () => {
    const desk = await signInStaff(service, 'desk');
    const id = await partner.request(await addVenue(service));
    const card = async () => {
      const page = await (await desk.get('/console/desk')).text();
      return page.split(`id="${id}"`)[1]?.split('</li>')[0]?.replaceAll(/\s+/g, ' ') ?? '';
    };
    const take = () => desk.post(`/console/desk/${id}/take`, {}, '/console/desk');
    await until('the desk is to call', async () => (await card()) !== '');
    await take();
    await desk.post(`/console/desk/${id}`, { answer: 'yes' }, '/console/desk');
    await partner.untilStatus(id, 'confirmed');
    await partner.call('modify_booking', { booking_id: id, date: '2026-11-21', party_size: 7 });
    await until('the desk is to call about the change', async () => (await card()) !== '');
    await take();
    await partner.call('cancel_booking', { booking_id: id });
    await until('the desk is to tell the venue', async () => /no longer wanted/.test(await card()));
    await take();
    const shown = await card();
    assert.ok(shown.includes(`${HELD} and ${CHANGE}`), shown);
    assert.ok(
      shown.includes(`no longer needs ${HELD}, nor ${CHANGE}. Please take them out of your book.`),
      shown,
    );
  });

  test('a venue that was not asked about the change hears only of the table that it promised', async () => {
    const id = await partner.request(await addVenue(service, { phone: `+628170${++phones}` }));
    await tap(service, await linkInOutbox(service, id), { answer: 'yes' });
    await partner.untilStatus(id, 'confirmed');
    // Nobody is asked at night: the change waits for the morning.
    service.clock.advance(14 * HOUR_MS);
    await partner.call('modify_booking', { booking_id: id, date: '2026-11-21', party_size: 7 });
    await partner.call('cancel_booking', { booking_id: id });
    assert.equal((await toldVenue(id)).body, `${TOLD}\n\n${PERSON}`);
    assert.ok((await bodies(id)).every(({ purpose }) => purpose !== 'booking_change'));
  });
});
