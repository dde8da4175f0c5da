import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
} from '../../harness/browser/browser.ts';
import { sharedService } from '../../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 3000 });
const { pool } = service.database;
const [phone, , desktop] = VIEWS;
const ACCEPT = { headers: { accept: 'text/html' } };
const WEIGHT_MAX = 100_000;

interface Row {
  id: string;
  name: string;
  vertical: string;
  area: string | null;
  lat: number | null;
}
const rows = await pool<Row[]>`
  select p.id, p.name, p.vertical, p.area, p.lat from place p join destination d on d.id = p.destination_id
  where d.slug = 'bali' and p.closed_at is null`;
/** Other files may have approved a place without a position. */
const onMap = rows.filter(({ lat }) => lat !== null).length;
const byId = new Map(rows.map((row) => [row.id, row]));

async function listed(page: Page): Promise<Row[]> {
  const hrefs = await page
    .locator('.places h3 a')
    .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname));
  return hrefs.map((href) => byId.get(href.slice('/p/'.length)) ?? assert.fail(`${href} is not in Bali`));
}

for (const view of LOOKS) {
  test(`a destination is sound on ${view.name}, whatever is asked of it`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    for (const [name, path] of [
      ['whole', '/d/bali'],
      ['narrowed', '/d/bali?category=restaurant&open=1'],
      ['empty', '/d/bali?q=zzzzqqq&open=1&area=Ubud'],
      ['inland', '/d/paris'],
    ] as const) {
      await visit.page.goto(service.url + path);
      await assertSoundPage(visit);
      await screenshot(visit.page, `destination ${name} ${view.name}`);
    }
  });
}

test(
  'the words in the box narrow the list, with the keyboard alone and without script',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, phone, { script: false });
    await page.goto(`${service.url}/d/bali`);
    const [first] = await listed(page);
    await page.locator('#q').fill(first?.name ?? '');
    await page.locator('#q').press('Enter');
    await page.waitForURL(/q=/);
    assert.equal((await listed(page))[0]?.id, first?.id);
    assert.equal(await page.locator('#q').inputValue(), first?.name);
  },
);

test('kind and area compose, and the form keeps what was chosen', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, desktop, { script: false });
  const sample = rows.find(({ vertical, area }) => vertical === 'restaurant' && area !== null);
  assert.ok(sample?.area);
  await page.goto(`${service.url}/d/bali`);
  await page.locator('#category').selectOption('restaurant');
  await page.locator('#area').selectOption(sample.area);
  await page.locator('.search .button').click();
  await page.waitForURL(/category=restaurant/);
  const found = await listed(page);
  assert.ok(found.length > 0);
  for (const { vertical, area } of found) assert.deepEqual([vertical, area], ['restaurant', sample.area]);
  assert.equal(await page.locator('#category').inputValue(), 'restaurant');
  assert.equal(await page.locator('#area').inputValue(), sample.area);
  const expected = rows.filter(({ vertical, area }) => vertical === 'restaurant' && area === sample.area);
  assert.match(await page.locator('.found').innerText(), new RegExp(`^${expected.length} place`));
});

test('a filter applies as soon as it is chosen, and can be taken back', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, phone);
  await page.goto(`${service.url}/d/bali`);
  const area = rows.find((row) => row.area !== null)?.area ?? assert.fail('no area');
  await page.locator('#area').selectOption(area);
  await page.waitForURL(/area=/);
  assert.ok((await listed(page)).every((place) => place.area === area));
  await page.locator('#area').selectOption('');
  await page.waitForURL(/area=(?:&|$)/);
  assert.equal(await page.locator('#area').inputValue(), '');
});

