import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addVenue, AskingPartner, linkInOutbox, tap } from '../../../bookings/asking-partner.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  LOOKS,
  screenshot,
} from '../../../harness/browser/browser.ts';
import { auditOf } from '../../../harness/people/staff.ts';
import { signInVenue } from '../../../harness/people/venue.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts';

const PATH = '/venue/tables';
const ANSWER = `${PATH}/answer`;

describe("a venue's requests and tables in its area", async () => {
  // Over plain http, as on a machine of one's own, cookies need no secure connection.
  const service = await startTestService({
    settings: { BASE_URL: 'http://localhost:3000', BOOKING_READS_PER_MINUTE: '100000' },
  });
  service.clock.advance(14 * HOUR_MS);
  const { pool } = service.database;
  const partner = await AskingPartner.add(service);
  let phones = 100_000;

  async function asked(change: Record<string, unknown> = {}) {
    const placeId = await addVenue(service, { phone: `+62817${++phones}`, gather: 0 });
    const id = await partner.request(placeId, change);
    const link = await linkInOutbox(service, id);
    await partner.untilStatus(id, 'asking');
    return { id, placeId, link, venue: await signInVenue(service, placeId) };
  }

  test('a yes goes the same way as a tap, is told, and can be taken back for two minutes', async () => {
    const { id, venue, link } = await asked({ notes: 'A high chair' });
    assert.match(await (await venue.get('/venue')).text(), /Guest Example.*A high chair/s);
    assert.match(await (await venue.get(PATH)).text(), /Guest Example.*A high chair/s);
    const yes = { booking: id, revision: '1', answer: 'yes' };
    const said = await venue.post(ANSWER, yes, PATH);
    assert.equal(said.headers.get('location'), `${PATH}?done=yes`);
    const { status, confirmation, timeline } = await partner.status(id);
    assert.deepEqual([status, confirmation?.by], ['confirmed', 'venue']);
    assert.equal(timeline.at(-1)?.event, 'confirmed');
    assert.equal((await auditOf(pool, id)).at(-1)?.operation, 'record_venue_answer');
    assert.equal((await venue.post(ANSWER, yes, PATH)).status, 303, 'the same again changes nothing');
    assert.match(await (await venue.get(PATH)).text(), /You said yes:/);
    assert.equal((await venue.post(`${PATH}/undo`, { booking: id }, PATH)).status, 303);
    assert.equal((await partner.status(id)).status, 'asking');
    assert.equal((await tap(service, link, { answer: 'yes' })).status, 303);
    service.clock.advance(3 * MINUTE_MS);
    assert.equal((await venue.post(`${PATH}/undo`, { booking: id }, PATH)).status, 409);
    assert.equal((await partner.status(id)).status, 'confirmed');
  });

  test('an offer is passed on and can be taken back until it is accepted; a wrong time is told beside it', async () => {
    const { id, venue } = await asked();
    const offer = { booking: id, revision: '1', offer_date: '2026-11-20' };
    for (const [time, words] of [
      ['', /Give a date and a time/],
      ['half past', /must be a time/],
      ['19:30', /answer yes instead/],
    ] as const) {
      const refused = await venue.post(`${PATH}/offer`, { ...offer, offer_time: time }, PATH);
      assert.equal(refused.status, 422);
      assert.match(await refused.text(), words);
    }
    assert.equal((await partner.status(id)).status, 'asking');
    assert.equal((await venue.post(`${PATH}/offer`, { ...offer, offer_time: '20:15' }, PATH)).status, 303);
    assert.equal((await partner.status(id)).offer?.time, '20:15');
    assert.match(await (await venue.get(PATH)).text(), /has received your offer/);
    await venue.post(PATH, { booking: id, revision: '1' });
    assert.equal((await partner.status(id)).reason, 'offer_withdrawn');
  });

  test('at home a venue answers right there, and sees the tables of today', async () => {
    const { id, placeId, venue, link } = await asked({ date: '2026-11-15', time: '14:00' });
    const home = '/venue/today';
    const shown = await (await venue.get('/venue')).text();
    assert.match(shown, new RegExp(`action="${home}/answer"`));
    assert.match(shown, /There are no tables today/);
    const wrong = { booking: id, revision: '1', offer_date: 'soon', offer_time: '20:15' };
    const refused = await venue.post(`${home}/offer`, wrong, '/venue');
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /This must be a day, such as/);
    const yes = { booking: id, revision: '1', answer: 'yes' };
    assert.equal(
      (await venue.post(`${home}/answer`, yes, '/venue')).headers.get('location'),
      '/venue?done=yes',
    );
    assert.equal((await partner.status(id)).status, 'confirmed');
    const after = await (await venue.get('/venue?done=yes')).text();
    assert.match(after, /The guest is told that you have said yes/);
    assert.doesNotMatch(after, /There are no tables today/);
    assert.equal((await venue.post(`${home}/undo`, { booking: id }, '/venue')).status, 303);
    assert.equal((await tap(service, link, { answer: 'yes' })).status, 303);
    const full = await venue.post(`${home}/days`, { kind: 'full' }, '/venue');
    assert.equal(full.headers.get('location'), '/venue?done=today');
    const [rule] =
      await pool`select from_date::text, until_date::text from venue_rule where place_id = ${placeId}`;
    assert.deepEqual({ ...rule }, { from_date: '2026-11-15', until_date: '2026-11-15' });
    assert.match(await (await venue.get('/venue')).text(), /You take no more tables today/);
    const revision =
      /name="revision" value="(\d+)"/.exec(await (await venue.get('/venue')).text())?.[1] ?? '';
    assert.equal((await venue.post(home, { booking: id, revision }, '/venue')).status, 303);
    assert.equal((await partner.status(id)).status, 'cancelled');
  });

  test('no venue answers for another, and an old page changes nothing', async () => {
    const { id, venue } = await asked();
    const stranger = (await asked()).venue;
    const no = { booking: id, revision: '1', answer: 'no' };
    assert.equal((await stranger.post(ANSWER, no, PATH)).status, 409);
    assert.equal((await stranger.post(`${PATH}/undo`, { booking: id }, PATH)).status, 409);
    assert.equal((await venue.post(ANSWER, { ...no, answer: 'maybe' }, PATH)).status, 422);
    assert.equal((await partner.status(id)).status, 'asking');
    await partner.call('cancel_booking', { booking_id: id });
    const late = await venue.post(ANSWER, { ...no, answer: 'yes' }, '/venue');
    assert.equal(late.status, 409);
    // The message about the cancellation may fail at any time after it.
    const events = (await partner.status(id)).timeline.map(({ event }) => event);
    assert.ok(
      events.indexOf('late_answer') > events.indexOf('cancelled'),
      `the answer is recorded: ${events.join()}`,
    );
    assert.doesNotMatch(await (await venue.get(PATH)).text(), /Guest Example/, 'what is over names nobody');
  });

  test("where the venue's own system is asked, that system answers", async () => {
    const { id, venue } = await asked();
    await pool`update booking set channel = 'venue_system' where id = ${id}`;
    assert.match(await (await venue.get(PATH)).text(), /Your own booking system is being asked/);
    assert.equal(
      (await venue.post(ANSWER, { booking: id, revision: '1', answer: 'yes' }, '/venue')).status,
      409,
    );
    await pool`update booking set channel = 'sms' where id = ${id}`;
  });

  test(
    'looked at: a request, guests who wait, a coming table and what was before',
    { skip: noBrowser },
    async () => {
      const { placeId, venue, link } = await asked({
        date: '2026-11-15',
        time: '14:00',
        guest_name: 'Past Example',
      });
      await tap(service, link, { answer: 'yes' });
      const promised = await partner.request(placeId, { guest_name: 'Ada Example' });
      await venue.post(ANSWER, { booking: promised, revision: '1', answer: 'yes' }, PATH);
      const open = await partner.request(placeId, { date: '2026-11-21', notes: 'By the window, please' });
      await partner.untilStatus(open, 'asking');
      const waits: string[] = [];
      for (const guest_name of ['Wilma Example', 'Walter Example']) {
        const id = await partner.request(placeId, { guest_name, wait_until: '2026-11-20T10:00:00Z' });
        waits.push(await linkInOutbox(service, id, 'mail'));
        await partner.untilStatus(id, 'asking');
        await venue.post(ANSWER, { booking: id, revision: '1', answer: 'no' }, PATH);
      }
      service.clock.advance(5 * HOUR_MS);
      const [name = '', value = ''] = [...venue.cookies][0] ?? [];
      for (const view of LOOKS) {
        const visit = await openBrowser(service.url, view);
        const { page } = visit;
        await visit.context.addCookies([{ name, value, url: service.url }]);
        await page.goto(`${service.url}/venue`);
        await screenshot(page, `venue overview ${view.name}`);
        if (view.touch) await page.locator('.menu-switch summary').click();
        await page
          .getByRole('navigation', { name: 'Your listing' })
          .getByRole('link', { name: 'Requests and tables' })
          .click();
        await page.getByText('By the window, please').waitFor();
        await page.getByRole('cell', { name: 'Past Example' }).waitFor();
        await assertSoundPage(visit);
        await page.getByText('Offer another time').first().click();
        await screenshot(page, `venue tables ${view.name}`);
        await page.goto(`${service.url}${waits[0] ?? ''}`);
        await page.getByRole('button', { name: 'A table is free: offer it' }).waitFor();
        await assertSoundPage(visit);
        await screenshot(page, `tap waiting ${view.name}`);
      }
    },
  );
});
