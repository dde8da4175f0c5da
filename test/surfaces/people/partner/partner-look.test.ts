import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { barChart } from '../../../../src/surfaces/people/frame/bar-chart.ts';
import { nextMonth } from '../../../../src/metering/periods.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
} from '../../../harness/browser/browser.ts';
import { until } from '../../../harness/service/jobs.ts';
import { rpc } from '../../../harness/clients/mcp.ts';
import { addTestPartner, PARTNER_MCP } from '../../../harness/people/partner.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { addTestStaff, signInBrowser } from '../../../harness/people/staff.ts';

const service = await startTestService({ demoPlaces: 300, settings: { PARTNER_SIGNUPS_PER_HOUR: '1000' } });
const { pool } = service.app.deps;
const lead = await addTestStaff(service, 'lead');
const HOSTILE = `Reisen <script>alert(1)</script> & "Söhne" \u202Etxt`;

const { partnerId, email, headers } = await addTestPartner(service, { payPerCall: true });
await pool`
  update partner set name = ${HOSTILE}, company = ${HOSTILE}, use_case = ${HOSTILE.repeat(8)},
    website = 'https://reisen.example/a-long-path/that/goes/on/and/on/until-it-does-not-fit-any-more'
  where id = ${partnerId}`;
const MONTHS = [
  ['2026-07-01', 'search_places', 4_210, 0, 0],
  ['2026-08-01', 'search_places', 8_900, 0, 0],
  ['2026-09-01', 'search_places', 12_400, 2_400, 480_000],
  ['2026-10-01', 'concierge_answer', 10_950, 950, 2_850_000],
  ['2026-11-01', 'search_places', 9_998, 0, 0],
] as const;
for (const [month, tool, calls, past, cost] of MONTHS) {
  const byTool = { [tool]: [calls, past, cost] };
  await pool`
    insert into rate_window (kind, name, starts_at, ends_at, used, cost_millicents, by_tool, ceiling)
    values ('calls', ${partnerId}, ${`${month}T00:00:00Z`}, ${nextMonth(new Date(month))}, ${calls}, ${cost},
            ${pool.json(byTool)}, 10000)`;
}
for (const name of ['list_destinations', 'search_places', 'search_places', 'open_places']) {
  const params = { name, arguments: name === 'list_destinations' ? {} : { destination: 'bali', limit: 1 } };
  await rpc(service, PARTNER_MCP, { id: 1, method: 'tools/call', params }, headers);
}

async function newestLink(purpose: string, form: RegExp): Promise<string> {
  return until(`a mail about ${purpose}`, async () => {
    const [row] = await pool<{ body: string }[]>`
      select body from message where recipient = ${email} and purpose = ${purpose} order by sequence desc limit 1`;
    return form.exec(row?.body ?? '')?.[0];
  });
}

// A chart of two weeks, as the console has it: the first name is wider than its bar.
const twoWeeks = {
  title: 'Decisions a day.',
  caption: 'The last 14 days.',
  empty: '',
  every: 3,
  bars: Array.from({ length: 14 }, (_, at) => ({
    label: `${at + 10} Nov`,
    parts: [{ kind: '', value: at + 1 }],
  })),
};
const DAYS_CHART = barChart(twoWeeks).toString();

/** No label of a chart is cut off by its edge, or too small to read. */
async function assertLabelsOfCharts(page: Page): Promise<void> {
  const labels = await page.evaluate<{ text: string; left: number; right: number; px: number }[]>(
    `[...document.querySelectorAll('.chart svg')].flatMap((chart) => [...chart.querySelectorAll('text')].map((label) => {
      const { left, right } = label.getBoundingClientRect();
      const edge = chart.getBoundingClientRect();
      const scale = edge.width / chart.viewBox.baseVal.width;
      return { text: label.textContent, left: left - edge.left, right: edge.right - right,
        px: Number.parseFloat(getComputedStyle(label).fontSize) * scale };
    }))`,
  );
  assert.ok(labels.length > MONTHS.length);
  for (const { text, left, right, px } of labels)
    assert.ok(left >= 0 && right >= 0 && px >= 10, `${text}: ${left}, ${right}, ${px} px`);
}