test(
  'the first result is near for the Tab key, and three are on the first screen',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, desktop);
    await page.goto(`${service.url}/d/bali`);
    const isFirst = () => page.evaluate<boolean>(`document.activeElement.matches('.place:first-child h3 a')`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.ok(await isFirst());
    await page.goto(`${service.url}/d/bali?q=bar`);
    for (let tabs = 0; tabs < 6 && !(await isFirst()); tabs++) await page.keyboard.press('Tab');
    assert.ok(await isFirst(), 'six presses of the Tab key');
    await page.goBack();
    const bottoms = await page
      .locator('.place')
      .evaluateAll((places) =>
        places.map(
          (place) =>
            (place as unknown as { getBoundingClientRect(): { bottom: number } }).getBoundingClientRect()
              .bottom,
        ),
      );
    assert.ok((bottoms[2] ?? Infinity) < 900, String(bottoms.slice(0, 3)));
    const narrow = await openBrowser(service.url, phone);
    await narrow.page.goto(`${service.url}/d/bali`);
    const box = await narrow.page.locator('.place').first().boundingBox();
    assert.ok(box !== null && box.y + box.height < phone.height, JSON.stringify(box));
  },
);

test('every place comes exactly once over the pages, without script', async () => {
  const seen: string[] = [];
  const linkOf = (markup: string, rel: string) =>
    new RegExp(`<a\\s(?=[^>]*\\brel="${rel}")[^>]*\\bhref="([^"]+)"`)
      .exec(markup)?.[1]
      ?.replaceAll('&amp;', '&');
  let markup = '';
  let turned = 0;
  for (let path: string | undefined = '/d/bali'; path !== undefined; path = linkOf(markup, 'next')) {
    turned += 1;
    if (turned > 1) assert.match(path, new RegExp(`page=${turned}\\b`));
    markup = await (await service.request(path.replace(/#.*/, ''), ACCEPT)).text();
    seen.push(...[...markup.matchAll(/<h3>[^]*?<a href="\/p\/(\w+)/g)].map(([, id = '']) => id));
  }
  assert.ok(turned > 1);
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(new Set(seen), new Set(byId.keys()));
  assert.equal(linkOf(markup, 'first'), '/d/bali');
});

test('a cursor that is not ours leads back to the first page of the same search', async () => {
  const response = await service.request('/d/bali?q=bar&cursor=nonsense&page=7', {
    ...ACCEPT,
    redirect: 'manual',
  });
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('location'), '/d/bali?q=bar');
});

test(
  'open now shows only places that are known to be open, and says until when',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, phone, { script: false });
    await page.goto(`${service.url}/d/bali`);
    await page.locator('input[name=open]').check();
    await page.locator('.search .button').click();
    await page.waitForURL(/open=1/);
    const states = await page.locator('.place .state').allInnerTexts();
    assert.ok(states.length > 0);
    for (const state of states) assert.match(state, /Open now/);
  },
);

test('every filter is whole on a phone, and "Open now" is the first', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, phone);
  await page.goto(`${service.url}/d/bali?category=restaurant`);
  const filters = page.locator('.filters > *');
  assert.match(await filters.first().innerText(), /Open now/);
  for (const filter of await filters.all()) {
    const { x = 0, width = 0 } = (await filter.boundingBox()) ?? {};
    assert.ok(x >= 0 && x + width <= phone.width, `from ${x} to ${x + width}`);
  }
});

test('nothing found says what to do, and each way out finds something', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, phone);
  await page.goto(`${service.url}/d/bali?q=zzzzqqq&area=Ubud`);
  const ways = await page.locator('.empty a').allInnerTexts();
  assert.equal(ways.length, 3);
  await page.locator('.empty a', { hasText: 'Leave out the words' }).click();
  await page.waitForURL(/\?area=Ubud$/);
  assert.ok((await listed(page)).length > 0);
});

/** How many places each mark of a map stands for. */
function placesOf(marks: unknown[]): number[] {
  return marks.map((mark) => Number((mark as { dataset: Record<string, string> }).dataset['places']));
}

test('without script the map is a picture with every result in it', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, desktop, { script: false });
  await page.goto(`${service.url}/d/bali`);
  const sizes = await page.locator('.stage g.spot').evaluateAll(placesOf);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    onMap,
  );
  assert.equal(await page.locator('.list-number').first().innerText(), '1');
  assert.equal(await page.locator('.stage .numbered text').filter({ hasText: /^1$/ }).count(), 1);
  assert.ok(await page.locator('.locator svg').isVisible());
});

