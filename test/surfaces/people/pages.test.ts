import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
} from '../../harness/browser/browser.ts';
import { startTestService } from '../../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 2000 });
const PAGES = [
  ['home', '/'],
  ['destination', '/d/bali'],
  ['reference', '/docs'],
  ['privacy', '/privacy'],
  ['terms', '/terms'],
  ['support', '/support'],
  ['not found', '/nowhere'],
  ['problem', '/problems/validation_failed'],
] as const;
const [phone, , desktop] = VIEWS;

for (const view of LOOKS) {
  test(`every page is sound on ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    for (const [name, path] of PAGES) {
      await visit.page.goto(service.url + path);
      // Chromium reports the status of a missing page as an error of the console, which it is not.
      if (name === 'not found') visit.faults.length = 0;
      await assertSoundPage(visit);
      await screenshot(visit.page, `${name} ${view.name}`);
    }
  });
}

test(
  'the home page lists every destination under its country, with counted places and a mark for demonstration data',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, desktop);
    await page.goto(service.url);
    const { destinations } = service.app.deps.destinations.current;
    const links = await page
      .locator('main a[href^="/d/"]')
      .evaluateAll((nodes) =>
        nodes.map((node) => (node as unknown as { getAttribute(name: string): string }).getAttribute('href')),
      );
    assert.deepEqual(new Set(links), new Set(destinations.map(({ slug }) => `/d/${slug}`)));
    assert.match(await page.locator('body').innerText(), /Demonstration data/);
  },
);

test('typing in the finder narrows the list at once', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, desktop);
  await page.goto(service.url);
  await page.locator('input[name="q"]').pressSequentially('japan');
  const shown = page.locator('#index a[href^="/d/"]:visible');
  await page.waitForFunction(
    '[...document.querySelectorAll("#index a[href^=\'/d/\']")].filter((a) => a.offsetParent !== null).length < 20',
  );
  const names = await shown.allInnerTexts();
  assert.ok(
    names.some((name) => name.includes('Tokyo')) && !names.some((name) => name.includes('Bali')),
    names.join(),
  );
});

test('the finder works without script', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, phone, { script: false });
  await page.goto(service.url);
  await page.locator('input[name="q"]').fill('tenerife');
  await page.locator('input[name="q"]').press('Enter');
  await page.waitForURL(/q=tenerife/);
  const names = await page.locator('#index a[href^="/d/"]:visible').allInnerTexts();
  assert.equal(names.length, 1);
  assert.match(names[0] ?? '', /Tenerife/);
});

test(
  'a destination is reached with the keyboard alone, and the focus can be seen',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, desktop);
    await page.goto(service.url);
    await page.keyboard.press('Tab');
    assert.match(await page.locator(':focus').innerText(), /Skip to the content/);
    await page.locator('#index a[href="/d/bali"]').focus();
    const outline = await page.locator(':focus').evaluate((node) => {
      const style = (
        globalThis as unknown as {
          getComputedStyle(node: unknown): { outlineStyle: string; outlineWidth: string };
        }
      ).getComputedStyle(node);
      return `${style.outlineStyle} ${style.outlineWidth}`;
    });
    assert.doesNotMatch(outline, /none|^\S+ 0px/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/d\/bali$/);
    assert.match(await page.locator('h1').innerText(), /Bali/);
  },
);

test(
  'a destination that is not there, and hostile text in its address, give a plain page with status 404',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, phone);
    const response = await page.goto(`${service.url}/d/${encodeURIComponent('<script>alert(1)</script>')}`);
    assert.equal(response?.status(), 404);
    assert.match(await page.locator('h1').innerText(), /not here/);
  },
);

test('a page that has not changed is not sent again', async () => {
  const first = await service.request('/', { headers: { accept: 'text/html' } });
  const etag = first.headers.get('etag') ?? '';
  const again = await service.request('/', { headers: { accept: 'text/html', 'if-none-match': etag } });
  assert.equal(again.status, 304);
});
