import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addVenue, AskingPartner, linkInOutbox, tap } from '../../../bookings/asking-partner.ts';
import { addJob } from '../../../../src/jobs/add-job.ts';
import { until } from '../../../harness/service/jobs.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { signInStaff } from '../../../harness/people/staff.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';

const PATH = '/console/kill-switch';

describe('the kill switch', async () => {
  const service = await startTestService();
  service.clock.advance(14 * HOUR_MS);
  const partner = await AskingPartner.add(service);
  const lead = await signInStaff(service, 'lead');
  const desk = await signInStaff(service, 'desk');
  let numbers = 6282000000;
  const venue = (method: 'request' | 'phone' = 'request') =>
    addVenue(service, { phone: `+${++numbers}`, method });
  const text = async (response: Promise<Response>) => (await response).text();

  async function atDesk(): Promise<string> {
    const bookingId = await partner.request(await venue('phone'));
    await until('it is on the list', async () => (await text(desk.get('/console/desk'))).includes(bookingId));
    return bookingId;
  }

  test('only a lead throws it, with a reason, and a form that says nothing changes nothing', async () => {
    assert.equal((await desk.get(PATH)).status, 403);
    const csrf = await desk.token('/console/desk');
    assert.equal((await desk.postRaw(PATH, { csrf, state: 'on', reason: 'because' })).status, 403);
    assert.equal((await lead.postRaw(PATH, { state: 'on', reason: 'because' })).status, 403);
    for (const fields of [
      { state: 'on', reason: '' },
      { state: 'sideways', reason: 'because' },
      { reason: 'because' },
    ])
      assert.equal((await lead.post(PATH, fields, '/console')).status, 422, JSON.stringify(fields));
    assert.equal((await lead.post(PATH, { state: 'off', reason: 'because' }, '/console')).status, 409);
  });

  test('two steps for a person: the first page says how many requests will stand still', async () => {
    await partner.request(await venue());
    const first = await text(lead.get(PATH));
    assert.match(first, /<form[^>]*method="get"/);
    const second = await text(lead.get(`${PATH}?state=on&reason=Wrong+tables`));
    assert.match(second, /1 open request will wait/);
    assert.match(second, /<form[^>]*method="post"/);
    assert.match(second, /Yes, stop all bookings/);
  });

  test('halted: a banner on every page, requests refused, the desk stopped, the venue still heard', async () => {
    const open = await partner.request(await venue());
    const link = await linkInOutbox(service, open);
    await partner.untilStatus(open, 'asking');
    const waiting = await atDesk();
    const another = await atDesk();
    const placeId = await venue();
    assert.equal((await lead.post(PATH, { state: 'on', reason: 'Wrong tables' }, '/console')).status, 303);
    for (const page of ['/console', '/console/desk', '/console/outbox', '/console/places'])
      assert.match(await text(desk.get(page)), /All bookings are stopped.*Wrong tables/s, page);
    await assert.rejects(partner.request(placeId), /bookings_halted/);
    await assert.rejects(
      partner.call('modify_booking', { booking_id: open, time: '21:00' }),
      /bookings_halted/,
    );
    const take = await desk.post(`/console/desk/${waiting}/take`, {}, '/console/desk');
    const yes = await desk.post(`/console/desk/${waiting}`, { answer: 'yes' }, '/console/desk');
    assert.deepEqual([take.status, yes.status], [503, 503]);
    assert.match(await yes.text(), /Bookings are halted/);
    const no = await desk.post(`/console/desk/${another}`, { answer: 'no' }, '/console/desk');
    assert.equal(no.status, 303, 'a no is heard');
    assert.equal((await partner.status(another)).status, 'declined');
    await tap(service, link, { answer: 'yes' });
    assert.equal((await partner.status(open)).status, 'confirmed');
    await partner.call('cancel_booking', { booking_id: open });
    assert.equal((await partner.status(open)).status, 'cancelled');
    assert.match(await text(lead.get(PATH)), /Wrong tables.*wait\./s);
  });

  test('the page says how to try the switch, and then what the last drill has shown', async () => {
    assert.match(await text(lead.get(PATH)), /No drill has been run yet\./);
    await service.database.pool`
      insert into kill_switch_drill (by_staff, started_at, asked_at, answered_at, resumed_at, ended_at, frozen, actions,
        in_flight, last_at, after_answer)
      select ${lead.staff.id}, t, t, t + interval '1.25 s', t + interval '6.3 s', t + interval '7 s', 41, 12, 3,
        t + interval '1.2 s', 0 from (select timestamptz '2026-11-13 08:00Z' as t) as at`;
    const page = await text(lead.get(PATH));
    assert.match(page, /Run a drill/);
    assert.match(page, /Last drill.*Held.*Nothing was sent after bookings were stopped/s);
    assert.match(page, /13 Nov 2026, 08:00 UTC/);
    assert.match(
      page,
      /1\.250 s.*41 requests.*12 calls, texts.*3 of them under way.*0\.050 s before bookings were stopped.*5\.050 s/s,
    );
    assert.ok(page.includes(lead.staff.email));
  });

  test('off again: the banner goes, and what stood still goes on', async () => {
    assert.equal((await lead.post(PATH, { state: 'off', reason: 'All is well' }, '/console')).status, 303);
    assert.doesNotMatch(await text(desk.get('/console')), /All bookings are stopped/);
    const [, ...flips] = await service.database.pool<{ actor: string; detail: { on: boolean } }[]>`
      select actor, detail from audit_log where operation = 'flip_kill_switch' order by sequence desc`;
    assert.deepEqual(flips, [{ actor: lead.staff.id, detail: { on: true, reason: 'Wrong tables' } }]);
    await partner.request(await venue());
  });

  test('a lead runs a drill from the page: bookings stop, resume, and the result is shown', async () => {
    assert.equal(
      (await desk.postRaw(`${PATH}/drill`, { csrf: await desk.token('/console/desk') })).status,
      403,
    );
    const begun = await lead.post(`${PATH}/drill`, {}, PATH);
    assert.equal(begun.headers.get('location'), `${PATH}?done=drill_kill_switch`);
    assert.match(await text(lead.get(PATH)), /A drill is running/);
    assert.equal((await lead.post(`${PATH}/drill`, {}, '/console')).status, 409, 'one at a time');
    await until('bookings are stopped', async () =>
      /Kill switch drill/.test(await text(lead.get('/console'))),
    );
    await until('the drill is over', async () => !/A drill is running/.test(await text(lead.get(PATH))));
    assert.match(await text(lead.get(PATH)), /Last drill.*Nothing was sent after bookings were stopped/s);
    assert.doesNotMatch(await text(lead.get('/console')), /Kill switch drill/);
  });

  test('a drill whose node died is ended by the next run of its job', async () => {
    const { pool } = service.app.deps;
    const [drill] = await pool<{ id: string }[]>`
      insert into kill_switch_drill (by_staff, asked_at) values (${lead.staff.id}, clock_timestamp())
      returning id::text as id`;
    const id = drill?.id ?? '';
    const reason = `Kill switch drill ${id}: bookings resume in a few seconds.`;
    await lead.post(PATH, { state: 'on', reason }, '/console');
    await addJob(pool, 'drill_kill_switch', { drill_id: id, staff_id: lead.staff.id });
    await until('bookings resume', async () => !/Kill switch drill/.test(await text(lead.get('/console'))));
    await until('the drill is over', async () => {
      const open = await pool`select from kill_switch_drill where ended_at is null`;
      return open.count === 0;
    });
  });
});
