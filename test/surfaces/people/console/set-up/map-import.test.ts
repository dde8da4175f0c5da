import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { seconds } from '../../../../import/import-directory.ts';
import { writeOsmPbf } from '../../../../import/readers/write-osm-pbf.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
} from '../../../../harness/browser/browser.ts';
import { Keyboard } from '../../../../harness/browser/keyboard.ts';
import { addTestStaff, signInBrowser, signInStaff } from '../../../../harness/people/staff.ts';
import { until } from '../../../../harness/service/jobs.ts';
import { CHECKOUT } from '../../../../harness/service/program.ts';
import { startTestService } from '../../../../harness/service/service.ts';
import { LONG } from '../../../../harness/tier.ts';

const TOWN = writeOsmPbf({
  nodes: [
    { id: 1, lat: 43.7396, lng: 7.4272, tags: { place: 'city', name: 'Monaco', 'addr:country': 'MC' } },
    { id: 2, lat: 43.7397, lng: 7.4273, tags: { amenity: 'cafe', name: 'Café Ada' } },
  ],
  extracted: seconds('2025-01-01'),
});
/** Held open, so that an import from there runs until it is stopped. */
const SLOW = '/slow.osm.pbf';
const maps = createServer((request, response) => {
  if (request.url === SLOW) response.writeHead(200).write('begun');
  else if (request.url === '/monaco.osm.pbf')
    response.end(readFileSync(join(CHECKOUT, 'maps/monaco.osm.pbf')));
  else if (request.url === '/town.osm.pbf') response.end(TOWN);
  else response.writeHead(404).end();
}).listen(0, '127.0.0.1');
await once(maps, 'listening');
after(() => {
  maps.closeAllConnections();
  maps.close();
});
const HOST = `127.0.0.1:${(maps.address() as AddressInfo).port}`;
const PATH = '/console/set-up';
/** A city with its streets takes a while, so the short tier has a town of one place. */
const EXTRACT = LONG
  ? { file: 'monaco.osm.pbf', place: 'Café de Paris', query: 'Café de Paris Monte-Carlo' }
  : { file: 'town.osm.pbf', place: 'Café Ada', query: 'Café Ada' };

const service = await startTestService({ settings: { DEMO: 'off', EGRESS_ALLOW: HOST } });
const { pool } = service.database;

interface Row {
  state: string;
  log: string;
}

async function lastImport(): Promise<Row | undefined> {
  const [row] = await pool<Row[]>`select state, log from map_import order by id desc limit 1`;
  return row;
}

function untilState(state: string): Promise<Row> {
  return until(`the import is ${state}`, async () => {
    const row = await lastImport();
    return row?.state === state ? row : undefined;
  });
}

describe('an import on the set-up page', () => {
  test('is for leads, and an address or a file that cannot be one is refused', async () => {
    const desk = await signInStaff(service, 'desk');
    assert.doesNotMatch(await (await desk.get(PATH)).text(), /Address of an extract/);
    const lead = await signInStaff(service, 'lead');
    const address = { address: `http://${HOST}/monaco.osm.pbf` };
    const csrf = await desk.token(PATH);
    assert.equal((await desk.postRaw(`${PATH}/map-address`, { csrf, ...address })).status, 403);
    for (const bad of ['', 'monaco', 'file:///etc/passwd', 'ftp://maps.example/a.osm.pbf']) {
      const refused = await lead.post(`${PATH}/map-address`, { address: bad }, PATH);
      assert.equal(refused.status, 422, bad);
      assert.match(await refused.text(), /Enter an address that begins with https/);
    }
    assert.equal((await lead.post(`${PATH}/map-file`, {}, PATH)).status, 422);
    assert.equal(await lastImport(), undefined);
  });

  test('fails with its reason, after which another may begin', async () => {
    const lead = await signInStaff(service, 'lead');
    await lead.post(`${PATH}/map-address`, { address: `http://${HOST}/missing.osm.pbf` }, PATH);
    assert.match((await untilState('failed')).log, /404/);
    const page = await (await lead.get(PATH)).text();
    assert.match(page, /Failed.*missing\.osm\.pbf/s);
    assert.match(page, /Address of an extract/);
  });

  test('is the only one at a time, and ends when a lead stops it', async () => {
    const lead = await signInStaff(service, 'lead');
    await lead.post(`${PATH}/map-address`, { address: `http://${HOST}${SLOW}` }, PATH);
    const csrf = await lead.token(PATH);
    const second = await lead.postRaw(`${PATH}/map-address`, { csrf, address: `http://${HOST}/x.osm.pbf` });
    assert.equal(second.status, 409);
    const [stop = assert.fail()] = /\/console\/set-up\/map-stop\/\d+/.exec(await second.text()) ?? [];
    assert.equal((await lead.postRaw(stop, { csrf })).status, 303);
    await untilState('stopped');
    assert.equal((await lead.postRaw(stop, { csrf })).status, 409);
  });
});

