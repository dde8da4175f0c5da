import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waypostHere } from '../../../backup/commands.ts';
import {
  assertSoundPage,
  LOOKS,
  noBrowser,
  openBrowser,
  screenshot,
} from '../../../harness/browser/browser.ts';
import { addMadeUpPlace } from '../../../directory/made-up-place.ts';
import { addTestStaff, auditOf, signInBrowser, signInStaff } from '../../../harness/people/staff.ts';
import { startTestService } from '../../../harness/service/service.ts';

const PATH = '/console/destinations';
const service = await startTestService();
const { pool } = service.database;
const lead = await signInStaff(service, 'lead');
const folder = await mkdtemp(join(tmpdir(), 'waypost-destinations-'));
after(() => rm(folder, { recursive: true }));

const STEPPE = { slug: 'steppe', name: 'Steppe', country: 'MN', lat: '46.1', lng: '100.05' };

function box(west: number, south: number, east: number, north: number): string {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return JSON.stringify({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
}

function add(fields: Record<string, string>): Promise<Response> {
  return lead.post(PATH, { other_names: '', radius: '', outline: '', ...fields });
}

async function addSound(fields: Record<string, string>): Promise<string> {
  const response = await add(fields);
  const location = response.headers.get('location') ?? (await response.text());
  const [, id] = /^\/console\/destinations\/(dst_\w{26})\?done=added$/.exec(location) ?? [];
  assert.ok(id, location);
  return id;
}

function change(id: string, fields: Record<string, string>): Promise<Response> {
  return lead.post(`${PATH}/${id}`, { other_names: '', radius: '', outline: '', ...fields });
}

async function stored(slug: string): Promise<Record<string, unknown>> {
  const [row] = await pool<Record<string, unknown>[]>`
    select id, slug, name, other_names, country, timezone, lat, lng, west, south, east, north,
      encode(outline, 'hex') as outline from destination where slug = ${slug}`;
  assert.ok(row, slug);
  return row;
}

async function pageText(path: string): Promise<string> {
  const response = await lead.get(path);
  assert.equal(response.status, 200, path);
  return (await response.text()).replaceAll(/\s+/g, ' ');
}

async function waypost(...args: string[]): Promise<void> {
  const { code, error } = await waypostHere(args, { DATABASE_URL: service.database.url, DATA_DIR: folder });
  assert.equal(code, 0, error);
}

test('a destination that is added here is what the command adds', async () => {
  const outline = box(14.1, 36, 14.4, 36.1);
  const file = join(folder, 'outline.geojson');
  await writeFile(file, outline);
  const place = ['--country', 'MT', '--lat', '36.045', '--lng', '14.25'];
  const names = ['--name', 'Gozo', '--other-names', 'Għawdex;Ghawdex'];
  const fields = {
    ...{ name: ' Gozo ', country: 'malta', lat: '36.045', lng: '14.25' },
    other_names: 'Għawdex\r\n\r\nGhawdex\r\nGhawdex',
  };
  for (const [form, ...options] of [
    [{ radius: '9.5' }, '--radius', '9.5'],
    [{ outline }, '--outline', file],
    [{}],
  ] as const) {
    const id = await addSound({ ...fields, ...form, slug: 'by-page' });
    await waypost('destination', 'add', 'by-command', ...names, ...place, ...options);
    const [page, command] = [await stored('by-page'), await stored('by-command')];
    assert.deepEqual({ ...page, id: '', slug: '' }, { ...command, id: '', slug: '' });
    const [audit] = await auditOf(pool, id);
    assert.deepEqual(audit, {
      actor: lead.staff.id,
      operation: 'destination_add',
      detail: {
        ...{ slug: 'by-page', country: 'MT', name: 'Gozo', lat: 36.045, lng: 14.25 },
        ...{ radius_km: 'radius' in form ? 9.5 : null, outline: 'outline' in form },
      },
    });
    const record = await pageText(`${PATH}/${id}?done=added`);
    assert.match(record, /The next import assigns places to it/);
    assert.match(record, 'outline' in form ? /An outline of [\d,]+ km², within/ : /A box of [\d.]+ × /);
    await pool`delete from destination where slug in ('by-page', 'by-command')`;
  }
});

test('the list shows name, country, places and extent, and is searched by name and country', async () => {
  const id = await addSound({
    ...STEPPE,
    slug: 'listed',
    name: 'Listed <b>',
    other_names: 'Тал',
    radius: '9',
  });
  for (const query of ['listed', 'LISTED <', 'тал', 'mn']) {
    const page = await pageText(`${PATH}?q=${encodeURIComponent(query)}`);
    assert.ok(page.includes(`href="${PATH}/${id}"`), query);
    assert.match(page, /Listed &lt;b&gt;.*Mongolia.*data-label="places">0<.*18 × 18 km/, query);
  }
  const none = await pageText(`${PATH}?q=nowhere%25`);
  assert.match(none, /Nothing matches this/);
  const all = await pageText(PATH);
  assert.match(all, /href="\/console\/destinations\?page=2"/);
  const names = async (path: string) =>
    [...(await pageText(path)).matchAll(/data-row href="[^"]*\/(dst_\w+)"/g)].map(([, one]) => one);
  const [first, second] = [await names(PATH), await names(`${PATH}?page=2`)];
  assert.equal(new Set([...first, ...second]).size, 100);
  await pool`delete from destination where slug = 'listed'`;
});

test('without any destination the page says how they come', async () => {
  await pool.begin(async (tx) => {
    await tx`create table kept as select * from destination`;
    await tx`delete from destination`;
  });
  try {
    assert.match(await pageText(PATH), /No destinations.*appear here when you add them/);
  } finally {
    await pool.begin(async (tx) => {
      await tx`insert into destination select * from kept`;
      await tx`drop table kept`;
    });
  }
});

test('an impossible destination is refused at its field, and nothing is added', async () => {
  const [before] = await pool`select count(*) from destination`;
  const flat = JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [100, 46],
        [100.1, 46],
        [100.2, 46],
        [100, 46],
      ],
    ],
  });
  const open = JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [100, 46],
        [101, 46],
        [101, 47],
        [100, 47],
      ],
    ],
  });
  for (const [field, value, message] of [
    ['slug', '', /must be lower-case letters/],
    ['slug', 'Great Steppe', /must be lower-case letters/],
    ['slug', 'a'.repeat(101), /100/],
    ['name', ' ', /at least 1/],
    ['country', 'Atlantis', /not a country/],
    ['lat', '', /must be degrees from -90 to 90, such as 36\.045/],
    ['lat', '90.1', /must be degrees/],
    ['lat', '1e1', /must be degrees/],
    ['lng', '100,5', /must be degrees from -180 to 180/],
    ['radius', '0', /must be kilometres from 0\.1 to 300/],
    ['radius', '301', /must be kilometres/],
    ['radius', 'far', /must be kilometres/],
    ['other_names', 'x'.repeat(201), /at most 200 characters/],
    ['outline', '{', /not valid JSON/],
    ['outline', '{"type":"Point","coordinates":[100,46]}', /Polygon or MultiPolygon/],
    ['outline', open, /rings are closed/],
    ['outline', flat, /no area/],
    ['outline', box(10, 46, 11, 47), /outside the outline/],
    ['outline', `{"type":"FeatureCollection","features":[`.repeat(2000), /not valid JSON/],
  ] as const) {
    const response = await add({ ...STEPPE, [field]: value });
    const page = (await response.text()).replaceAll(/\s+/g, ' ');
    assert.equal(response.status, 422, `${field} ${value.slice(0, 40)}`);
    const fault = new RegExp(`id="destination_add-${field}-fault">([^<]*)<`).exec(page)?.[1] ?? '';
    assert.match(fault, message);
    assert.match(page, /role="alert"/, 'the error is announced above the list too');
  }
  const both = await add({ ...STEPPE, radius: '5', outline: box(100, 46, 101, 47) });
  assert.equal(both.status, 422);
  assert.match(await both.text(), /either a radius or an outline/);
  const taken = await add({ ...STEPPE, slug: 'malta' });
  assert.equal(taken.status, 409);
  assert.match(await taken.text(), /There is a destination &quot;malta&quot; already/);
  const [now] = await pool`select count(*) from destination`;
  assert.deepEqual(now, before);
});

