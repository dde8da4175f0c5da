import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noCertificates } from '../harness/service/https-server.ts';
import { until } from '../harness/service/jobs.ts';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { startTestService } from '../harness/service/service.ts';
import { addTestStaff, signInStaff } from '../harness/people/staff.ts';
import { signInVenue } from '../harness/people/venue.ts';
import { addVenue, AskingPartner, linkInOutbox, nonceOf, tap } from './asking-partner.ts';
import { connectVenue, settingsFor } from './booking-server/connect-venue.ts';
import { startVenueServer } from './booking-server/venue-server.ts';
import { HOUR_MS } from '../../src/core/time.ts';

describe('a venue that cannot keep its promise', { skip: noCertificates }, async () => {
  const system = await startVenueServer();
  const service = await startTestService({
    settings: { ...settingsFor(system), BOOKING_READS_PER_MINUTE: '100000' },
  });
  service.clock.advance(14 * HOUR_MS);
  const { pool } = service.database;
  const partner = await AskingPartner.add(service);
  let phones = 100_000;

  async function askedByText(): Promise<{ id: string; placeId: string; link: string }> {
    const placeId = await addVenue(service, { phone: `+62817${++phones}` });
    const id = await partner.request(placeId);
    return { id, placeId, link: await linkInOutbox(service, id) };
  }
  const read = async (path: string) => {
    const response = await service.request(path, { headers: { accept: 'text/html' } });
    return { status: response.status, text: await response.text() };
  };
  async function isCancelled(id: string, actor: string): Promise<void> {
    const { status, reason, booked, timeline } = await partner.status(id);
    assert.deepEqual([status, reason, booked], ['cancelled', 'venue_cancelled', false]);
    assert.equal(timeline.findLast(({ event }) => event === 'cancelled')?.actor, actor);
  }

  test('says so by its link, also after the notes were changed', async () => {
    const { id, link } = await askedByText();
    await tap(service, link, { answer: 'yes' });
    await partner.call('modify_booking', { booking_id: id, notes: 'A high chair, please' });
    const { status, text } = await read(link);
    assert.equal(status, 200);
    assert.match(text, /A high chair, please/);
    assert.equal((await tap(service, link, { answer: 'cancel', revision: '2' })).status, 303);
    await isCancelled(id, 'venue');
  });

  test('an old page shows the current state: neither an old "No" nor an old "Cancel" changes what came later', async () => {
    const { id, link } = await askedByText();
    const nonce = await nonceOf(service, link);
    const old = (fields: Record<string, string>) =>
      service.request(link, {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ nonce, ...fields }).toString(),
      });
    await tap(service, link, { answer: 'yes' });
    const before = await partner.status(id);
    for (const answer of ['no', 'stop']) {
      const told = await old({ answer });
      assert.equal(told.status, 409);
      const text = await told.text();
      assert.match(text, /This was answered meanwhile/);
      assert.match(text, /the table is booked/);
    }
    assert.deepEqual(await partner.status(id), before);
    await partner.call('modify_booking', { booking_id: id, notes: 'Another note' });
    assert.equal((await old({ answer: 'cancel', revision: '1' })).status, 409);
    assert.equal((await partner.status(id)).status, 'confirmed');
  });

  test('the link dies with the question: no name, no note, and no way to stop us', async () => {
    const { id, placeId, link } = await askedByText();
    await partner.call('cancel_booking', { booking_id: id });
    const { status, text } = await read(link);
    assert.equal(status, 410);
    assert.doesNotMatch(text, /Guest Example|19:30|<form/);
    const nonce = await nonceOf(service, (await askedByText()).link);
    assert.notEqual(nonce, '');
    const said = await tap(service, link, { answer: 'stop' });
    assert.ok(said.status >= 300);
    const [place] = await pool`select booking_method from place where id = ${placeId}`;
    assert.equal(place?.['booking_method'], 'request');
  });

  test('by telephone, through the desk: a venue that confirmed there can cancel there', async () => {
    const placeId = await addVenue(service, {
      phone: `+62361${++phones}`,
      method: 'phone',
      name: 'Warung Telepon',
    });
    const id = await partner.request(placeId);
    const desk = await signInStaff(service, 'desk');
    await until('it is on the list', async () =>
      (await (await desk.get('/console/desk')).text()).includes(id),
    );
    await desk.post(`/console/desk/${id}`, { answer: 'yes' }, '/console/desk');
    assert.equal((await partner.status(id)).confirmation?.by, 'desk');
    const found = await (await desk.get('/console/desk/tables?q=telepon&date=2026-11-20')).text();
    assert.ok(found.includes(id) && found.includes('Guest Example'));
    assert.ok(!(await (await desk.get('/console/desk/tables?q=nobody')).text()).includes(id));
    const path = `/console/desk/tables/${id}/cancel`;
    const stale = await desk.post(path, { revision: '7' }, '/console/desk/tables');
    assert.equal(stale.status, 409);
    assert.equal((await desk.post(path, { revision: '1' }, '/console/desk/tables')).status, 303);
    await isCancelled(id, 'desk');
    const [audit] =
      await pool`select operation from audit_log where subject = ${id} order by sequence desc limit 1`;
    assert.equal(audit?.['operation'], 'cancel_for_venue');
    const reviewer = await signInStaff(service, 'reviewer');
    assert.equal((await reviewer.post(path, { revision: '1' }, '/console/desk')).status, 403);
  });

  test('in its own area, and nowhere else: no venue touches the table of another', async () => {
    const { id, placeId, link } = await askedByText();
    await tap(service, link, { answer: 'yes' });
    const venue = await signInVenue(service, placeId);
    const other = await signInVenue(service, (await askedByText()).placeId);
    const shown = await (await venue.get('/venue/tables')).text();
    assert.match(shown, /Guest Example/);
    assert.ok(!(await (await other.get('/venue/tables')).text()).includes(id));
    assert.equal(
      (await other.post('/venue/tables', { booking: id, revision: '1' }, '/venue/booking')).status,
      409,
    );
    assert.equal((await partner.status(id)).status, 'confirmed');
    assert.equal((await venue.post('/venue/tables', { booking: id, revision: '1' })).status, 303);
    await isCancelled(id, 'venue');
  });

  test('while a change is asked for, both tables are off', async () => {
    const { id, link, placeId } = await askedByText();
    await tap(service, link, { answer: 'yes' });
    await partner.call('modify_booking', { booking_id: id, time: '21:00' });
    const venue = await signInVenue(service, placeId);
    assert.match(await (await venue.get('/venue/tables')).text(), /19:30/);
    await venue.post('/venue/tables', { booking: id, revision: '2' });
    await isCancelled(id, 'venue');
    const { time } = await partner.status(id);
    assert.equal(time, '19:30');
  });

  test("a table in the venue's own system is given back there too", async () => {
    const placeId = await connectVenue(service, system);
    const id = await partner.request(placeId);
    await partner.untilStatus(id, 'confirmed');
    const desk = await signInStaff(service, 'desk');
    await desk.post(`/console/desk/tables/${id}/cancel`, { revision: '1' }, '/console/desk/tables');
    await isCancelled(id, 'desk');
    await until('the system knows', () => [...system.bookings.values()].at(-1)?.status === 'CANCELED');
  });

  test('while bookings are halted, forms that begin something are told when to come back', async () => {
    const placeId = await addVenue(service, { phone: `+62361${++phones}`, method: 'phone' });
    const id = await partner.request(placeId);
    const desk = await signInStaff(service, 'desk');
    await until('it is on the list', async () =>
      (await (await desk.get('/console/desk')).text()).includes(id),
    );
    const { id: staffId } = await addTestStaff(service, 'lead');
    await flipSwitch(service.app.deps, { on: true, reason: 'a test', staffId });
    const refused = await desk.post(`/console/desk/${id}/take`, {}, '/console/desk');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '300']);
    await flipSwitch(service.app.deps, { on: false, reason: '', staffId });
  });
});
