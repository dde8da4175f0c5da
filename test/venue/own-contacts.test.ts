import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue } from '../bookings/asking-partner.ts';
import { signInStaff } from '../harness/people/staff.ts';
import { signInVenue } from '../harness/people/venue.ts';
import { startTestService } from '../harness/service/service.ts';
import { venueContacts } from '../../src/venue/contact.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';

const service = await startTestService();
const { pool } = service.database;
const agent = await SubmittingAgent.signUp(service);
const reviewer = await signInStaff(service, 'reviewer');

async function listing(placeId: string) {
  const { body } = await agent.get<{
    name: string;
    phone: string | null;
    website: string | null;
    sources: { name: string; fields: string[] }[];
  }>(`/api/agent/business/${placeId}`);
  return body;
}

function correct(placeId: string, fields: Record<string, string>): Promise<Response> {
  return reviewer.post(`/console/places/${placeId}/correction`, fields, `/console/places/${placeId}`);
}

test('a venue sets how it is reached, is called there, and takes a slip back', async () => {
  const placeId = await addVenue(service, { phone: '+6281811110001', email: 'ibu@own.example' });
  const venue = await signInVenue(service, placeId);
  const bad = await venue.post(
    '/venue/contacts',
    { phone: '0818 111', email: 'no address', website: 'ftp://own.example' },
    '/venue/contacts',
  );
  assert.equal(bad.status, 422);
  assert.equal((await bad.text()).match(/class="fault"/g)?.length, 3, 'all faults at once');
  assert.equal((await listing(placeId)).phone, '+6281811110001');

  const own = { phone: '+62 818 1111-0002', email: 'Ibu@Own.example', website: 'https://own.example/' };
  const saved = await venue.post('/venue/contacts', own, '/venue/contacts');
  assert.equal(saved.headers.get('location'), '/venue?done=contacts');
  const now = await listing(placeId);
  assert.deepEqual([now.phone, now.website], ['+6281811110002', 'https://own.example/']);
  const byVenue = now.sources.find(({ name }) => name === 'The venue')?.fields ?? [];
  assert.deepEqual(byVenue.toSorted(), ['email', 'phone', 'website']);
  assert.equal((await venueContacts(pool, placeId)).phone, '+6281811110002');

  const edit = /name="edit" value="(\d+)"/.exec(await (await venue.get('/venue')).text())?.[1] ?? '';
  await venue.post('/venue/undo', { edit }, '/venue');
  assert.equal((await listing(placeId)).phone, '+6281811110001', 'what the map says shows again');
  assert.deepEqual((await listing(placeId)).sources.map(({ name }) => name).includes('The venue'), false);
});

test('what a venue says it does not have stays empty, whatever others say', async () => {
  const placeId = await addVenue(service, { phone: '+6281811110003', email: 'ibu@none.example' });
  const venue = await signInVenue(service, placeId);
  await venue.post('/venue/contacts', { phone: '', email: '', website: '' }, '/venue/contacts');
  assert.equal((await listing(placeId)).phone, null);
  await correct(placeId, { field: 'phone', value: '+6281811110004', seen_at: 'a sign at the door' });
  assert.equal((await listing(placeId)).phone, null);
});

test('a correction by staff is shown with its source, over maps and agents and under the venue, and can be taken back', async () => {
  const placeId = await addVenue(service, { phone: '+6281811110005', email: 'ibu@corrected.example' });
  const before = (await listing(placeId)).name;
  const seen = { seen_at: 'https://own.example/contact' };
  assert.equal((await correct(placeId, { field: 'phone', value: 'call us', ...seen })).status, 422);
  assert.equal((await correct(placeId, { field: 'rating', value: '5', ...seen })).status, 422);
  assert.equal((await correct(placeId, { field: 'name', value: 'Warung Fajar', seen_at: '' })).status, 422);
  assert.equal((await listing(placeId)).name, before);

  await correct(placeId, { field: 'name', value: 'Warung Fajar', ...seen });
  await correct(placeId, { field: 'phone', value: '+6281811110006', ...seen });
  const corrected = await listing(placeId);
  assert.deepEqual([corrected.name, corrected.phone], ['Warung Fajar', '+6281811110006']);
  assert.ok(
    corrected.sources.some(
      ({ name, fields }) => name.startsWith('Corrected') && fields.join() === 'name,phone',
    ),
  );
  assert.equal(
    (await venueContacts(pool, placeId)).phone,
    '+6281811110005',
    'the venue is asked by what was published',
  );
  const page = await (await reviewer.get(`/console/places/${placeId}`)).text();
  assert.match(page, /Who said what/);
  assert.match(page, /One of us/);
  const [line] = await pool<{ operation: string; detail: { field: string; seen_at: string } }[]>`
    select operation, detail from audit_log where subject = ${placeId} order by sequence desc limit 1`;
  assert.deepEqual(line, { operation: 'correct_place', detail: { field: 'phone', ...seen } });

  await correct(placeId, { field: 'name', value: '', ...seen });
  assert.equal((await listing(placeId)).name, before);
  const desk = await signInStaff(service, 'desk');
  const refused = await desk.post(
    `/console/places/${placeId}/correction`,
    { field: 'name', value: 'Mine', ...seen },
    `/console/places/${placeId}`,
  );
  assert.equal(refused.status, 403);
});
