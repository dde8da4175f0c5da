import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildStreets } from '../../../../src/streets/build/build-streets.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  TWO_LOOKS,
  type View,
  type Visit,
} from '../../../harness/browser/browser.ts';
import { addTestStaff, signInBrowser, signInStaff, type FormClient } from '../../../harness/people/staff.ts';
import { SubmittingAgent } from '../../../harness/people/submissions.ts';
import { signInVenue } from '../../../harness/people/venue.ts';
import { createTestDatabase } from '../../../harness/service/database.ts';
import { CHECKOUT } from '../../../harness/service/program.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { importAt } from '../../../import/import-directory.ts';

const PATH = '/venue/position';
const REVIEW = '/console/positions';
const MONACO = `${CHECKOUT}/maps/monaco.osm.pbf`;
/** About 80 m and 600 m in latitude. The restaurants are far enough from France for each move to stay in Monaco. */
const SHORT = 0.0007;
const LONG = 0.0054;

const folder = mkdtempSync(join(tmpdir(), 'waypost-position-'));
const database = await createTestDatabase();
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});
await importAt(database, MONACO, { autoDestinations: true });
await buildStreets({ file: MONACO, folder: join(folder, 'maps'), progress: () => () => undefined });
const service = await startTestService({
  database,
  settings: { DATA_DIR: folder, BASE_URL: 'http://localhost:3000' },
});
const { pool } = database;
const agent = await SubmittingAgent.signUp(service);
const reviewer = await signInStaff(service, 'reviewer');
const restaurants = await pool<{ id: string; lat: number; lng: number }[]>`
  select id, lat, lng from place
  where vertical = 'restaurant' and closed_at is null and lat between 43.733 and 43.738 and lng between 7.418 and 7.43
  order by id`;

interface Claimed {
  id: string;
  lat: number;
  lng: number;
  venue: FormClient;
}

async function claimed(): Promise<Claimed> {
  const place = restaurants.pop() ?? assert.fail('There are no more restaurants.');
  await pool`update place set badge = 'claimed' where id = ${place.id}`;
  return { ...place, venue: await signInVenue(service, place.id) };
}

const six = (degrees: number) => Number(degrees.toFixed(6));

function move({ venue }: Claimed, lat: number | string, lng: number | string): Promise<Response> {
  return venue.post(PATH, { lat: String(lat), lng: String(lng) }, PATH);
}

async function shown(id: string): Promise<{ lat: number; lng: number; byVenue: string[] }> {
  await service.app.deps.places.follow();
  const { body } = await agent.get<{
    lat: number;
    lng: number;
    sources: { name: string; fields: string[] }[];
  }>(`/api/agent/business/${id}`);
  const fields = body.sources.find(({ name }) => name === 'The venue')?.fields ?? [];
  return { lat: body.lat, lng: body.lng, byVenue: fields.toSorted() };
}

async function waiting(id: string): Promise<string | undefined> {
  const [row] = await pool<{ id: string }[]>`
    select id::text from venue_move where place_id = ${id} and state = 'waiting'`;
  return row?.id;
}

const approve = (id: string | undefined, by = reviewer) =>
  by.post(`${REVIEW}/approve`, { move: id ?? '' }, REVIEW);

test('a short move is shown at once, found by search, kept by an import, and undone', async () => {
  const place = await claimed();
  const to = { lat: six(place.lat + SHORT), lng: six(place.lng) };
  assert.equal((await move(place, to.lat, to.lng)).headers.get('location'), '/venue?done=position');
  assert.deepEqual(await shown(place.id), { ...to, byVenue: ['lat', 'lng'] });
  const near = service.app.deps.places.search({ near: { ...to, radiusM: 5 }, limit: 50 });
  assert.ok(near.hits.some((hit) => hit.place.readCard().place_id === place.id));

  const again = await importAt(database, MONACO, { autoDestinations: true });
  assert.equal(again.updated, 0, 'a repeated import writes nothing');
  assert.deepEqual(await shown(place.id), { ...to, byVenue: ['lat', 'lng'] });
  await pool`update place set lat = 1, lng = 2 where id = ${place.id}`;
  assert.deepEqual(await shown(place.id), { ...to, byVenue: ['lat', 'lng'] }, 'whatever writes the columns');

  const edit = /name="edit" value="(\d+)"/.exec(await (await place.venue.get('/venue')).text())?.[1] ?? '';
  await place.venue.post('/venue/undo', { edit }, '/venue');
  assert.deepEqual(await shown(place.id), { lat: place.lat, lng: place.lng, byVenue: [] });
});