for (const view of LOOKS) {
  test(
    `a partner proves its mailbox, reads its usage and switches pay-per-call on ${view.name}`,
    { skip: noBrowser },
    async () => {
      // Links are counted by the hour, and each view asks for one.
      service.clock.advance(60_000);
      await pool`delete from message where recipient = ${email} and purpose = 'partner_sign_in'`;
      await pool`update partner set bookings_enabled = false, email_verified_at = null where id = ${partnerId}`;
      const visit = await openBrowser(service.url, view, { script: view.name !== 'phone dark' });
      const { page } = visit;
      await page.goto(`${service.url}/partner`);
      await assertSoundPage(visit);
      await screenshot(page, `partner sign-in ${view.name}`);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Mail me a link' }).click();
      await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `partner mailbox ${view.name}`);
      await page.goto(service.url + (await newestLink('partner_sign_in', /\/partner\/sign-in\/[\w-]{43}/)));
      await assertSoundPage(visit);
      await screenshot(page, `partner link ${view.name}`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Your new partner key' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `partner new key ${view.name}`);
      await page.getByRole('link', { name: 'Your usage and limits' }).click();
      for (const name of ['Keys', 'Bookings', 'Requests', 'Overview']) {
        await page.getByRole('banner').getByRole('link', { name }).click();
        await assertSoundPage(visit);
        await screenshot(page, `partner ${name.toLowerCase()} ${view.name}`);
      }
      await page.getByRole('banner').getByRole('link', { name: 'Plan' }).click();
      await page.getByText('Calls this month (UTC)').waitFor();
      await assertSoundPage(visit);
      await assertLabelsOfCharts(page);
      await page.locator('.chart').evaluate((chart, other) => {
        (chart as unknown as { outerHTML: string }).outerHTML = other;
      }, DAYS_CHART);
      assert.equal(await page.locator('.chart rect').count(), 14);
      await assertLabelsOfCharts(page);
      await page.reload();
      await screenshot(page, `partner plan ${view.name}`);
      await page.getByLabel('Spend limit a month, in USD').fill(`${20 + VIEWS.indexOf(view)}.50`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It is saved').waitFor();
      await page.getByLabel('Spend limit a month, in USD').fill('much');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Nothing was changed').waitFor();
      visit.faults.splice(0, Infinity);
      await assertSoundPage(visit);
      await screenshot(page, `partner fault ${view.name}`);
    },
  );

  test(`the page behind the mailed key is sound on ${view.name}`, { skip: noBrowser }, async () => {
    const mine = await addTestPartner(service);
    await service.request('/api/partner/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: mine.email, name: 'Somebody' }),
    });
    const [row] = await pool<{ body: string }[]>`
      select body from message where recipient = ${mine.email} order by sequence desc limit 1`;
    const link = /\/partner\/key\/[\w-]{43}/.exec(row?.body ?? '')?.[0] ?? '';
    const visit = await openBrowser(service.url, view);
    await visit.page.goto(service.url + link);
    await assertSoundPage(visit);
    await screenshot(visit.page, `partner key ${view.name}`);
    await visit.page.getByRole('button', { name: 'Stop the old key now' }).click();
    await visit.page.getByRole('heading', { name: 'The old key no longer works' }).waitFor();
    await assertSoundPage(visit);
    await screenshot(visit.page, `partner key stopped ${view.name}`);
  });

  test(`staff see a partner and switch its bookings on ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    await signInBrowser(page, service, lead);
    await page.goto(`${service.url}/console/partners`);
    await assertSoundPage(visit);
    await screenshot(page, `console partners ${view.name}`);
    const { partnerId: unproven } = await addTestPartner(service, { proven: false });
    await page.goto(`${service.url}/console/partners/${unproven}`);
    await page.getByRole('heading', { name: 'Bookings cannot be switched on' }).waitFor();
    await assertSoundPage(visit);
    await screenshot(page, `console partner unproven ${view.name}`);
    await page.goto(`${service.url}/console/partners/${partnerId}`);
    await assertSoundPage(visit);
    await screenshot(page, `console partner ${view.name}`);
    const turn = page.getByRole('button', { name: /^Switch bookings/ });
    const before = await turn.innerText();
    await page.locator('#partner_bookings-reason').fill('The contract is signed.');
    await turn.click();
    await page.getByText('Saved. The partner is notified.').waitFor();
    assert.notEqual(await turn.innerText(), before);
    await assertSoundPage(visit);
  });
}
