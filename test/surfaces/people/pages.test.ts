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
import { barriersIn } from '../../harness/browser/barriers.ts';
import { LONG } from '../../harness/tier.ts';
import { startTestService } from '../../harness/service/service.ts';
import { callerGroup } from '../../../src/core/text/address-group.ts';
import { AppError } from '../../../src/core/errors.ts';
import { Visitors } from '../../../src/surfaces/people/person/visitors.ts';

const visitors = new Visitors({ enter: () => Promise.resolve({ waitSeconds: 7 }) });
const service = await startTestService({
  demoPlaces: 3000,
  mount: (http) => {
    http.get('/over', () => {
      throw new AppError('link_expired', 'This link has been used.');
    });
    http.get('/busy', () => {
      throw new AppError('maintenance', 'The search index is being rebuilt.', { retryAfterSeconds: 5 });
    });
    http.get('/crowded', (request) => visitors.enter(callerGroup(request)));
  },
});
/** Each with the status that it is sent with. */
const PAGES = [
  ['home', '/'],
  ['found', '/?q=usa'],
  ['nothing found', '/?q=zzzz'],
  ['destination', '/d/bali'],
  ['reference', '/docs'],
  ['privacy', '/privacy'],
  ['terms', '/terms'],
  ['support', '/support'],
  ['destination without a match', '/d/bali?q=zzzzqqq&area=Ubud'],
  ['closures', '/closures'],
  ['partners', '/partner'],
  ['venues', '/venue'],
  ['not found', '/nowhere', 404],
  ['over', '/over', 410],
  ['crowded', '/crowded', 429],
  ['busy', '/busy', 503],
  ['problem', '/problems/validation_failed'],
] as const;
/** Pages that are made like another of the list, so that `npm test` looks for barriers on that one alone. */
const LIKE_OTHERS = new Set<string>([
  ...['nothing found', 'terms', 'support', 'destination without a match'],
  ...['over', 'crowded', 'busy'],
]);
const [phone, , desktop] = VIEWS;