test('a new address waits for a reviewer, is kept by later moves, and is undone', async () => {
  const place = await claimed();
  const addressOf = async () => {
    const [row] = await pool<{ address: string | null }[]>`select address from place where id = ${place.id}`;
    return row?.address ?? null;
  };
  const before = await addressOf();
  const ask = (address: string, lat = place.lat) =>
    place.venue.post(PATH, { address, lat: String(six(lat)), lng: String(six(place.lng)) }, PATH);
  const refused = await ask('Call +377 98 06 19 19');
  assert.ok(refused.status >= 400, 'contact data is refused');
  assert.equal((await ask('7 Rue du Test')).headers.get('location'), `${PATH}?done=waiting`);
  assert.equal(await addressOf(), before, 'guests see the old one');
  assert.match(await (await reviewer.get(REVIEW)).text(), /7 Rue du Test/);
  assert.equal((await approve(await waiting(place.id))).status, 303);
  assert.equal(await addressOf(), '7 Rue du Test');
  assert.equal((await ask('', place.lat + SHORT)).headers.get('location'), '/venue?done=position');
  assert.equal(await addressOf(), '7 Rue du Test', 'an empty field changes nothing');
  for (let undone = 0; undone < 2; undone += 1) {
    const edit = /name="edit" value="(\d+)"/.exec(await (await place.venue.get('/venue')).text())?.[1] ?? '';
    await place.venue.post('/venue/undo', { edit }, '/venue');
  }
  assert.equal(await addressOf(), before);
});

test('small steps do not lead further than one of them may', async () => {
  const place = await claimed();
  await move(place, place.lat + SHORT, place.lng);
  await move(place, place.lat + 2 * SHORT, place.lng);
  assert.equal((await shown(place.id)).lat, six(place.lat + SHORT));
  assert.notEqual(await waiting(place.id), undefined);
});

test('a long move waits for a reviewer, who decides once', async () => {
  const place = await claimed();
  const before = await shown(place.id);
  const to = { lat: six(place.lat - LONG), lng: six(place.lng) };
  const asked = await move(place, to.lat, to.lng);
  assert.match(asked.headers.get('location') ?? '', /position\?done=waiting/);
  assert.deepEqual(await shown(place.id), before);
  assert.match(await (await place.venue.get(PATH)).text(), /We are checking the new position/);
  await move(place, to.lat, to.lng);
  const id = await waiting(place.id);
  const page = await (await reviewer.get(REVIEW)).text();
  assert.ok(page.includes(`id="move_${id ?? ''}"`));
  assert.ok(page.includes(`data-before="${before.lat},${before.lng}"`), 'the old pin is on the map');
  assert.match(await (await reviewer.get('/console')).text(), /board-positions/);

  const desk = await signInStaff(service, 'desk');
  assert.equal((await approve(id, desk)).status, 403);
  const approved = await approve(id);
  assert.equal(approved.headers.get('location'), `${REVIEW}?done=approved&place=${place.id}`);
  const after = await (await reviewer.get(approved.headers.get('location') ?? '')).text();
  assert.match(
    after,
    new RegExp(`href="/console/places/${place.id}"[^]*: The new position and address are shown`),
  );
  assert.deepEqual(await shown(place.id), { ...to, byVenue: ['lat', 'lng'] });
  assert.equal((await approve(id)).status, 409);
  const [edits] = await pool`select count(*)::int as count from venue_edit where place_id = ${place.id}`;
  assert.equal(edits?.['count'], 1);

  await importAt(database, MONACO, { autoDestinations: true });
  assert.deepEqual(await shown(place.id), { ...to, byVenue: ['lat', 'lng'] });
  await move(place, to.lat + SHORT, to.lng);
  assert.equal((await shown(place.id)).lat, six(to.lat + SHORT), 'near an approved position it is free');
});