test('the checks of the set-up page say what was tried and what to do', async () => {
  const lead = await signInStaff(service, 'lead');
  const storage = await (await lead.post(`${PATH}/check-storage`, {}, PATH)).text();
  assert.match(storage, /A file was stored, read and deleted/);
  const address = await (await lead.post(`${PATH}/check-address`, {}, PATH)).text();
  assert.match(
    address,
    /https:\/\/waypost\.example cannot be opened\. .*(Add a DNS record|only your own network)/,
  );
  const desk = await signInStaff(service, 'desk');
  assert.equal((await desk.postRaw(`${PATH}/check-storage`, { csrf: await desk.token(PATH) })).status, 403);
});

/** Pressed keys and typed texts between an empty installation and a place in it. */
const ACTIONS_MAX = 40;

describe('in a browser', { skip: noBrowser }, () => {
  test('an uploaded extract is imported and deleted', async () => {
    const { page, faults } = await openBrowser(service.url, LOOKS[0] ?? assert.fail());
    await signInBrowser(page, service, await addTestStaff(service, 'lead'));
    await page.goto(service.url + PATH);
    const file = {
      name: 'town of ada.osm.pbf',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(TOWN),
    };
    await page.getByLabel('Or a file').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload and import' }).click();
    await page.getByText('Finished').waitFor();
    await page.getByText('town_of_ada.osm.pbf').first().waitFor();
    assert.deepEqual(faults, []);
    const [row] = await pool<
      { count: number }[]
    >`select count(*)::int as count from place where name = 'Café Ada'`;
    assert.equal(row?.count, 1);
    await until('the upload is gone', () => {
      const { dataDir } = service.app.deps.config;
      return readdirSync(join(dataDir, 'uploads')).length === 0;
    });
  });

  for (const view of LOOKS.slice(0, 1))
    test(`an empty installation becomes one with places, by keyboard, ${view.name}`, async (t) => {
      const empty = await startTestService({ settings: { DEMO: 'off', EGRESS_ALLOW: HOST } });
      const visit = await openBrowser(empty.url, view);
      const { page } = visit;
      await signInBrowser(page, empty, await addTestStaff(empty, 'lead'));
      const keys = new Keyboard(page);
      await page.goto(empty.url);
      await keys.open('Set up this installation');
      await page.getByRole('heading', { name: 'Places Not set up' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `set-up empty ${view.name}`);
      await keys.type('Address of an extract', `http://${HOST}/${EXTRACT.file}`);
      await keys.open();
      if (LONG) await page.getByRole('button', { name: 'Stop the import' }).waitFor();
      await screenshot(page, `set-up importing ${view.name}`);
      await page.getByText('Finished').waitFor();
      if (LONG) await page.getByText('The street map with').waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `set-up imported ${view.name}`);
      await until('the index has the places', async () => {
        await page.goto(`${empty.url}/?q=${encodeURIComponent(EXTRACT.query)}`);
        return page.getByRole('link', { name: EXTRACT.place }).first().isVisible();
      });
      await keys.open(EXTRACT.place);
      await page.getByRole('heading', { name: EXTRACT.place, level: 1 }).waitFor();
      t.diagnostic(`${keys.actions} actions`);
      assert.ok(keys.actions <= ACTIONS_MAX, `${keys.actions} actions`);
      if (LONG) await page.locator('.street-map[data-point]').waitFor();
      assert.equal(await page.getByRole('link', { name: 'Set up this installation' }).count(), 0);
    });
});