test('an outline across the date line is stored as a box across it', async () => {
  const coordinates = [
    [
      [
        [179, -18],
        [180, -18],
        [180, -16],
        [179, -16],
        [179, -18],
      ],
    ],
    [
      [
        [-180, -18],
        [-179, -18],
        [-179, -16],
        [-180, -16],
        [-180, -18],
      ],
    ],
  ];
  const outline = JSON.stringify({ type: 'MultiPolygon', coordinates });
  await addSound({ slug: 'taveuni', name: 'Taveuni', country: 'FJ', lat: '-17', lng: '-179.9', outline });
  const { west, east, south, north } = await stored('taveuni');
  assert.deepEqual([west, south, east, north], [179, -18, -179, -16]);
});

test('names change and the extent stays, unless a radius or an outline replaces it', async () => {
  const id = await addSound({ ...STEPPE, slug: 'edited', outline: box(100, 46, 100.4, 46.2) });
  const first = await stored('edited');
  const fields = { name: 'Great Steppe', lat: '46.15', lng: '100.3', other_names: 'Их тал' };
  const done = await change(id, fields);
  assert.equal(done.headers.get('location'), `${PATH}/${id}?done=changed`);
  const second = await stored('edited');
  assert.deepEqual(second, {
    ...first,
    ...{ name: 'Great Steppe', lat: 46.15, lng: 100.3, other_names: ['Их тал'] },
  });
  const form = await pageText(`${PATH}/${id}`);
  assert.match(form, /value="Great Steppe".*Их тал<\/textarea>.*value="46\.15".*value="100\.3"/);

  const same = await change(id, fields);
  assert.equal(same.headers.get('location'), `${PATH}/${id}?done=same`);
  assert.match(await pageText(`${PATH}/${id}?done=same`), /Nothing was changed/);
  for (const [faulty, message] of [
    [{ lat: '50' }, /outside the extent/],
    [{ outline: box(10, 46, 11, 47) }, /outside the outline/],
    [{ radius: '1', outline: box(100, 46, 101, 47) }, /either a radius or an outline/],
    [{ name: '' }, /at least 1/],
  ] as const) {
    const refused = await change(id, { ...fields, ...faulty });
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), message);
  }
  assert.deepEqual(await stored('edited'), second);
  const operations = (await auditOf(pool, id)).map(({ operation }) => operation);
  assert.deepEqual(operations, ['destination_add', 'destination_change']);

  await change(id, { ...fields, radius: '5' });
  const { outline, north } = await stored('edited');
  assert.deepEqual([outline, Math.round((Number(north) - 46.15) * 111.195)], [null, 5]);
  for (const missing of [`dst_${'0'.repeat(26)}`, 'edited']) {
    assert.equal((await lead.get(`${PATH}/${missing}`)).status, 404);
    assert.equal(
      (await lead.post(`${PATH}/${missing}`, { ...fields, radius: '', outline: '' }, PATH)).status,
      404,
    );
  }
  await pool`delete from destination where slug = 'edited'`;
});

