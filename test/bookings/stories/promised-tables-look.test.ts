import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertSoundPage, noBrowser, openBrowser, screenshot, LOOKS } from '../../harness/browser/browser.ts';
import { until, passTime } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addTestStaff, signInBrowser } from '../../harness/people/staff.ts';
import { signInVenue } from '../../harness/people/venue.ts';
import { addVenue, AskingPartner, linkInOutbox, untilResting } from '../asking-partner.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

describe('several tables of one evening, in a browser', { skip: noBrowser }, async () => {
  const service = await startTestService({ settings: { BOOKING_READS_PER_MINUTE: '100000' } });
  const partner = await AskingPartner.add(service);
  const desk = await addTestStaff(service, 'desk');
  // Ten in the evening where the venues are: nobody is asked before the morning.
  service.clock.advance(26 * HOUR_MS);
  const placeId = await addVenue(service, { phone: '+6281765432', name: 'Warung Senja di Tepi Pantai' });
  const ids: string[] = [];
  for (const [at, name] of ['Ana Petrova', 'Budi Santoso', 'Claire Dubois'].entries())
    ids.push(
      await partner.request(placeId, {
        guest_name: name,
        time: `${18 + at}:30`,
        party_size: at + 2,
        ...(at === 1 && { notes: 'A high chair for our daughter, please' }),
      }),
    );
  for (const id of ids) await untilResting(service, id);
  await passTime(service, 12 * HOUR_MS);
  for (const id of ids) await partner.untilStatus(id, 'asking');
  const link = await until('the message', async () => {
    for (const id of ids) {
      const [row] = await service.database.pool`select 1 from message where subject_id = ${id}`;
      if (row !== undefined) return linkInOutbox(service, id);
    }
    return undefined;
  });

  for (const [round, view] of LOOKS.entries())
    test(`each is answered by itself, and shown where it can be cancelled, ${view.name}`, async () => {
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await page.goto(service.url + link);
      await page.getByRole('heading', { name: '3 tables on Friday 20 November' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `tap several ${view.name}`);
      if (round === 0) {
        const answers = page.getByRole('button', { name: 'Yes, we keep this table' });
        await answers.first().click();
        await page.getByRole('heading', { name: 'the table is booked' }).waitFor();
        assert.equal(await answers.count(), 2);
        await answers.first().click();
        await page.getByRole('heading', { name: 'the table is booked' }).nth(1).waitFor();
      }
      await screenshot(page, `tap several answered ${view.name}`);

      const venue = await signInVenue(service, placeId);
      const [[name = '', value = ''] = []] = venue.cookies;
      await page
        .context()
        .addCookies([{ name, value, url: service.url.replace('http:', 'https:'), secure: true }]);
      await page.goto(`${service.url}/venue/tables`);
      await page.getByText('We cannot keep this table').first().click();
      await page.getByText('Budi Santoso').waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `venue tables ${view.name}`);
      await page.goto(`${service.url}/venue/booking`);
      await assertSoundPage(visit);
      await screenshot(page, `venue booking ${view.name}`);

      await signInBrowser(page, service, desk);
      await page.goto(`${service.url}/console/desk`);
      await page.getByRole('link', { name: 'Confirmed tables' }).click();
      await page.getByLabel('Venue or booking').fill('senja');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByText('The venue cannot keep it').first().click();
      await assertSoundPage(visit);
      await screenshot(page, `desk tables ${view.name}`);
    });
});
