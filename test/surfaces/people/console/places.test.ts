import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signUpAgent } from '../../../harness/service/service.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { signInStaff } from '../../../harness/people/staff.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool, places: index } = service.app.deps;
const staff = await signInStaff(service, 'reviewer');
const { apiKey } = await signUpAgent(service);

interface Picked {
  id: string;
  name: string;
}

let picked = 0;
async function pick(): Promise<Picked> {
  const [place] = await pool<Picked[]>`
    select id, name from place where closed_at is null and badge = 'mapped' order by id offset ${picked++} limit 1`;
  assert.ok(place);
  return place;
}

function send(place: Picked, action: string, fields: Record<string, string>): Promise<Response> {
  return staff.post(`/console/places/${place.id}/${action}`, fields, `/console/places/${place.id}`);
}

async function searchReturns(place: Picked): Promise<boolean> {
  await index.follow();
  return index
    .search({ text: place.name, limit: 50 })
    .hits.some(({ place: one }) => one.placeId === place.id);
}

async function fetchPlace(id: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await service.request(`/api/agent/business/${id}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const REPORT = { source_url: 'https://news.example/closed', note: 'Closed at the end of October.' };

test('a published report closes a place, with its source, and a reopening takes that back', async () => {
  const place = await pick();
  const closed = await send(place, 'closure', REPORT);
  assert.equal(closed.headers.get('location'), `/console/places/${place.id}?done=closed`);
  assert.equal(await searchReturns(place), false);
  const { body } = await fetchPlace(place.id);
  assert.equal((body['open_status'] as { state: string }).state, 'closed');
  const found = await (await staff.get(`/console/places?q=${encodeURIComponent(place.name)}`)).text();
  assert.ok(found.includes(place.id), 'staff find closed places too');

  const opened = await send(place, 'reopening', {
    source_url: 'https://news.example/open',
    note: 'Open again since today.',
  });
  assert.equal(opened.headers.get('location'), `/console/places/${place.id}?done=open`);
  assert.equal(await searchReturns(place), true);
  const [ended] = await pool`select ended_note from closure_ended where place_id = ${place.id}`;
  assert.match(String(ended?.['ended_note']), /https:\/\/news\.example\/open/);
});

test('neither a closure nor an accolade is recorded without a source that can be read', async () => {
  const place = await pick();
  const accolade = {
    title: 'Best soup',
    year: '2025',
    source_name: 'Soup Guide',
    source_url: 'https://soup.example/2025',
  };
  for (const [action, fields] of [
    ['closure', { ...REPORT, source_url: '' }],
    ['closure', { ...REPORT, source_url: 'javascript:alert(1)' }],
    ['closure', { ...REPORT, note: '' }],
    ['closure', { ...REPORT, observed_on: '2031-01-01' }],
    ['closure', { ...REPORT, observed_on: 'yesterday' }],
    ['accolades', { ...accolade, source_url: '' }],
    ['accolades', { ...accolade, source_url: 'ftp://soup.example' }],
    ['accolades', { ...accolade, source_name: '' }],
    ['accolades', { ...accolade, year: 'last' }],
    ['accolades', { ...accolade, title: 'x'.repeat(161) }],
  ] as const)
    assert.equal((await send(place, action, fields)).status, 422, `${action} ${JSON.stringify(fields)}`);
  assert.equal(await searchReturns(place), true);
  assert.deepEqual((await fetchPlace(place.id)).body['accolades'], []);
  await send(place, 'accolades', accolade);
  await send(place, 'accolades', { ...accolade, year: '2026' });
  assert.deepEqual((await fetchPlace(place.id)).body['accolades'], [{ ...accolade, year: 2026 }]);
  await send(place, 'accolades/remove', { title: 'Best soup' });
  assert.deepEqual((await fetchPlace(place.id)).body['accolades'], []);
});

test('two records of one place become one, which takes what it lacked, and the other leaves search', async () => {
  const [kept, merged] = [await pick(), await pick()];
  await pool`update place set phone = null, about = 'The kept words.' where id = ${kept.id}`;
  await pool`update place set phone = '+6281234567890', about = 'Other words.' where id = ${merged.id}`;
  await send(merged, 'accolades', {
    title: 'Best view',
    year: '',
    source_name: 'View Guide',
    source_url: 'https://view.example',
  });
  const choices = await (await send(kept, 'merge', { merged_id: merged.name })).text();
  assert.ok(choices.includes(`name="merged_id" value="${merged.id}"`), 'it is found by its name');
  assert.ok(!choices.includes(`name="merged_id" value="${kept.id}"`), 'a place is no duplicate of itself');
  assert.equal((await send(kept, 'merge', { merged_id: 'Qwxzyvut Zzqk' })).status, 422);
  const compared = await send(kept, 'merge', { merged_id: merged.id });
  assert.match(await compared.text(), /Merge two records/);
  assert.equal((await fetchPlace(merged.id)).status, 200, 'comparing changes nothing');
  const done = await send(kept, 'merge', { merged_id: merged.id, sure: 'yes' });
  assert.equal(done.headers.get('location'), `/console/places/${kept.id}?done=merge_places`);
  assert.equal((await fetchPlace(merged.id)).status, 404);
  assert.equal(await searchReturns(merged), false);
  const { body } = await fetchPlace(kept.id);
  assert.deepEqual([body['phone'], body['about']], ['+6281234567890', 'The kept words.']);
  assert.equal((body['accolades'] as unknown[]).length, 1);
  const [removed] = await pool`select reason from place_removed where place_id = ${merged.id}`;
  assert.equal(removed?.['reason'], 'merged');
  const led = await service.request(`/p/${merged.id}`, { redirect: 'manual' });
  assert.deepEqual([led.status, led.headers.get('location')], [301, `/p/${kept.id}`]);
});

test('records of a name are offered for merging by their distance, the nearest first', async () => {
  const [kept] = await pool<(Picked & { lat: number; lng: number })[]>`
    select id, name, lat, lng from place where closed_at is null and badge = 'mapped' and lat is not null
    order by id desc limit 1`;
  assert.ok(kept);
  const ids = [0.3, 0.001, 0.02].map(() => service.app.deps.newId('plc'));
  for (const [at, apart] of [0.3, 0.001, 0.02].entries())
    await pool`
      insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref)
      select ${ids[at] ?? ''}, destination_id, 'Zwillingshaus', vertical, category, country, ${kept.lat + apart}, lng, 'osm',
        ${`node/7${at}`} from place where id = ${kept.id}`;
  await index.follow();
  const page = await (await send(kept, 'merge', { merged_id: 'Zwillingshaus' })).text();
  const shown = [...page.matchAll(/name="merged_id" value="(plc_\w+)"/g)].map(([, id]) => id);
  assert.deepEqual(shown, [ids[1], ids[2], ids[0]]);
  assert.match(page, /111 m[^]*2,224 m[^]*33 km/);
});

test('a record that its venue has claimed is never the one that goes', async () => {
  const [kept, claimed] = [await pick(), await pick()];
  await pool`update place set badge = 'claimed' where id = ${claimed.id}`;
  const refused = await send(kept, 'merge', { merged_id: claimed.id, sure: 'yes' });
  assert.equal(refused.status, 422);
  for (const merged_id of [kept.id, 'plc_1', `plc_${'0'.repeat(26)}`, ''])
    assert.equal((await send(kept, 'merge', { merged_id, sure: 'yes' })).status, 422, merged_id);
  assert.equal((await fetchPlace(claimed.id)).status, 200);
});

test('changes of a place are in the audit log', async () => {
  const place = await pick();
  await send(place, 'closure', REPORT);
  const [line] = await pool`select * from audit_log where subject = ${place.id}`;
  assert.equal(line?.['actor'], staff.staff.id);
  assert.equal(line['operation'], 'record_closure');
  assert.equal((line['detail'] as { source_url: string }).source_url, REPORT.source_url);
});

test('a reviewer corrects the hours of a place: in any form that can be read, filled in, and with an audit row', async () => {
  const place = await pick();
  await pool`
    update place set hours = ${pool.json({ text: 'Mo-Su 10:00-20:00', source: 'map', observed_at: '2026-01-01T00:00:00Z', compiled: null })}
    where id = ${place.id}`;
  const page = await (await staff.get(`/console/places/${place.id}?correct=hours`)).text();
  assert.match(page, /<option value="hours"\s+selected/);
  assert.match(page, />\s*Mo-Su 10:00-20:00<\/textarea>/, 'the value that is shown is filled in');
  const correct = (value: string) =>
    send(place, 'correction', { field: 'hours', value, seen_at: 'on the door' });
  assert.match(await (await correct('when the cook is awake')).text(), /Write Mo-Fr 09:00-17:00/);
  const done = await correct('Mon-Fri 9am-5pm');
  assert.equal(done.headers.get('location'), `/console/places/${place.id}?done=corrected`);
  const { body } = await fetchPlace(place.id);
  const hours = body['hours'] as { verified: boolean; source: string };
  assert.deepEqual([hours.verified, hours.source], [true, 'reviewer']);
  assert.match(JSON.stringify(hours), /"09:00","17:00"/);
  const [row] =
    await pool`select detail from audit_log where operation = 'correct_place' and subject = ${place.id}`;
  assert.deepEqual(row?.['detail'], { field: 'hours', seen_at: 'on the door' });
});
