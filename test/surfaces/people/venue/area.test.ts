import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { LOOKS, noBrowser, openBrowser, type Visit } from '../../../harness/browser/browser.ts';
import { until } from '../../../harness/service/jobs.ts';
import { samplePng } from '../../../harness/sample-png.ts';
import { agent, claim, HOSTILE, invitedPlace, press, see, service } from './visits.ts';

async function open(page: Page, part: string): Promise<void> {
  await page.goto(`${service.url}/venue/${part}`);
}

async function editHours(visit: Visit, view: string): Promise<void> {
  const { page } = visit;
  await open(page, 'hours');
  const monday = page.getByRole('group', { name: 'Monday' });
  await monday.getByLabel('from').first().fill('11:00');
  await monday.getByLabel('to').first().fill('15:00');
  await monday.getByText('A second opening').click();
  await monday.getByLabel('from').nth(1).fill('18:00');
  await monday.getByLabel('to').nth(1).fill('22:00');
  await press(page, 'Save hours');
  assert.equal(await page.getByLabel('Sunday').getAttribute('aria-invalid'), 'true');
  assert.equal(await page.locator('[name="mon-to2"]').inputValue(), '22:00', 'what was typed stays');
  visit.faults.length = 0;
  await see(visit, 'hours wrong', view);
  await page.getByRole('button', { name: 'Use Monday for every day' }).click();
  await page.locator('#tue:focus').waitFor();
  assert.equal(await page.locator('[name="sat-from2"]').inputValue(), '18:00');
  await page.getByLabel('Sunday').selectOption('closed');
  assert.equal(await page.locator('#sun-from').isVisible(), false, 'a closed day has no times');
  await see(visit, 'hours', view);
  await press(page, 'Save hours');
  await page.getByText('Hours: saved').waitFor();
}

async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

async function editMenu(visit: Visit, view: string): Promise<void> {
  const { page } = visit;
  await open(page, 'menu');
  assert.equal(await page.getByLabel('Currency').inputValue(), 'IDR', 'the currency of the country');
  await page.getByLabel('Name of the section').fill('Drinks');
  await page.getByLabel('Entry').fill('Es kelapa');
  const change = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const focused = (name: string) => page.locator(`[name="${name}"]:focus`).waitFor();
  await change('Add a section');
  await focused('s1-name');
  await page.getByLabel('Name of the section').nth(1).fill('From the grill');
  await page.getByLabel('Entry').nth(1).fill(HOSTILE);
  await page.getByLabel('Price').nth(1).fill('85.000');
  await page.getByLabel('Description').nth(1).fill('With three sambals');
  await change(/Add an entry.*Section 2/);
  await focused('s1i1-name');
  await until('it is in sight', () => isInView(page, ':focus'));
  await page.getByLabel('Entry').nth(2).fill('Cumi');
  await change(/^Up.*entry 2/);
  await focused('s1i0-name');
  await change(/Move section up.*From the grill/);
  await focused('s0-name');
  await see(visit, 'menu', view);
  const asked = page.waitForEvent('dialog');
  const leaving = page.getByRole('link', { name: 'Back without saving' }).click({ noWaitAfter: true });
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload', 'whoever leaves with unsaved changes is asked');
  await dialog.dismiss();
  await leaving;
  assert.equal(new URL(page.url()).pathname, '/venue/menu');
  await press(page, /^Save menu$/);
  await page.getByText('Menu: saved').waitFor();
}