for (const view of LOOKS) {
  test(`every page is sound, and axe finds nothing on it, on ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    for (const [name, path, status = 200] of PAGES) {
      assert.equal((await visit.page.goto(service.url + path))?.status(), status, path);
      // Chromium reports the status of a missing page as an error of the console, which it is not.
      if (status !== 200) visit.faults.length = 0;
      await assertSoundPage(visit);
      // A search changes the head of the home page alone; the reference is gone through by a test of its own.
      if (path !== '/docs' && (LONG || !LIKE_OTHERS.has(name)))
        assert.deepEqual(
          await barriersIn(visit.page, path.startsWith('/?q=') ? '.opening' : 'html'),
          [],
          visit.page.url(),
        );
      await screenshot(visit.page, `${name} ${view.name}`);
    }
  });
}

test(
  'the attribution and the links of the footer share a desk between them',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, desktop);
    await page.goto(`${service.url}/support`);
    const { width = 0 } = (await page.locator('footer .attribution').boundingBox()) ?? {};
    assert.ok(width > 400, `the attribution is ${width} pixels wide`);
  },
);

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
    // The rows of the first destination lead to its page with a filter.
    const pages = links.map((link) => link.replace(/\?.*/, ''));
    assert.deepEqual(new Set(pages), new Set(destinations.map(({ slug }) => `/d/${slug}`)));
    assert.match(await page.locator('body').innerText(), /Demonstration data/);
  },
);

test('suggestions appear under the box while typing', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, desktop);
  await page.goto(service.url);
  await page.locator('input[name="q"]').pressSequentially('japan');
  await page.waitForURL(/\?q=japan$/);
  await page.locator('.finds a[href="/d/tokyo"]').waitFor();
  assert.equal(await page.locator('.finds a[href="/d/bali"]').count(), 0);
  await page.locator('input[name="q"]').fill('');
  await page.locator('.finds:empty').waitFor({ state: 'attached' });
  await page.waitForURL((url) => !url.searchParams.has('q'));
});

test(
  'suggestions complete a name, the kind it names first, and lie over the page',
  { skip: noBrowser },
  async () => {
    const { pool } = service.database;
    const rename = async (slug: string, name: string, kind: string, source: string, prominence: number) => {
      const [row] = await pool<{ id: string }[]>`
      update place set name = ${name}, names = '{}', vertical = 'other', category = ${kind}, categories = '{}', source = ${source},
        prominence = ${prominence}, rating = null, review_count = 0
      where id = (select p.id from place p join destination d on d.id = p.destination_id
        where d.slug = ${slug} and p.closed_at is null and p.category = 'restaurant' and p.name not like 'Zorb%' limit 1)
      returning id`;
      return row?.id ?? '';
    };
    await rename('tokyo', 'Zorbello', 'supermarket', 'demo', 90);
    const casino = await rename('tokyo', 'Zörbello de Paris', 'zorbello', 'demo', 10);
    const fictional = await rename('tokyo', 'Zorbello du Lac', 'hotel', 'demo', 80);
    const real = await rename('tokyo', 'Zorbello du Lac', 'hotel', 'osm', 40);
    await service.app.deps.places.follow();
    const find = async (q: string) => {
      const text = await (await service.request(`/find?q=${encodeURIComponent(q)}`)).text();
      return [...text.matchAll(/href="\/p\/(\w+)"/g)].map(([, id]) => id);
    };
    assert.deepEqual((await find('zorbello d')).slice(0, 3), [real, fictional, casino]);
    assert.deepEqual((await find('zorbello de p'))[0], casino);
    assert.equal((await find('zorbello'))[0], casino, 'one of the kind comes before a shop with its name');
    const { page } = await openBrowser(service.url, phone);
    await page.goto(service.url);
    const heading = page.locator('#doors-title');
    const before = await heading.boundingBox();
    await page.locator('input[name="q"]').pressSequentially('resta');
    await page.locator('.finds a[href="/?q=restaurant"]').waitFor();
    assert.deepEqual(await heading.boundingBox(), before, 'nothing moves');
    await page.locator('h1').click();
    await page.locator('.finds').waitFor({ state: 'hidden' });
    await page.locator('input[name="q"]').click();
    await page.locator('.finds a[href="/?q=restaurant"]').click();
    await page.waitForURL(/\?q=restaurant$/);
  },
);

test('suggestions read a text as the search does: an area or destination of this name first, and a landmark that is not typed whole', async () => {
  const { pool } = service.database;
  const inTokyo = async (kind: string, count: number) => {
    const rows = await pool<{ id: string }[]>`
      select p.id from place p join destination d on d.id = p.destination_id
      where d.slug = 'tokyo' and p.closed_at is null and p.lat is not null and p.category = ${kind} and p.name not ilike 'zorb%'
      order by p.id desc limit ${count}`;
    return rows.map(({ id }) => id);
  };
  const [landmark = assert.fail(), ...restaurants] = await inTokyo('restaurant', 4);
  await pool`update place set name = 'Hôtel Quuxley Gardens', names = '{}', vertical = 'hotel', category = 'hotel', categories = '{}' where id = ${landmark}`;
  await pool`update place set area = 'Quuxburgh', areas = '{Quuxburgh}' where id = any(${restaurants})`;
  await service.app.deps.places.follow();
  const find = async (q: string) => {
    const text = await (await service.request(`/find?q=${encodeURIComponent(q)}`)).text();
    return [...text.matchAll(/class="entry" href="([^"]+)"/g)].map(([, href = '']) => href);
  };
  assert.equal((await find('tokyo'))[0], '/d/tokyo');
  assert.equal((await find('quuxburgh'))[0], '/d/tokyo?area=Quuxburgh');
  assert.ok((await find('quuxb')).includes('/d/tokyo?area=Quuxburgh'));
  for (const [typed, whole] of [
    ['restaurants near hotel quux', 'restaurants near Hôtel Quuxley Gardens'],
    ['restaurants in quuxb', 'restaurants in Quuxburgh'],
    ['restaurants in tok', 'restaurants in Tokyo'],
  ] as const) {
    const [first = '', ...places] = await find(typed);
    assert.equal(new URLSearchParams(first.slice(2)).get('q'), whole);
    const search = await service.request(first, { redirect: 'manual' });
    const page = await (await service.request(search.headers.get('location') ?? first)).text();
    const [place = assert.fail(`${typed} finds no place`)] = places;
    assert.ok(page.includes(place.replace(/\?.*/, '')), `${whole} leads to the places under it`);
  }
});

test('the finder works without script', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, phone, { script: false });
  await page.goto(service.url);
  await page.locator('input[name="q"]').fill('spain');
  await page.locator('input[name="q"]').press('Enter');
  await page.waitForURL(/q=spain/);
  assert.match((await page.locator('.finds a').allInnerTexts()).join(), /Tenerife/);
  await page.locator('input[name="q"]').fill('tenerif');
  await page.locator('input[name="q"]').press('Enter');
  await page.waitForURL(/\/d\/tenerife\?q=tenerif$/);
});

test(
  'the box finds a place, a kind and a kind in a destination, with the keyboard',
  { skip: noBrowser },
  async () => {
    const [place] = await service.database.pool<{ id: string; name: string; slug: string }[]>`
    select p.id, p.name, d.slug from place p join destination d on d.id = p.destination_id
    where p.closed_at is null and p.category = 'restaurant' and d.slug = 'tokyo' order by p.id limit 1`;
    assert.ok(place !== undefined);
    const { page } = await openBrowser(service.url, phone);
    await page.goto(service.url);
    await page.locator('input[name="q"]').pressSequentially(place.name);
    await page.locator(`.finds a[href="/p/${place.id}"]`).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/p/${place.id}`);
    await page.goto(`${service.url}/?q=restaurant`);
    assert.equal(await page.locator('.home-results .place').count(), 24);
    const groups = await page.locator('.groups h2').allInnerTexts();
    assert.ok(groups.length > 1);
    assert.equal(new Set(groups).size, groups.length, 'each destination is named once');
    await page.goto(`${service.url}/d/tokyo?area=quuxburgh`);
    assert.equal(await page.locator('h1').innerText(), 'Quuxburgh');
    assert.equal(await page.locator('.destination-head a').getAttribute('href'), '/d/tokyo');
    // A search that means one destination leads to its page.
    await page.goto(`${service.url}/?q=restaurant+in+tokyo`);
    await page.waitForURL(/\/d\/tokyo\?q=restaurant\+in\+tokyo$/);
    assert.ok((await page.locator('.place').count()) > 0);
  },
);

test('no link of the home page leads people to data', async () => {
  const text = await (await service.request('/', { headers: { accept: 'text/html' } })).text();
  for (const path of ['/venue', '/partner']) {
    assert.ok(text.includes(`href="${path}"`), path);
    const opened = await service.request(path, { headers: { accept: 'text/html' } });
    assert.match(opened.headers.get('content-type') ?? '', /^text\/html/, path);
  }
  assert.doesNotMatch(text, /href="[^"]*\/api\//);
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
    assert.match(await page.locator('h1').innerText(), /not found/);
    await page.locator('.finder input').fill('lisbon');
    await page.locator('.finder input').press('Enter');
    await page.waitForURL(/\?q=lisbon$/);
  },
);

test('a page that has not changed is not sent again', async () => {
  const first = await service.request('/', { headers: { accept: 'text/html' } });
  const etag = first.headers.get('etag') ?? '';
  const again = await service.request('/', { headers: { accept: 'text/html', 'if-none-match': etag } });
  assert.equal(again.status, 304);
});