test('a rejection is explained to the venue, and an earlier request cannot be approved', async () => {
  const place = await claimed();
  await move(place, place.lat - LONG, place.lng);
  const first = await waiting(place.id);
  await move(place, place.lat - LONG, place.lng + SHORT);
  const second = await waiting(place.id);
  assert.notEqual(first, second);
  assert.equal((await approve(first)).status, 409);
  const rejection = { move: second ?? '', reason: 'Your address is elsewhere.' };
  assert.equal((await reviewer.post(`${REVIEW}/reject`, { ...rejection, reason: '' }, REVIEW)).status, 422);
  assert.equal((await reviewer.post(`${REVIEW}/reject`, rejection, REVIEW)).status, 303);
  assert.match(await (await place.venue.get(PATH)).text(), /not accepted.*Your address is elsewhere\./s);
  assert.equal((await shown(place.id)).lat, place.lat);

  await move(place, place.lat - LONG, place.lng);
  assert.equal((await place.venue.post(`${PATH}/withdraw`, {}, PATH)).status, 303);
  assert.equal(await waiting(place.id), undefined);
});

test('a position that is no number, or outside the destination, is refused and changes nothing', async () => {
  const place = await claimed();
  for (const [lat, lng, words] of [
    ['north', '7.42', /up to 90/],
    ['91', '7.42', /up to 90/],
    ['43.73', '', /up to 180/],
    ['43.73', '1e2', /up to 180/],
    ['48.85', '2.35', /This is outside/],
    // Nice, across the border.
    ['43.70', '7.27', /This is outside/],
  ] as const) {
    const refused = await move(place, lat, lng);
    assert.equal(refused.status, 422, `${lat}, ${lng}`);
    assert.match(await refused.text(), words);
  }
  assert.equal((await shown(place.id)).lat, place.lat);
  assert.equal(await waiting(place.id), undefined);
  assert.match(
    (await move(place, ` ${String(place.lat).replace('.', ',')} `, place.lng)).headers.get('location') ?? '',
    /^\/venue$/,
  );
});

async function asVenue({ venue }: Claimed, view: View, script = true): Promise<Visit> {
  const visit = await openBrowser(service.url, view, { script });
  const cookies = [...venue.cookies].map(([name, value]) => ({ name, value, url: service.url }));
  await visit.context.addCookies(cookies);
  await visit.page.goto(`${service.url}${PATH}`);
  return visit;
}

for (const view of TWO_LOOKS) {
  test(
    `the pin follows the pointer, the arrow keys and the fields on ${view.name}`,
    { skip: noBrowser },
    async () => {
      const place = await claimed();
      const visit = await asVenue(place, view);
      const { page } = visit;
      const pin = page.locator('.pin-editor .pin');
      await pin.waitFor();
      const lat = page.getByLabel('Latitude');
      const start = Number(await lat.inputValue());
      assert.equal(start, six(place.lat));
      await pin.focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      const north = Number(await lat.inputValue());
      assert.ok(north > start && north - start < 0.0001, `${north - start}`);
      const box = (await pin.boundingBox()) ?? assert.fail();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + 30, box.y + box.height / 2 + 40, { steps: 5 });
      await page.mouse.up();
      const south = Number(await lat.inputValue());
      assert.ok(south < start);
      assert.match(await page.locator('.pin-editor [role=status]').innerText(), /Moved \d+ m/);
      await page.locator('.pin-editor canvas.leaflet-tile-loaded').first().waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `venue position ${view.name}`);
      await lat.fill(String(six(place.lat - LONG)));
      await lat.blur();
      await page.getByRole('button', { name: 'Save position' }).click();
      await page.getByText('We are checking the new position').waitFor();
      await page.locator('.pin.before').waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `venue position waiting ${view.name}`);

      const staff = await openBrowser(service.url, view);
      await signInBrowser(staff.page, service, await addTestStaff(service, 'reviewer'));
      await staff.page.goto(`${service.url}${REVIEW}`);
      await staff.page.locator('.pin.before').first().waitFor();
      await staff.page.locator('canvas.leaflet-tile-loaded').first().waitFor();
      await assertSoundPage(staff);
      await screenshot(staff.page, `console positions ${view.name}`);
    },
  );
}

