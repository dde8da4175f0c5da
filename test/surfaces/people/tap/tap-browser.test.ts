import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addVenue, AskingPartner, linkIn } from '../../../bookings/asking-partner.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
} from '../../../harness/browser/browser.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { LONG } from '../../../harness/tier.ts';
import { startSmtp } from '../../../messages/smtp-receiver.ts';

/** Long words, another script, a clock of twelve hours; and what to press for the form of an offer. */
const LANGUAGES = [
  ['DE', 'de', 'Andere Zeit anbieten'],
  ['ID', 'id', 'Tawarkan waktu lain'],
  ['JP', 'ja', '別の時間を提案する'],
  ['GR', 'el', 'Πρόταση άλλης ώρας'],
] as const;

describe('a venue answers in its browser', { skip: noBrowser }, async () => {
  const smtp = await startSmtp();
  const service = await startTestService({
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'post@waypost.example', BOOKING_READS_PER_MINUTE: '100000' },
  });
  const partner = await AskingPartner.add(service);
  let venues = 0;

  async function ask(made: { country?: string; languages?: string[] } = {}) {
    const email = `table-${++venues}@venue.example`;
    const placeId = await addVenue(service, { email, name: 'Warung Senja di Tepi Pantai', ...made });
    const bookingId = await partner.request(placeId, { notes: 'By the window, if you can' });
    const link = await linkIn(smtp, email);
    await partner.untilStatus(bookingId, 'asking');
    return { bookingId, url: service.url + link };
  }

  for (const view of LOOKS)
    test(`it reads, answers and takes back, ${view.name}`, async () => {
      const { bookingId, url } = await ask();
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await page.goto(url);
      await assertSoundPage(visit);
      await screenshot(page, `tap question ${view.name}`);
      await page.getByText('Offer another time').click();
      await page.getByText('Please stop asking us').click();
      await screenshot(page, `tap opened ${view.name}`);
      await page.getByRole('button', { name: 'Yes, we keep this table' }).click();
      await page.getByRole('heading', { name: 'the table is booked' }).waitFor();
      assert.equal((await partner.status(bookingId)).status, 'confirmed');
      await assertSoundPage(visit);
      await screenshot(page, `tap answered ${view.name}`);
      await page.getByRole('button', { name: 'undo' }).click();
      await page.getByRole('heading', { name: 'Do you have this table?' }).waitFor();
      assert.equal((await partner.status(bookingId)).status, 'asking');
    });

  for (const [country, lang, open] of LONG ? LANGUAGES : LANGUAGES.slice(0, 1))
    for (const view of LOOKS)
      test(`it reads its own language and can change to English, ${lang}, ${view.name}`, async () => {
        const { url } = await ask({ country, languages: [] });
        const visit = await openBrowser(service.url, view);
        const { page } = visit;
        await page.goto(url);
        assert.equal(await page.locator('html').getAttribute('lang'), lang);
        await assertSoundPage(visit);
        await page.getByText(open).click();
        await screenshot(page, `tap ${lang} ${view.name}`);
        await page.getByRole('link', { name: 'English' }).click();
        await page.getByRole('heading', { name: 'Do you have this table?' }).waitFor();
        await page.getByRole('button', { name: 'Yes, we keep this table' }).click();
        await page.getByRole('heading', { name: 'the table is booked' }).waitFor();
        await page.locator('.language a').click();
        await page.locator(`html[lang=${lang}]`).waitFor();
        await assertSoundPage(visit);
        await screenshot(page, `tap ${lang} answered ${view.name}`);
      });

  test('one thumb is enough: every answer is a large target, and one tap offers a nearby time', async () => {
    const { bookingId, url } = await ask();
    const { page } = await openBrowser(service.url, VIEWS[0], { script: false });
    await page.goto(url);
    for (const name of ['Yes, we keep this table', 'No, we are full']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      assert.ok(box !== null && box.height >= 44 && box.width > 300, name);
    }
    const yes = await page.getByRole('button', { name: 'Yes, we keep this table' }).boundingBox();
    assert.ok(yes !== null && yes.y + yes.height < 844, 'the answer is on the first screen');
    await page.getByText('Offer another time').click();
    await page.getByRole('button', { name: '20:00' }).click();
    await page.getByRole('heading', { name: 'we pass it on' }).waitFor();
    const { status, offer } = await partner.status(bookingId);
    assert.deepEqual([status, offer?.time], ['offered', '20:00']);
  });

  test('a day and a time of its own are offered without a script too', async () => {
    const { bookingId, url } = await ask();
    const { page } = await openBrowser(service.url, VIEWS[0], { script: false });
    await page.goto(url);
    await page.getByText('Offer another time').click();
    await page.getByLabel('Another day').fill('2026-11-21');
    await page.getByLabel('Time', { exact: true }).fill('18:45');
    await page.getByRole('button', { name: 'Offer this' }).click();
    await page.getByRole('heading', { name: 'we pass it on' }).waitFor();
    const { offer } = await partner.status(bookingId);
    assert.deepEqual([offer?.date, offer?.time], ['2026-11-21', '18:45']);
  });
});
