import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue } from '../bookings/asking-partner.ts';
import { signInStaff } from '../harness/people/staff.ts';
import { signInVenue } from '../harness/people/venue.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { venueContacts } from '../../src/venue/contact.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';

const service = await sharedService();
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
  assert.deepEqual(byVenue.toSorted(), ['phone', 'website'], 'what it left as it was is not its word');
  assert.equal((await venueContacts(pool, placeId)).phone, '+6281811110002');

  const edit = /name="edit" value="(\d+)"/.exec(await (await venue.get('/venue')).text())?.[1] ?? '';
  await venue.post('/venue/undo', { edit }, '/venue');
  assert.equal((await listing(placeId)).phone, '+6281811110001', 'what the map says shows again');
  assert.deepEqual((await listing(placeId)).sources.map(({ name }) => name).includes('The venue'), false);
});

test("a venue that corrects its website does not make a stranger's number its own", async () => {
  const placeId = await addVenue(service, { phone: null, email: 'ibu@partly.example' });
  const sent = await agent.business({ name: 'Warung Senja', phone: '+6281811119999' });
  const decision = { decision: 'approved', revision: String(sent.revision), place_id: placeId };
  assert.equal((await reviewer.post(`/console/review/${sent.id}`, decision)).status, 303);
  const venue = await signInVenue(service, placeId);
  const shown = { phone: '+6281811119999', email: 'ibu@partly.example' };
  await venue.post('/venue/contacts', { ...shown, website: 'https://own.example/' }, '/venue/contacts');
  const now = await listing(placeId);
  assert.deepEqual([now.phone, now.website], ['+6281811119999', 'https://own.example/']);
  assert.deepEqual(now.sources.find(({ name }) => name === 'The venue')?.fields, ['website']);
  assert.equal((await venueContacts(pool, placeId)).phone, null, 'and is never called by it');
  await venue.post('/venue/contacts', { ...shown, website: 'https://own.example/' }, '/venue/contacts');
  const [edits] = await pool<{ count: number }[]>`
    select count(*)::int as count from venue_edit where place_id = ${placeId}`;
  assert.equal(edits?.count, 1, 'the same again is no change');
});

test('an operator that no longer speaks in the name of the venue speaks in its own, and the venue can still say no', async () => {
  const placeId = await addVenue(service, { email: 'ibu@operator.example', phone: null });
  const submit = async (fields: Record<string, unknown>) => {
    const sent = await agent.business({ name: 'Warung Senja', external_ref: 'turns', ...fields });
    const decision = { decision: 'approved', revision: String(sent.revision), place_id: placeId };
    assert.equal((await reviewer.post(`/console/review/${sent.id}`, decision)).status, 303);
  };
  await submit({ relationship: 'owner', phone: '+6281811118888' });
  const venue = await signInVenue(service, placeId);
  const answer = (given: string) =>
    venue.post('/venue/representative', { agent: agent.agentId, answer: given }, '/venue');
  await answer('yes');
  assert.equal((await venueContacts(pool, placeId)).phone, '+6281811118888');
  await submit({ relationship: 'third_party', phone: '+6281811118888' });
  assert.equal((await venueContacts(pool, placeId)).phone, null);
  assert.equal((await listing(placeId)).phone, '+6281811118888', 'it is still shown');
  assert.equal((await answer('no')).headers.get('location'), '/venue?done=acts_no');
});

test('an undone change gives the venue back its own word, not that of its operator', async () => {
  const placeId = await addVenue(service, { email: 'ibu@undone.example' });
  const venue = await signInVenue(service, placeId);
  await venue.post('/venue/about', { about: 'First.' }, '/venue/about');
  const sent = await agent.business({
    name: 'Warung Senja',
    relationship: 'owner',
    external_ref: 'undone',
    description: 'Second.',
  });
  const decision = { decision: 'approved', revision: String(sent.revision), place_id: placeId };
  await reviewer.post(`/console/review/${sent.id}`, decision);
  await venue.post('/venue/representative', { agent: agent.agentId, answer: 'yes' }, '/venue');
  await venue.post('/venue/about', { about: 'Third.' }, '/venue/about');
  const edit = /name="edit" value="(\d+)"/.exec(await (await venue.get('/venue')).text())?.[1] ?? '';
  await venue.post('/venue/undo', { edit }, '/venue');
  const [row] = await pool<{ said: string[] }[]>`
    select (select array_agg(w->>'value') from jsonb_array_elements(field_claims->'about') w where w->>'ref' = 'venue') as said
    from place where id = ${placeId}`;
  assert.deepEqual(row?.said, ['First.']);
});

test('a field that a venue emptied stays empty, whatever others claim', async () => {
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
  assert.match(page, /Sources of each field/);
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