test('a venue moves its pin without script', { skip: noBrowser }, async () => {
  const place = await claimed();
  const [view] = TWO_LOOKS;
  assert.ok(view);
  const { page } = await asVenue(place, view, false);
  await page.getByLabel('Latitude').fill(String(six(place.lat + SHORT)));
  await page.getByRole('button', { name: 'Save position' }).click();
  await page.getByText('Position: saved').waitFor();
  assert.equal((await shown(place.id)).lat, six(place.lat + SHORT));
});

test('a reviewer corrects the position with evidence; the pin of the venue goes before it', async () => {
  const place = await claimed();
  const path = `/console/places/${place.id}`;
  const to = { lat: six(place.lat - LONG), lng: six(place.lng) };
  const correct = (fields: Record<string, string>, by = reviewer) =>
    by.post(`${path}/position`, fields, path);
  const fields = { lat: String(to.lat), lng: String(to.lng), seen_at: 'https://example.com/where' };
  assert.equal((await correct({ ...fields, seen_at: '' })).status, 422);
  assert.equal((await correct({ ...fields, lat: '91' })).status, 422);
  assert.match(await (await correct({ ...fields, lat: '45.1' })).text(), /This is outside Monaco/);
  assert.equal((await correct(fields, await signInStaff(service, 'desk'))).status, 403);
  assert.equal((await correct(fields)).headers.get('location'), `${path}?done=moved`);
  assert.deepEqual(await shown(place.id), { ...to, byVenue: [] });
  assert.equal((await correct(fields)).headers.get('location'), `${path}?done=at_the_pin`);
  const audited = await pool`
    select detail from audit_log where operation = 'move_place' and subject = ${place.id}`;
  assert.equal(audited.length, 1);
  assert.match(JSON.stringify(audited[0]?.['detail']), /example\.com\/where/);
  await importAt(database, MONACO, { autoDestinations: true });
  assert.deepEqual(await shown(place.id), { ...to, byVenue: [] }, 'an import keeps it');

  const pin = { lat: six(to.lat + SHORT), lng: to.lng };
  await move(place, pin.lat, pin.lng);
  assert.deepEqual(await shown(place.id), { ...pin, byVenue: ['lat', 'lng'] });
  await reviewer.post(`${path}/position/withdraw`, {}, path);
  assert.deepEqual(await shown(place.id), { ...pin, byVenue: ['lat', 'lng'] });
  const edit = /name="edit" value="(\d+)"/.exec(await (await place.venue.get('/venue')).text())?.[1] ?? '';
  await place.venue.post('/venue/undo', { edit }, '/venue');
  assert.deepEqual(await shown(place.id), { lat: place.lat, lng: place.lng, byVenue: [] });
});

for (const view of TWO_LOOKS)
  test(
    `a reviewer moves the pin on the street map of the console, ${view.name}`,
    { skip: noBrowser },
    async () => {
      const place = await claimed();
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await signInBrowser(page, service, await addTestStaff(service, 'reviewer'));
      await page.goto(`${service.url}/console/places/${place.id}`);
      await page.locator('.pin-editor canvas.leaflet-tile-loaded').first().waitFor();
      const pin = page.getByLabel('The pin. Move it with the arrow keys.');
      await pin.focus();
      await page.keyboard.press('Shift+ArrowUp');
      assert.ok(Number(await page.getByLabel('Latitude').inputValue()) > place.lat);
      await assertSoundPage(visit);
      await screenshot(page, `console place with streets ${view.name}`);
      await page.getByLabel('Where you saw it').first().fill('The sign at the door');
      await page.getByRole('button', { name: 'Correct the position' }).click();
      await page.getByText('The position is recorded with your name').waitFor();
      assert.ok((await shown(place.id)).lat > place.lat);
    },
  );
