import { describe, test } from 'node:test';
import { flipSwitch } from '../../../harness/service/kill-switch.ts';
import { addVenue, AskingPartner } from '../../../bookings/asking-partner.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
} from '../../../harness/browser/browser.ts';
import { until } from '../../../harness/service/jobs.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { addTestStaff, signInBrowser } from '../../../harness/people/staff.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';

describe('the desk and the kill switch in a browser', { skip: noBrowser }, async () => {
  const service = await startTestService();
  service.clock.advance(14 * HOUR_MS);
  const partner = await AskingPartner.add(service);
  const lead = await addTestStaff(service, 'lead');
  for (const name of ['Warung Senja', 'The Long Table by the Sea', 'Kafe Pagi']) {
    const phone = name === 'Kafe Pagi' ? null : '+6281234567';
    const id = await partner.request(await addVenue(service, { phone, method: 'phone', name }), {
      notes: 'A quiet corner, please; one of us uses a wheelchair',
    });
    await until('it is on the list', async () => {
      const [row] = await service.database
        .pool`select 1 from venue_ask where booking_id = ${id} and state = 'waiting'`;
      return row !== undefined;
    });
  }

  await service.database.pool`
    insert into kill_switch_drill (by_staff, started_at, asked_at, answered_at, resumed_at, ended_at, frozen, actions,
      in_flight, last_at, after_answer)
    select ${lead.id}, t, t, t + interval '1.25 s', t + interval '6.3 s', t + interval '7 s', 41, 12, 3,
      t + interval '1.2 s', 0 from (select timestamptz '2026-11-13 08:00Z' as t) as at`;

  for (const view of LOOKS)
    test(`a call is taken and put down, and all is halted in two steps, ${view.name}`, async () => {
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await signInBrowser(page, service, lead);
      await page.goto(`${service.url}/console/desk`);
      await page.getByRole('button', { name: 'Take this call' }).first().click();
      await page.getByText('You are calling').waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `desk ${view.name}`);
      await page.getByRole('button', { name: 'release it' }).click();
      await page.getByText('Somebody else may make this call now').waitFor();
      await page.goto(`${service.url}/console/kill-switch`);
      await page.getByLabel('Reason').fill('Venues report tables that nobody asked for');
      await screenshot(page, `switch first ${view.name}`);
      await page.getByRole('button', { name: 'Stop all bookings' }).click();
      await page.getByRole('heading', { name: 'Stop all bookings now?' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `switch second ${view.name}`);
      await page.getByRole('button', { name: 'Yes, stop all bookings' }).click();
      await page.getByRole('heading', { name: 'Bookings are stopped' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `switch on ${view.name}`);
      await flipSwitch(service.app.deps, { on: false, reason: 'the next view', staffId: lead.id });
    });
});
