import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barriersIn } from '../../harness/browser/barriers.ts';
import {
  assertSoundPage,
  LOOKS,
  noBrowser,
  openBrowser,
  screenshot,
  VIEWS,
} from '../../harness/browser/browser.ts';
import { startTestService } from '../../harness/service/service.ts';
import { LONG } from '../../harness/tier.ts';

const service = await startTestService({ settings: { RESERVE: 'on' } });
const [phone, , desktop] = VIEWS;

const first = await (await service.request('/docs')).text();
const paths = [
  '/docs',
  ...new Set([...first.matchAll(/href="(\/docs\/[\w-]+)"/g)].map(([, path = '']) => path)),
];

// Every page in one view of the long tier, and in the others those that have all parts of a page.
const ALL_PARTS = ['/docs', '/docs/rest-photos', ...(LONG ? ['/docs/webhooks'] : [])];
for (const view of LOOKS)
  test(`axe finds nothing on the pages of the reference on ${view.name}`, { skip: noBrowser }, async () => {
    assert.ok(paths.length > 12);
    const visit = await openBrowser(service.url, view);
    for (const path of [
      ...(LONG && view === phone ? paths : ALL_PARTS),
      '/docs/search?q=photo',
      ...(LONG ? ['/docs/search?q=zzz'] : []),
    ]) {
      await visit.page.goto(service.url + path);
      await assertSoundPage(visit);
      assert.deepEqual(await barriersIn(visit.page), [], path);
      await screenshot(visit.page, `${path.replaceAll(/\W+/g, ' ').trim()} ${view.name}`);
    }
  });

test("the search's data is cached for ever at the address of its version, and at no other", async () => {
  const [, address = ''] = /data-index="([^"]+)"/.exec(first) ?? [];
  const cachingAt = async (path: string) => (await service.request(path)).headers.get('cache-control');
  assert.match((await cachingAt(address)) ?? '', /immutable/);
  assert.equal(await cachingAt(`${address.split('?')[0] ?? ''}?v=earlier`), 'no-cache');
});

test('the search works by keyboard alone, and after the network is gone', { skip: noBrowser }, async () => {
  const { page, context, faults } = await openBrowser(service.url, desktop);
  await page.goto(`${service.url}/docs/errors`, { waitUntil: 'networkidle' });
  await context.setOffline(true);
  await page.keyboard.press('/');
  await page.keyboard.type('callbacks');
  const hits = page.locator('.docs-search .hits a');
  await hits.first().waitFor();
  assert.match(await hits.first().innerText(), /^Callbacks for agents/);
  assert.match(await page.locator('.docs-search [role=status]').innerText(), /^\d+ found$/);
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator(':focus').getAttribute('href'), '/docs/webhooks#callbacks');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator(':focus').getAttribute('id'), 'docs-q');
  assert.equal(await hits.first().isVisible(), false);
  await context.setOffline(false);
  await page.keyboard.type(' ');
  await hits.first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/webhooks#callbacks$/);
  assert.deepEqual(faults, []);
});

test('the search works without script', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, phone, { script: false });
  await page.goto(`${service.url}/docs`);
  await page.locator('#docs-q').fill('venue_daily_cap');
  await page.locator('#docs-q').press('Enter');
  await page.waitForURL(/\/docs\/search\?q=/);
  await page.locator('.article .hits a').first().click();
  await page.waitForURL(/\/docs\/errors#error-venue_daily_cap$/);
});

test('links from before there were pages lead to the page of their topic', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, desktop);
  const links = [
    ['errors', '/docs/errors#errors'],
    ['search_places', '/docs/rest-directory#search_places'],
    ['mcp-partners-open_places', '/docs/mcp-partners#mcp-partners-open_places'],
    ['rest-photos', '/docs/rest-photos'],
    ['error-venue_daily_cap', '/docs/errors#error-venue_daily_cap'],
    ['credentials', '/docs#credentials'],
  ] as const;
  for (const [before, now] of LONG ? links : links.slice(3)) {
    await page.goto('about:blank');
    await page.goto(`${service.url}/docs#${before}`);
    await page.waitForURL(service.url + now);
  }
});