for (const view of LOOKS) {
  test(
    `on ${view.name} the map moves once it is near the window, with clusters that open`,
    { skip: noBrowser },
    async () => {
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await page.goto(`${service.url}/d/bali`);
      await page.locator('.results-map').scrollIntoViewIfNeeded();
      await page.locator('.pin').first().waitFor();
      const sizes = await page.locator('.pin span').evaluateAll(placesOf);
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        onMap,
      );
      const listedNumbers = await page.locator('.list-number').allInnerTexts();
      const onPins = (await page.locator('.pin.numbered').allInnerTexts()).map(Number);
      assert.ok(onPins.includes(1), 'the best place of the list has its number on the map');
      for (const number of onPins) assert.ok(listedNumbers.includes(String(number)));
      await page.locator('.pin.many').first().focus();
      const cluster = await page.locator('.pin.many').first().elementHandle();
      await page.keyboard.press('Enter');
      // The marks are drawn anew for the new scale, so the old one goes.
      await cluster.waitForElementState('hidden');
      await page.locator('.pin:not(.many)').first().focus();
      await page.keyboard.press('Enter');
      const link = page.locator(':is(.leaflet-popup, .map-card) a[href^="/p/"]').first();
      await link.waitFor();
      assert.ok(byId.has((await link.getAttribute('href'))?.slice('/p/'.length) ?? ''));
      // A picture of the whole page changes the size of the window, upon which the marks are drawn anew: so it comes last.
      await screenshot(page, `moving map popup ${view.name}`);
      await assertSoundPage(visit);
    },
  );
}

test('a hostile name is text in the list, on the map and in its data', { skip: noBrowser }, async () => {
  const hostile = `</script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">\u202Egnp`;
  const [victim] = rows;
  await pool`update place set name = ${hostile} where id = ${victim?.id ?? ''}`;
  await service.app.deps.places.follow();
  const visit = await openBrowser(service.url, desktop);
  const { page } = visit;
  const asked = new URLSearchParams({ q: `"><script>document.title='owned'</script>` }).toString();
  await page.goto(`${service.url}/d/bali?${asked}`);
  await assertSoundPage(visit);
  await page.goto(`${service.url}/d/bali?q=${encodeURIComponent(hostile)}`);
  assert.ok((await page.locator('.places h3').first().innerText()).includes('</script><script>'));
  await page.locator('.results-map').scrollIntoViewIfNeeded();
  await page.locator('.pin').first().waitFor();
  await page.locator('.pin').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.leaflet-popup').waitFor();
  assert.notEqual(await page.title(), 'owned', 'no script of the name runs');
  await assertSoundPage(visit);
  await pool`update place set name = ${victim?.name ?? ''} where id = ${victim?.id ?? ''}`;
  await service.app.deps.places.follow();
});

test('the page with its map stays below 150 kB, on a phone below 100 kB', { skip: noBrowser }, async () => {
  for (const [view, most] of [
    [desktop, 1.5 * WEIGHT_MAX],
    [phone, WEIGHT_MAX],
  ] as const) {
    const received = await weightOf(view);
    assert.ok(received > 20_000 && received < most, `${received} bytes on ${view.name}`);
  }
});

async function weightOf(view: (typeof VIEWS)[number]): Promise<number> {
  const { page, context } = await openBrowser(service.url, view);
  const session = await context.newCDPSession(page);
  let received = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (received += encodedDataLength));
  await session.send('Network.enable');
  await page.goto(`${service.url}/d/tokyo`, { waitUntil: 'networkidle' });
  return received;
}

test('every search of a destination is a view of one address', async () => {
  const whole = await (await service.request('/d/bali', ACCEPT)).text();
  const narrowed = await (await service.request('/d/bali?q=bar', ACCEPT)).text();
  for (const markup of [whole, narrowed])
    assert.match(markup, /<link rel="canonical" href="https:\/\/waypost\.example\/d\/bali"/);
  assert.doesNotMatch(whole, /noindex/);
  assert.match(narrowed, /noindex/);
  assert.match(whole, /<meta property="og:title" content="Bali, Indonesia"/);
});