// A light desk and a dark phone together show everything that a dark desk shows.
for (const view of LOOKS.slice(0, 3)) {
  test(
    `a venue claims its listing and looks after all of it on ${view.name}`,
    { skip: noBrowser },
    async () => {
      const place = await invitedPlace();
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await claim(visit, place, view.name);
      await editHours(visit, view.name);
      await editMenu(visit, view.name);

      await open(page, 'about');
      await page.getByLabel('Description').fill(HOSTILE);
      await see(visit, 'about', view.name);
      await press(page, 'Save description');

      await open(page, 'booking');
      await page.getByLabel('Send guests to our own booking page').check();
      await press(page, 'Save booking');
      await page.getByText('Give the address of your booking page.').waitFor();
      visit.faults.length = 0;
      await see(visit, 'booking', view.name);
      await page
        .getByLabel('Address of your booking page')
        .fill('https://www.sevenrooms.com/reservations/warung');
      await press(page, 'Save booking');

      await open(page, 'photo');
      await page
        .getByLabel('Choose a photo')
        .setInputFiles({
          name: 'x.png',
          mimeType: 'image/png',
          buffer: Buffer.from('<svg onload=alert(1)>'),
        });
      await press(page, 'Save photo');
      await page.getByText('We cannot read this as a photo.').waitFor();
      visit.faults.length = 0;
      await see(visit, 'photo', view.name);
      await page
        .getByLabel('Choose a photo')
        .setInputFiles({ name: 'x.jpg', mimeType: 'image/jpeg', buffer: samplePng() });
      await press(page, 'Save photo');
      await see(visit, 'overview', view.name);

      const { body } = await agent.get<Listing>(`/api/agent/business/${place.id}`);
      assert.equal(body.badge, 'claimed');
      assert.deepEqual([body.hours.source, body.hours.verified], ['owner', true]);
      assert.deepEqual(body.hours.structured['mon'], [
        ['11:00', '15:00'],
        ['18:00', '22:00'],
      ]);
      assert.deepEqual(body.hours.structured['sun'], []);
      assert.deepEqual(
        body.menu.sections.map(({ name, items }) => [name, items.map((item) => item.name)]),
        [
          ['From the grill', ['Cumi', HOSTILE.trim()]],
          ['Drinks', ['Es kelapa']],
        ],
      );
      assert.equal(body.menu.currency, 'IDR');
      assert.equal(body.about, HOSTILE.trim());
      assert.deepEqual(
        [body.booking.method, body.booking.chosen_by_venue, body.booking.platform],
        ['venue_system', true, 'sevenrooms'],
      );
      assert.equal(body.photos.length, 1);
      await page.goto(`${service.url}/p/${place.id}`);
      await see(visit, 'place', view.name);
      assert.ok(await page.evaluate('document.querySelector(".picture-band img").naturalWidth > 0'));

      await page.goto(`${service.url}/venue`);
      await press(page, 'Undo: Description');
      await page.getByText('The change was undone.').waitFor();
      assert.equal((await agent.get<Listing>(`/api/agent/business/${place.id}`)).body.about, null);
      await press(page, 'Sign out');
      await page.getByRole('heading', { name: 'Find your place' }).waitFor();
      await see(visit, 'signed out', view.name);
      await page.getByLabel('Name of your place').fill(place.name);
      await page.getByLabel('Town').fill('Bali');
      await page.keyboard.press('Enter');
      await page.locator(`a[href="/venue/claim/${place.id}"]`).waitFor();
      await see(visit, 'found', view.name);
    },
  );
}

interface Listing {
  badge: string;
  about: string | null;
  hours: { source: string; verified: boolean; structured: Record<string, unknown> };
  menu: { currency: string; sections: { name: string; items: { name: string }[] }[] };
  booking: { method: string; chosen_by_venue: boolean; platform: string };
  photos: unknown[];
}

test('nothing of the area answers without a session, and no form without its token', async () => {
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  for (const part of [
    'hours',
    'menu',
    'about',
    'contacts',
    'booking',
    'undo',
    'representative',
    'sign-out',
  ]) {
    const answer = await service.request(`/venue/${part}`, { method: 'POST', headers, body: 'about=x' });
    assert.equal(answer.status, 401, part);
  }
  const place = await invitedPlace();
  for (const path of [`/venue/claim/${place.id}`, `/venue/claim/${place.id}/code`]) {
    const answer = await service.request(path, { method: 'POST', headers, body: 'code=1' });
    assert.equal(answer.status, 403, path);
  }
  assert.equal(
    (await service.request('/venue/claim/plc_unknown', { headers: { accept: 'text/html' } })).status,
    404,
  );
  assert.equal(
    (await service.request('/venue/confirm/guess', { headers: { accept: 'text/html' } })).status,
    404,
  );
  assert.equal((await service.request('/photos/listing/..%2f..%2fsecrets')).status, 404);
});

test('a venue finds its place by name and town, and goes on to claim it', async () => {
  const place = await invitedPlace();
  const find = async (query: Record<string, string>) => {
    const path = `/venue?${new URLSearchParams(query).toString()}`;
    return (await service.request(path, { headers: { accept: 'text/html' } })).text();
  };
  const claim = `href="/venue/claim/${place.id}"`;
  const found = await find({ q: place.name, town: 'Bali' });
  assert.ok(found.includes(claim));
  assert.match(found, /Claim this listing/);
  assert.ok(!(await find({ q: place.name, town: 'Tokyo' })).includes(claim), 'the town counts');
  const none = await find({ q: HOSTILE, town: 'Bali' });
  assert.match(none, /No place of this name is listed there/);
  assert.doesNotMatch(none, /<script>alert/);
  assert.doesNotMatch(await find({}), /No place of this name/, 'nothing is said before somebody searched');
});
