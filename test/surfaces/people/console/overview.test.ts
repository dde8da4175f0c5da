import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../../src/core/time.ts';
import { addVenue, AskingPartner, linkInOutbox } from '../../../bookings/asking-partner.ts';
import { noBrowser, openBrowser, screenshot, VIEWS } from '../../../harness/browser/browser.ts';
import { addTestStaff, signInBrowser, signInStaff, submitBusiness } from '../../../harness/people/staff.ts';
import { signUpAgent, startTestService } from '../../../harness/service/service.ts';

const service = await startTestService();
const { pool } = service.app.deps;
const { apiKey } = await signUpAgent(service);
const first = await submitBusiness(service, apiKey, { name: 'Kopi Tujuh', external_ref: 'one' });
service.clock.advance(2 * DAY_MS);
await submitBusiness(service, apiKey, { name: 'Rumah Selancar', external_ref: 'two' });
const partner = await AskingPartner.add(service);
const booking = await partner.request(await addVenue(service, { email: 'senja@venue.example' }));
await linkInOutbox(service, booking, 'mail');

/** The number beside a queue, in its card and in the navigation. */
function countsOf(page: string, title: string): (string | undefined)[] {
  const card = new RegExp(
    `board-${title.toLowerCase()}">\\s*<a[^>]*>${title}</a>\\s*<span class="count">([^<]+)<`,
  );
  const nav = new RegExp(`<span>${title}</span\\s*>\\s*<span class="count">([^<]+)<`);
  return [card.exec(page)?.[1], nav.exec(page)?.[1]];
}

test('the overview tells what waits in each queue, since when, and leads to it', async () => {
  const desk = await signInStaff(service, 'desk');
  const page = await (await desk.get('/console')).text();
  assert.deepEqual(countsOf(page, 'Review'), ['2', '2']);
  assert.deepEqual(countsOf(page, 'Bookings'), ['1', '1']);
  assert.deepEqual(countsOf(page, 'Outbox'), ['1', '1']);
  assert.deepEqual(countsOf(page, 'Photos'), ['0', undefined]);
  assert.match(page, /The oldest for 2 d 0 h/);
  for (const path of [`/console/review/${first}`, `/console/bookings/${booking}`]) {
    assert.ok(page.includes(`href="${path}"`), path);
    assert.equal((await desk.get(path)).status, 200);
  }
  assert.doesNotMatch(page, /console\/staff"/, 'pages for leads are not offered to the desk');
});

test('a webhook that was not accepted is counted, and listed with its partner', async () => {
  const reviewer = await signInStaff(service, 'reviewer');
  await pool`
    insert into webhook_delivery (id, partner_id, booking_id, sequence, event, data, attempts, last_http_status,
      created_at, first_attempt_at, last_attempt_at, next_attempt_at)
    select 'msg_' || repeat('0', 26), partner_id, id, 99, 'asking', '{}', 2, 503, created_at, created_at, created_at,
           created_at + interval '1 hour'
    from booking where id = ${booking}`;
  const overview = await (await reviewer.get('/console')).text();
  assert.deepEqual(countsOf(overview, 'Deliveries'), ['1', '1']);
  assert.match(overview, /href="\/console\/deliveries\?state=failing"/);
  const failing = await (await reviewer.get('/console/deliveries?state=failing')).text();
  assert.match(failing, /HTTP 503/);
  assert.ok(failing.includes('Warung Senja') && failing.includes(`/console/bookings/${booking}`));
  const accepted = await (await reviewer.get('/console/deliveries?state=delivered&before=nonsense')).text();
  assert.match(accepted, /No delivery is in this state/);
});

test('any page is two keys away: the palette opens, narrows and goes', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.url, VIEWS[2]);
  const { page } = visit;
  await signInBrowser(page, service, await addTestStaff(service, 'lead'));
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  await palette.getByRole('link', { name: 'Partners' }).waitFor();
  await page.keyboard.type('stop');
  await screenshot(page, 'console palette');
  assert.deepEqual(await palette.getByRole('link').allInnerTexts(), ['Stop bookings']);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/kill-switch');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('warung senja');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/places?q=warung+senja');
  assert.deepEqual(visit.faults, []);
});

test(
  'on a phone the menu opens under the name of the page without scripts, and a desktop shows it whole',
  { skip: noBrowser },
  async () => {
    const lead = await addTestStaff(service, 'lead');
    const signedIn = await openBrowser(service.url, VIEWS[0]);
    await signInBrowser(signedIn.page, service, lead);
    for (const view of [VIEWS[0], VIEWS[2]]) {
      const { page, context } = await openBrowser(service.url, view, { script: false });
      await context.addCookies(await signedIn.context.cookies());
      await page.goto(`${service.url}/console/audit`);
      const menu = page.getByRole('navigation', { name: 'Console' });
      const staffLink = menu.getByRole('link', { name: 'Staff' });
      if (view.touch) {
        assert.equal(await staffLink.isVisible(), false, 'it covers nothing until it is asked for');
        assert.match(await menu.innerText(), /^Audit\s*$/);
        const about = page.getByLabel('About (id)');
        assert.equal(await about.isVisible(), false, 'the list comes before its filters');
        await page.locator('.filter-switch summary').click();
        assert.equal(await about.isVisible(), true);
        await menu.locator('summary').click();
        await screenshot(page, 'console menu open');
      }
      assert.match(await menu.innerText(), /To do[^]*Directory[^]*System/);
      await staffLink.click();
      await page.getByRole('heading', { name: 'Staff' }).waitFor();
    }
  },
);