test('places keep their ids when the outline changes, and the next import of their file moves them', async () => {
  const steppe = await addSound({ ...STEPPE, outline: box(100, 46, 100.4, 46.2) });
  const wide = { slug: 'gobi', name: 'Gobi', country: 'MN', lat: '46', lng: '99.5' };
  await addSound({ ...wide, outline: box(99, 45.5, 100.3, 46.5) });
  const placesAt = [
    ['Nomad Grill', 100.05],
    ['Eagle Bar', 100.25],
    ['Yurt Tavern', 100.38],
  ] as const;
  const features = placesAt.map(([name, lng]) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, 46.1] },
    properties: { name, category: 'bar' },
  }));
  const file = join(folder, 'bars.geojson');
  await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features }));
  const load = () => waypost('import', 'geojson', file, '--as-of', '2025-01-05');
  const rows = async () => {
    const places = await pool<{ id: string; name: string; slug: string; open: boolean }[]>`
      select p.id, p.name, d.slug, p.closed_at is null and p.removed_at is null as open
      from place p join destination d on d.id = p.destination_id
      where p.name = any(${placesAt.map(([name]) => name)}) order by p.lng`;
    assert.ok(places.every(({ open }) => open));
    return places.map(({ id, slug }) => ({ id, slug }));
  };
  await load();
  const [nomad, eagle, yurt] = await rows();
  assert.deepEqual([nomad?.slug, eagle?.slug, yurt?.slug], ['steppe', 'steppe', 'steppe']);
  const { slug: _slug, country: _country, ...fields } = STEPPE;
  const done = await change(steppe, { ...fields, outline: box(100, 46, 100.1, 46.2) });
  assert.equal(done.status, 303);
  assert.deepEqual(await rows(), [nomad, eagle, yurt], 'no place moves before the next import');
  assert.match(await pageText(`${PATH}/${steppe}`), /3 places not known to have closed/);
  await load();
  assert.deepEqual(await rows(), [nomad, { id: eagle?.id, slug: 'gobi' }, yurt]);
  assert.match(await pageText(`${PATH}/${steppe}`), /2 places not known to have closed/);
});

