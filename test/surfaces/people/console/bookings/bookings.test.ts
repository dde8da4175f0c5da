import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addVenue, AskingPartner, linkInOutbox, tap } from '../../../../bookings/asking-partner.ts';
import { startReceiver } from '../../../../callbacks/receiver.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  LOOKS,
  screenshot,
} from '../../../../harness/browser/browser.ts';
import {
  addTestStaff,
  signInBrowser,
  signInStaff,
  type FormClient,
} from '../../../../harness/people/staff.ts';
import { until } from '../../../../harness/service/jobs.ts';
import { startTestService } from '../../../../harness/service/service.ts';
import { HOUR_MS } from '../../../../../src/core/time.ts';
import { LOOKS_OFTEN } from '../../../../webhooks/webhook-partner.ts';

const PATH = '/console/bookings';

describe('all bookings, as staff see them', async () => {
  const receiver = await startReceiver();
  const service = await startTestService({ settings: { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair } });
  service.clock.advance(14 * HOUR_MS);
  const { pool } = service.database;
  const partner = await AskingPartner.add(service, `${receiver.url}/moves`);
  const other = await AskingPartner.add(service);
  await pool`update partner set name = 'Elsewhere Travel' where id = ${other.partner.partnerId}`;
  const sea = await addVenue(service, { phone: '+6281700001', name: 'The Long Table by the Sea' });
  const hill = await addVenue(service, { phone: '+6281700002', name: 'Kafe 100% Bukit' });
  const first = await partner.request(sea, { guest_name: 'Ada Example', notes: 'A quiet corner' });
  service.clock.advance(60_000);
  const second = await other.request(hill, { date: '2026-11-21', guest_name: 'Bob Example' });
  const desk = await signInStaff(service, 'desk');
  const reviewer = await signInStaff(service, 'reviewer');
  const text = async (client: FormClient, path: string) => (await client.get(path)).text();
  /** The bookings in a list, in its order. */
  async function listed(query: Record<string, string>, client: FormClient = desk): Promise<string[]> {
    const page = await text(client, `${PATH}?${new URLSearchParams(query).toString()}`);
    return [...page.matchAll(/data-row\s+href="\/console\/bookings\/(bkg_\w+)"/g)].map(([, id = '']) => id);
  }

  test('all are listed, the newest first, and every filter narrows the list', async () => {
    await tap(service, await linkInOutbox(service, first), { answer: 'yes' });
    assert.deepEqual(await listed({}), [second, first]);
    assert.deepEqual(await listed({ status: 'confirmed' }), [first]);
    assert.deepEqual(await listed({ status: 'open' }), [second]);
    assert.deepEqual(await listed({ venue: 'long table' }), [first]);
    assert.deepEqual(await listed({ venue: hill }), [second]);
    assert.deepEqual(await listed({ venue: '100%' }), [second], 'a sign of the pattern is a letter like any');
    assert.deepEqual(await listed({ partner: 'elsewhere' }), [second]);
    assert.deepEqual(await listed({ partner: partner.partner.partnerId }), [first]);
    assert.deepEqual(await listed({ date: '2026-11-21' }), [second]);
    assert.deepEqual(await listed({ q: first }), [first]);
    assert.deepEqual(await listed({ q: 'ada' }), [first]);
    assert.deepEqual(await listed({ q: 'quiet', status: 'declined' }), []);
    assert.deepEqual(await listed({ before: second }), [first]);
    assert.match(await text(desk, `${PATH}?q=nobody`), /No booking matches this/);
  });

  test('the list goes on by pages, and an address that makes no sense is an empty wish', async () => {
    await pool.begin(async (tx) => {
      const ids = Array.from({ length: 60 }, (_, n) => `bkg_0${String(n).padStart(25, '0')}`);
      const { partnerId } = partner.partner;
      await tx`
        insert into booking (id, partner_id, place_id, status, last_sequence, date, time, party_size, timezone, table_at,
          for_type, guest_name, channel, created_at, updated_at)
        select id, ${partnerId}, ${sea}, 'sent', 1, '2026-10-20', '19:30', 2, 'Asia/Makassar', '2026-10-20', 'guest',
          'guest', 'sms', '2026-10-19', '2026-10-19' from unnest(${ids}::text[]) as id`;
      await tx`
        insert into booking_entry (booking_id, sequence, at, event, from_status, to_status, actor, revision, text, hash)
        select id, 2, '2026-10-19', 'cancelled', 'sent', 'cancelled', 'partner', 1, 'Cancelled.', sha256('')
        from unnest(${ids}::text[]) as id`;
      await tx`update booking set status = 'cancelled', last_sequence = 2 where id = any(${ids}::text[])`;
    });
    const page = await text(desk, `${PATH}?status=cancelled`);
    const [, next = ''] = /rel="next" href="[^"?]*\?([^"]+)"/.exec(page) ?? [];
    const one = await listed({ status: 'cancelled' });
    const two = await listed(Object.fromEntries(new URLSearchParams(next.replaceAll('&amp;', '&'))));
    assert.deepEqual([one.length, two.length, new Set([...one, ...two]).size], [50, 10, 60]);
    for (const date of ['2026-99-99', '2026-02-31', '0000-01-01'])
      for (const path of [PATH, '/console/desk/tables'])
        assert.equal(
          (await desk.get(`${path}?before=%27&status=nonsense&date=${date}&done=constructor`)).status,
          200,
          date,
        );
  });

  test('one booking shows what was asked, by which way, what was answered, and its webhooks', async () => {
    await until('the webhook of the yes has arrived', async () =>
      (await text(desk, `${PATH}/${first}`)).includes('HTTP 200'),
    );
    const page = await text(desk, `${PATH}/${first}`);
    for (const words of [
      /Ada Example/,
      /A quiet corner/,
      /The Long Table by the Sea/,
      /The venue (said yes|confirmed)/,
      /Text message/,
      /Delivered/,
      /How the venue was asked/,
    ])
      assert.match(page, words);
    assert.match(await text(desk, `${PATH}/${second}`), /no address was set/);
    assert.equal((await desk.get(`${PATH}/bkg_${'z'.repeat(26)}`)).status, 404);
    assert.equal((await desk.get(`${PATH}/nonsense`)).status, 404);
  });

  test('the list and the record say whose turn it is, by which way, and until when on both clocks', async () => {
    const list = await text(desk, PATH);
    assert.match(list, /The guests come/);
    assert.match(
      list,
      /The venue answers\s*<span class="soft second">\d+ (?:min|h \d+ min) left · Text message/,
    );
    assert.match(list, /Fri 11:30 UTC/, 'the table in UTC');
    const open = await text(desk, `${PATH}/${second}`);
    assert.match(open, /Remind the venue: Text message, <span class="soft">in [^<]+,<\/span>/);
    assert.match(open, /at the venue <span class="soft"><time/);
    const decided = await text(desk, `${PATH}/${first}`);
    assert.doesNotMatch(decided, /Next step/, 'after the decision the service does nothing by itself');
  });

  test('the desk cancels for the venue and repeats a webhook on the page of the booking; a reviewer does not', async () => {
    const id = await partner.request(sea, { date: '2026-11-27', guest_name: 'Cem Example' });
    await tap(service, await linkInOutbox(service, id), { answer: 'yes' });
    const path = `${PATH}/${id}`;
    await until('the webhook of the yes has arrived', async () =>
      (await text(desk, path)).includes('Send the last webhook again'),
    );
    assert.doesNotMatch(await text(reviewer, path), /What you can do/);
    assert.equal((await reviewer.post(`${path}/cancel`, { revision: '1' }, PATH)).status, 403);
    const [, delivery = ''] = /name="delivery" value="([^"]+)"/.exec(await text(desk, path)) ?? [];
    const { partnerId } = partner.partner;
    const again = await desk.post(`${path}/redeliver`, { delivery, partner: partnerId }, path);
    assert.equal(again.headers.get('location'), `${path}?done=redeliver_webhook`);
    await until('it has arrived twice', async () => {
      const [row] = await pool`select attempts, state from webhook_delivery where id = ${delivery}`;
      return row?.['attempts'] === 2 && row['state'] === 'delivered';
    });
    assert.equal((await desk.post(`${path}/cancel`, { revision: '7' }, path)).status, 409);
    const cancelled = await desk.post(`${path}/cancel`, { revision: '1' }, path);
    assert.equal(cancelled.headers.get('location'), `${path}?done=cancel_for_venue`);
    const [row] = await pool`select status from booking where id = ${id}`;
    assert.equal(row?.['status'], 'cancelled');
    assert.doesNotMatch(await text(desk, path), /The venue cannot keep the table/);
  });

  test('a venue that calls offers a free table to a guest who waits through the desk', async () => {
    const venue = await addVenue(service, { phone: '+62361777123', gather: 0 });
    const id = await partner.request(venue, { wait_until: '2026-11-20T09:00:00Z' });
    await tap(service, await linkInOutbox(service, id), { answer: 'no' });
    const path = `${PATH}/${id}`;
    assert.match(await text(desk, path), /Waits for a free table.*A table is free: offer it/s);
    assert.equal((await reviewer.post(`${path}/free`, { revision: '1' }, PATH)).status, 403);
    const offered = await desk.post(`${path}/free`, { revision: '1' }, path);
    assert.equal(offered.headers.get('location'), `${path}?done=offer_free_table`);
    const [row] = await pool`
      select b.status, o.made_by, o.time from booking b join booking_offer o on o.booking_id = b.id where b.id = ${id}`;
    assert.deepEqual({ ...row }, { status: 'offered', made_by: 'desk', time: '19:30' });
    assert.equal((await desk.post(`${path}/free`, { revision: '1' }, path)).status, 409);
  });

  test('a reviewer reads the record without the name and the note of the guest, and finds nobody by them', async () => {
    for (const path of [PATH, `${PATH}/${first}`]) {
      const page = await text(reviewer, path);
      assert.match(page, /The Long Table by the Sea/);
      assert.doesNotMatch(page, /Ada Example|quiet corner/, path);
    }
    assert.deepEqual(await listed({ q: 'ada' }, reviewer), []);
    assert.equal((await service.request(`${PATH}/${first}`)).status, 401);
  });

  test('the audit log, the stop of all bookings, the desk, the partner and the place lead there', async () => {
    const lead = await signInStaff(service, 'lead');
    const link = `href="${PATH}/${first}"`;
    assert.ok((await text(lead, `/console/audit?subject=${first}`)).includes(link));
    assert.ok((await text(desk, '/console/desk/tables')).includes(link));
    assert.ok((await text(lead, '/console/kill-switch')).includes(`href="${PATH}?status=open"`));
    assert.ok((await text(lead, `/console/places/${sea}`)).includes(`href="${PATH}?venue=${sea}"`));
    const { partnerId } = partner.partner;
    assert.ok(
      (await text(lead, `/console/partners/${partnerId}`)).includes(`href="${PATH}?partner=${partnerId}"`),
    );
    const called = await partner.request(
      await addVenue(service, { phone: '+62361700003', method: 'phone', name: 'Warung Telepon' }),
    );
    await until('the desk has to call', async () =>
      (await text(desk, '/console/desk')).includes(`href="${PATH}/${called}"`),
    );
  });

  for (const view of LOOKS)
    test(`found and opened in a browser, ${view.name}`, { skip: noBrowser }, async () => {
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await signInBrowser(page, service, await addTestStaff(service, 'lead'));
      await page.goto(service.url + PATH);
      await assertSoundPage(visit);
      await screenshot(page, `bookings ${view.name}`);
      await page.getByLabel('Venue (name or id)').fill('long table');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.locator('a[data-row]').first().click();
      await page.getByRole('heading', { name: 'Timeline' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `booking ${view.name}`);
    });
});
