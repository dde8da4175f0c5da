import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { buildStreets } from '../../src/streets/build/build-streets.ts';
import {
  assertSoundPage,
  LOOKS,
  noBrowser,
  openBrowser,
  screenshot,
  VIEWS,
} from '../harness/browser/browser.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { startTestService } from '../harness/service/service.ts';
import { importAt } from '../import/import-directory.ts';
import { sharedFile } from '../import/shared-data.ts';

const MONACO = sharedFile('osm/monaco.osm.pbf');
const WEIGHT_MAX = 450_000;
const [phone, , desktop] = VIEWS;

const folder = mkdtempSync(join(tmpdir(), 'waypost-street-pages-'));
const database = await createTestDatabase();
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});
await importAt(database, MONACO, { autoDestinations: true });
await buildStreets({ file: MONACO, folder: join(folder, 'maps'), progress: () => () => undefined });
const service = await startTestService({ database, settings: { DATA_DIR: folder } });
const [casino] = await database.pool<{ id: string }[]>`
  select id from place where name like '%Casino%' and closed_at is null and lat is not null
  order by prominence desc, id limit 1`;

/** Waits until tiles are drawn, and returns how many colours they have. */
async function coloursOnMap(page: Page): Promise<number> {
  await page.locator('canvas.leaflet-tile-loaded').first().waitFor();
  const count = `(() => {
    const seen = new Set();
    for (const canvas of document.querySelectorAll('canvas.leaflet-tile-loaded')) {
      if (canvas.width === 0) continue;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) seen.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
    }
    return seen.size;
  })()`;
  await page.waitForFunction(`${count} > 20`);
  return Number(await page.evaluate(count));
}

for (const view of LOOKS) {
  test(`the streets around a place are drawn on ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    await page.goto(`${service.url}/p/${casino?.id ?? ''}`);
    await page.locator('.street-map').scrollIntoViewIfNeeded();
    assert.ok((await coloursOnMap(page)) > 20);
    const source = page.locator('.street-map .map-source');
    assert.equal(await source.innerText(), '© OpenStreetMap contributors');
    assert.ok(await source.isVisible());
    await screenshot(page, `street map of a place ${view.name}`);
    await assertSoundPage(visit);
  });

  test(`list and map of a destination are linked on ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    await page.goto(`${service.url}/d/monaco`);
    await page.locator('.results-map').scrollIntoViewIfNeeded();
    assert.ok((await coloursOnMap(page)) > 20);
    const pins = page.locator('.results-map .pin.numbered');
    const number = await pins.first().locator('span').innerText();
    const item = page.locator('.places > li', {
      has: page.locator('.list-number', { hasText: new RegExp(`^${number}$`) }),
    });
    await pins.first().focus();
    assert.match((await item.getAttribute('class')) ?? '', /near/);
    await item.locator('a').first().focus();
    await page.locator('.results-map .pin.near').waitFor();
    await screenshot(page, `street map of a destination ${view.name}`);
    await assertSoundPage(visit);
  });
}

test('a chosen pin marks its place in the list', { skip: noBrowser }, async () => {
  const { page } = await openBrowser(service.url, desktop);
  await page.goto(`${service.url}/d/monaco?q=oceanographic`);
  await page.locator('.results-map').scrollIntoViewIfNeeded();
  const pin = page.locator('.results-map .pin.numbered').first();
  await pin.focus();
  await page.keyboard.press('Enter');
  await page.locator('.results-map .pin.chosen').waitFor();
  assert.equal(await page.locator('.places > li.chosen').count(), 1);
});

