import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  VIEWS,
} from '../../../../harness/browser/browser.ts';
import { addTestStaff, signInBrowser, signInStaff } from '../../../../harness/people/staff.ts';
import { until } from '../../../../harness/service/jobs.ts';
import { startTestService } from '../../../../harness/service/service.ts';
import { startSmtp } from '../../../../messages/smtp-receiver.ts';

const PATH = '/console/set-up';
const smtp = await startSmtp();
const service = await startTestService({
  settings: { DEMO: 'off', SMTP_URL: smtp.url, MAIL_FROM: 'desk@waypost.example' },
});

test(
  'a lead sends a test mail by keyboard and sees that the server took it',
  { skip: noBrowser },
  async () => {
    const visit = await openBrowser(service.url, VIEWS[2]);
    const { page } = visit;
    await signInBrowser(page, service, await addTestStaff(service, 'lead'));
    await page.getByRole('link', { name: 'Set up this installation' }).press('Enter');
    await page.getByLabel('Email address').fill('operator@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('The test message is on its way').waitFor();
    await until('the mail', () => smtp.mails.find(({ to }) => to.includes('operator@example.org')));
    await until('its state', async () => {
      await page.goto(service.url + PATH);
      return (await page.locator('main').innerText()).includes('Accepted by the server');
    });
    assert.ok(
      !(await page.locator('main').innerText()).includes('operator@example.org'),
      'the address is masked',
    );
    await assertSoundPage(visit);
    await screenshot(page, 'set-up tested');
  },
);

test('a refusal of the server is shown, and what is no address or no role sends nothing', async () => {
  const lead = await signInStaff(service, 'lead');
  smtp.refuse = () => ({ code: 550, message: 'no such person' });
  assert.equal((await lead.post(PATH, { channel: 'mail', to: 'nobody@example.org' })).status, 303);
  await until('the failure', async () => (await (await lead.get(PATH)).text()).includes('Failed'));
  const asked = smtp.asked.length;
  const wrong = await lead.post(PATH, { channel: 'mail', to: 'not an address' });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /Give a complete address/);
  assert.equal((await lead.post(PATH, { channel: 'pigeon', to: 'a@example.org' })).status, 422);
  const desk = await signInStaff(service, 'desk');
  assert.equal((await desk.post(PATH, { channel: 'mail', to: 'a@example.org' })).status, 403);
  assert.equal(smtp.asked.length, asked);
});
