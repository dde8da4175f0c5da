import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redeemLinkCode } from '../../../src/members/member-link.ts';
import { addMadeUpPlace } from '../../directory/made-up-place.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  type Visit,
} from '../../harness/browser/browser.ts';
import { barriersIn } from '../../harness/browser/barriers.ts';
import { makeTable } from '../../harness/people/member.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { startTestService } from '../../harness/service/service.ts';
import { codeIn, lastMessage } from '../../harness/people/submissions.ts';
import { DAY_MS } from '../../../src/core/time.ts';

const service = await startTestService({ settings: { BASE_URL: 'http://127.0.0.1' } });
const { pool } = service.database;
const { partnerId } = await addTestPartner(service);
const placeId = await addMadeUpPlace(pool, service.clock, { name: 'Warung Senja' });

/** Joins as a person does, and gives who that is. */
async function join({ page }: Visit, email: string, shot: (step: string) => Promise<void>): Promise<string> {
  await page.goto(`${service.url}/`);
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await shot('mailbox');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
  const code = codeIn((await lastMessage(service, 'member_code'))?.text ?? '');
  await page.getByLabel('Code', { exact: true }).fill(code === '000000' ? '000001' : '000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You have 4 tries left').waitFor();
  await shot('wrong code');
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ana, +62 812 3456 7890');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('Venues receive only a name').waitFor();
  await shot('name refused');
  await page.getByLabel('Name', { exact: true }).fill('Ana P.');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'Hello, Ana P.' }).waitFor();
  await shot('no tables');
  const [row] = await pool<{ id: string }[]>`select id from member where email = ${email}`;
  return row?.id ?? '';
}

for (const [i, view] of LOOKS.entries())
  test(
    `a member joins, links a partner, rates a table and is forgotten: ${view.name}`,
    { skip: noBrowser },
    async () => {
      // One view goes without script, because every page works without it.
      const visit = await openBrowser(service.url, view, { script: i !== 0 });
      const { page, faults } = visit;
      const sound = async (step: string) => {
        // The browser tells of refused forms, which are meant to be refused here.
        faults.splice(0, Infinity, ...faults.filter((fault) => !/status of 422/.test(fault)));
        await assertSoundPage(visit);
        // axe waits for timers, which do not run without script.
        if (i !== 0) assert.deepEqual(await barriersIn(page), [], step);
        await screenshot(page, `member ${step} ${view.name}`);
      };
      const memberId = await join(visit, `ana-${i}@member.example`, sound);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners' }).click();
      await page.getByRole('button', { name: 'Show me a code' }).click();
      const code = await page.locator('.link-code').innerText();
      await sound('link code');
      const now = service.clock.now();
      assert.ok(await redeemLinkCode(pool, { memberId, partnerId, code, now }));
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners' }).click();
      await sound('linked');

      const member = { memberId, displayName: 'Ana P.' };
      const table = { member, placeId, partnerId };
      await makeTable(service, table);
      await makeTable(service, { ...table, agoMs: -2 * DAY_MS });
      await makeTable(service, { ...table, status: 'asking', agoMs: -DAY_MS });
      await makeTable(service, { ...table, status: 'declined', agoMs: -DAY_MS / 2 });
      await makeTable(service, { ...table, status: 'declined', agoMs: DAY_MS });
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Your tables' }).click();
      await sound('tables');
      const upcoming = await page.locator('section:has(#upcoming) .table-when .badge').allInnerTexts();
      assert.deepEqual(upcoming, ['Asked', 'Confirmed'], 'the next table comes first');
      const past = await page.locator('section:has(#past) .table-when .badge').allInnerTexts();
      assert.deepEqual(past, ['Declined', 'Confirmed', 'Declined'], 'the latest comes first');
      const confirmed = page.locator('.own-card').filter({ hasText: 'Confirmed' });
      await confirmed.getByRole('link', { name: /^Open/ }).click();
      await page.getByRole('heading', { name: 'What happened so far' }).waitFor();
      await sound('one table');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Your tables' }).click();
      await page.getByRole('link', { name: 'Rate it' }).click();
      await page.getByRole('group', { name: /How was it/ }).waitFor();
      await page.getByText('4 ★').click();
      await page.getByRole('button', { name: 'Rate' }).click();
      await page.getByText('Your rating counts').waitFor();
      assert.ok(await page.getByRole('radio', { name: '4 of 5 stars' }).isChecked());
      await sound('rated');

      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners' }).click();
      await page.getByRole('button', { name: 'Unlink Test Partner' }).click();
      await page.getByText('is unlinked').waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' }).click();
      await page.getByRole('link', { name: 'Forget me' }).click();
      await page.getByRole('button', { name: 'Forget me for good' }).click();
      await page.getByText('Tick the box').waitFor();
      await sound('forget');
      await page.getByLabel('Yes, forget me').check();
      await page.getByRole('button', { name: 'Forget me for good' }).click();
      await page.getByRole('heading', { name: 'Your account is erased' }).waitFor();
      await sound('forgotten');
      const [row] = await pool`select email, display_name from member where id = ${memberId}`;
      assert.deepEqual(row, { email: null, display_name: null });
    },
  );