test('after a move the map searches the part that it shows', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.url, desktop);
  const { page } = visit;
  await page.goto(`${service.url}/d/monaco?q=${encodeURIComponent('dinner near Hôtel de Paris')}`);
  await page.locator('.results-map .near-point').waitFor();
  assert.equal(await page.locator('.near-name').innerText(), 'Hôtel de Paris');
  const box = (await page.locator('.results-map .canvas').boundingBox()) ?? assert.fail();
  assert.equal(await page.locator('.search-here').isVisible(), false);
  await page.mouse.move(box.x + 300, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y + 250, { steps: 4 });
  await page.mouse.up();
  await page.locator('.search-here').click();
  await page.waitForURL(/[?&]map=/);
  const [south = 0, west = 0, north = 0, east = 0] = (new URL(page.url()).searchParams.get('map') ?? '')
    .split(',')
    .map(Number);
  const ids = await page
    .locator('.place')
    .evaluateAll((items) =>
      items.map((item) => (item as unknown as { dataset: Record<string, string> }).dataset['place'] ?? ''),
    );
  const rows = await database.pool<{ lat: number; lng: number }[]>`
    select lat, lng from place where id = any(${ids})`;
  assert.ok(rows.length > 0);
  for (const { lat, lng } of rows)
    assert.ok(lat >= south && lat <= north && lng >= west && lng <= east, `${lat} ${lng}`);
  await page.getByRole('link', { name: 'Clear all' }).click();
  await page.waitForURL(/\/d\/monaco$/);
  await assertSoundPage(visit);
});

test('on a phone a button shows the map instead of the list, and back', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.url, phone);
  const { page } = visit;
  await page.goto(`${service.url}/d/monaco?q=pizza`);
  await page.locator('.to-map a').tap();
  await page.locator('.results-map .pin.numbered').first().waitFor();
  const list = page.locator('.results > div > .places');
  assert.equal(await list.isVisible(), false);
  const [window, map] = [phone, (await page.locator('.results-map .canvas').boundingBox()) ?? assert.fail()];
  for (const pin of await page.locator('.results-map .pin.numbered').all()) {
    const { x, y, width, height } = (await pin.boundingBox()) ?? assert.fail();
    assert.ok(x >= 0 && x + width <= window.width, `${x}`);
    assert.ok(y >= map.y && y + height <= map.y + map.height, `${y}`);
  }
  const pin = page.locator('.results-map .pin.numbered:not(.many)').first();
  const number = await pin.locator('span').innerText();
  await pin.focus();
  await page.keyboard.press('Enter');
  const card = page.locator('.map-card');
  const entry = card.locator('.place', {
    has: page.locator('.list-number', { hasText: new RegExp(`^${number}$`) }),
  });
  assert.match((await entry.locator('h3 a').getAttribute('href')) ?? '', /^\/p\/plc_/);
  assert.equal(await entry.locator('img.thumb').count(), 1);
  assert.equal(await page.locator('.search-here').isVisible(), false, 'the visitor has not moved the map');
  await screenshot(page, 'card of a pin phone');
  await assertSoundPage(visit);
  await page.keyboard.press('Escape');
  assert.equal(await card.isVisible(), false);
  await page.locator('.to-map a', { hasText: 'List' }).tap();
  assert.ok(await list.isVisible());
  await assertSoundPage(visit);
});

test(
  'a visitor who gives a position gets nearby places, with the way there',
  { skip: noBrowser },
  async () => {
    const visit = await openBrowser(service.url, phone);
    const { page, context } = visit;
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: 43.7392, longitude: 7.4276 });
    await page.goto(service.url);
    await page.locator('input[name="q"]').fill('coffee');
    await page.locator('.near-me').tap();
    await page.waitForURL(/\/d\/monaco\?q=coffee&near=43\.7392,7\.4276$/);
    assert.match(await page.locator('.place').first().innerText(), /\d+ min walk/);
    assert.match(await page.locator('.found').innerText(), /nearest to you first/);
    await assertSoundPage(visit);
  },
);

test('without script the pages of a place and a destination are whole', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.url, phone, { script: false });
  for (const path of [`/p/${casino?.id ?? ''}`, '/d/monaco']) {
    await visit.page.goto(service.url + path);
    assert.equal(await visit.page.locator('canvas').count(), 0);
    await assertSoundPage(visit);
  }
});

test('a page with its street map stays below 450 kB without tiles', { skip: noBrowser }, async () => {
  const { page, context } = await openBrowser(service.url, desktop);
  const session = await context.newCDPSession(page);
  const tiles = new Set<string>();
  let received = 0;
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.url.includes('/tiles/')) tiles.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!tiles.has(requestId)) received += encodedDataLength;
  });
  await session.send('Network.enable');
  await page.goto(`${service.url}/d/monaco`);
  await page.locator('.results-map').scrollIntoViewIfNeeded();
  await coloursOnMap(page);
  assert.ok(tiles.size > 0);
  assert.ok(received > 50_000 && received < WEIGHT_MAX, `${received} bytes`);
});
