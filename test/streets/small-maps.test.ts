import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildStreets } from '../../src/streets/build/build-streets.ts';
import { addVenue, AskingPartner, linkInOutbox } from '../bookings/asking-partner.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  TWO_LOOKS,
  VIEWS,
} from '../harness/browser/browser.ts';
import { joinMember, makeTable } from '../harness/people/member.ts';
import { CHECKOUT } from '../harness/service/program.ts';
import { startTestService } from '../harness/service/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-small-maps-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const file = `${CHECKOUT}/maps/monaco.osm.pbf`;
await buildStreets({ file, folder: join(folder, 'maps'), progress: () => () => undefined });
const service = await startTestService({ settings: { DATA_DIR: folder, BASE_URL: 'http://localhost:3000' } });
const partner = await AskingPartner.add(service);

async function monacoVenue(): Promise<string> {
  const id = await addVenue(service, { email: 'halo@venue.example', gather: 0 });
  await service.database.pool`update place set lat = 43.7392, lng = 7.4272 where id = ${id}`;
  return id;
}

for (const view of TWO_LOOKS) {
  test(`a venue sees the streets below its answers on ${view.name}`, { skip: noBrowser }, async () => {
    const booking = await partner.request(await monacoVenue());
    const link = await linkInOutbox(service, booking, 'mail');
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    await page.goto(service.url + link);
    const map = page.locator('.street-map[data-still]');
    await map.scrollIntoViewIfNeeded();
    await map.locator('canvas.leaflet-tile-loaded').first().waitFor();
    await map.locator('.pin.chosen').waitFor();
    assert.equal(await page.locator('.answers ~ .street-map').count(), 1);
    await assertSoundPage(visit);
    await screenshot(page, `tap with streets ${view.name}`);
  });

  test(`a member sees the streets around a coming table on ${view.name}`, { skip: noBrowser }, async () => {
    const member = await joinMember(service);
    const placeId = await monacoVenue();
    const { partnerId } = partner.partner;
    const coming = await makeTable(service, { member, placeId, partnerId, agoMs: -86_400_000 });
    const past = await makeTable(service, { member, placeId, partnerId, agoMs: 86_400_000 });
    const visit = await openBrowser(service.url, view);
    const cookies = [...member.cookies].map(([name, value]) => ({ name, value, url: service.url }));
    await visit.context.addCookies(cookies);
    await visit.page.goto(`${service.url}/member/tables/${coming}`);
    await visit.page.locator('.street-map canvas.leaflet-tile-loaded').first().waitFor();
    await assertSoundPage(visit);
    await screenshot(visit.page, `member with streets ${view.name}`);
    await visit.page.goto(`${service.url}/member/tables/${past}`);
    await visit.page.getByRole('heading', { name: 'How to get there' }).waitFor();
    assert.equal(await visit.page.locator('.street-map').count(), 0, 'a past table needs no map');
  });
}

test('a venue answers without script, and sees no empty map', { skip: noBrowser }, async () => {
  const booking = await partner.request(await monacoVenue());
  const link = await linkInOutbox(service, booking, 'mail');
  const { page } = await openBrowser(service.url, VIEWS[0], { script: false });
  await page.goto(service.url + link);
  assert.equal(await page.locator('.street-map .stage').isVisible(), false);
  await page.getByRole('button', { name: /^Yes/ }).click();
  await partner.untilStatus(booking, 'confirmed');
});