test('the list counts what is lacking, filters by it, and names the next step of each destination', async () => {
  const bare = await addSound({ ...STEPPE, slug: 'bare', name: 'Bare' });
  const outlined = { slug: 'lined', name: 'Lined', country: 'MN', lat: '46', lng: '99.5' };
  const lined = await addSound({ ...outlined, outline: box(99, 45.5, 100.3, 46.5) });
  const placeId = await addMadeUpPlace(pool, service.clock, { name: 'Yurt <i>' });
  await pool`update place set destination_id = ${lined} where id = ${placeId}`;
  const [stored] = await pool`
    select count(*)::int as all, count(*) filter (where outline is null)::int as boxes from destination`;
  const page = await pageText(PATH);
  const tile = (label: string) =>
    new RegExp(`<dt>${label}</dt> <dd>(?:<a [^>]*>)?([\\d,]+)<`).exec(page)?.[1];
  assert.equal(tile('Destinations'), String(stored?.['all']));
  assert.equal(tile('A box, no outline'), String(stored?.['boxes']));
  const rowOf = async (id: string, query: string) =>
    new RegExp(`href="${PATH}/${id}".*?</tr>`).exec(await pageText(`${PATH}?${query}`))?.[0] ?? '';
  assert.match(
    await rowOf(bare, 'q=bare&lacks=places'),
    /No places.*href="\/console\/set-up"[^>]*>Import its places/,
  );
  assert.equal(await rowOf(lined, 'q=lined&lacks=places'), '');
  assert.equal(await rowOf(lined, 'q=lined&lacks=outline'), '');
  assert.match(await rowOf(lined, 'q=lined'), /Yurt &lt;i&gt;.*No street map.*Add its streets/);
  assert.match(await pageText(`${PATH}/${lined}`), /No street map.*Yurt &lt;i&gt;.*0 of 1/);
});

test('only leads see the page, and its place in the navigation', async () => {
  assert.match(await pageText('/console'), /href="\/console\/destinations"/);
  for (const role of ['reviewer', 'desk'] as const) {
    const other = await signInStaff(service, role);
    assert.doesNotMatch(await (await other.get('/console')).text(), /console\/destinations/);
    const csrf = await other.token('/console');
    assert.equal((await other.postRaw(PATH, { csrf, ...STEPPE, slug: 'other' })).status, 403);
  }
});

for (const view of LOOKS) {
  test(`a destination is added and changed on ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    await signInBrowser(page, service, await addTestStaff(service, 'lead'));
    await page.goto(service.url + PATH);
    await assertSoundPage(visit);
    await screenshot(page, `console destinations ${view.name}`);
    const slug = `lake-${view.name.replaceAll(' ', '-')}`;
    await page.getByRole('link', { name: 'Add a destination' }).click();
    await page.getByRole('textbox', { name: 'Slug' }).fill(slug);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lake');
    await page.getByRole('textbox', { name: 'Country' }).fill('Mongolia');
    await page.getByLabel('Latitude').fill('51');
    await page.getByLabel('Longitude').fill('100.5');
    await page.getByRole('textbox', { name: 'Outline' }).fill('{"type":"Point"}');
    await page.getByRole('button', { name: 'Add the destination' }).click();
    await page.getByRole('alert').getByText('The outline is not GeoJSON').waitFor();
    assert.match(visit.faults.splice(0).join(), /422/, 'the browser notes the refusal');
    await assertSoundPage(visit);
    await screenshot(page, `console destination refused ${view.name}`);
    await page.getByRole('textbox', { name: 'Outline' }).fill(box(100, 50.5, 101, 51.5));
    await page.getByRole('button', { name: 'Add the destination' }).click();
    await page.getByRole('heading', { name: 'Lake', exact: true }).waitFor();
    await assertSoundPage(visit);
    await screenshot(page, `console destination ${view.name}`);
    await page.getByLabel('Other names').fill('Хөвсгөл нуур\nKhövsgöl');
    await page.getByRole('button', { name: 'Save the destination' }).click();
    await page.getByText('The destination is changed').waitFor();
    await page.getByText('Хөвсгөл нуур, Khövsgöl').waitFor();
    await pool`delete from destination where slug = ${slug}`;
  });
}
