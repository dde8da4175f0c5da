import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue, AskingPartner } from '../bookings/asking-partner.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { FormClient, signInStaff } from '../harness/people/staff.ts';
import { codeIn, lastMessage, SubmittingAgent } from '../harness/people/submissions.ts';
import { importMap } from '../import/import-directory.ts';
import { startPhoneProvider } from '../twilio/phone-provider.ts';

const provider = await startPhoneProvider();
const service = await startTestService({ settings: provider.settings });
const { pool } = service.database;
const agent = await SubmittingAgent.signUp(service);
const partner = await AskingPartner.add(service);
const reviewer = await signInStaff(service, 'reviewer');
const desk = await signInStaff(service, 'desk');
let numbers = 6281700000;

const newNumber = () => `+${++numbers}`;
const spaced = (number: string) => `${number.slice(0, 3)} (${number.slice(3, 6)}) ${number.slice(6)}`;

/** Submits what an agent says of a place, and has a reviewer approve it. */
async function said(
  placeId: string,
  fields: Record<string, unknown>,
  by = agent,
): Promise<{ id: string; revision: number }> {
  const sent = await by.business({ name: 'Warung Senja', ...fields });
  const decision = { decision: 'approved', revision: String(sent.revision), place_id: placeId };
  const done = await reviewer.post(`/console/review/${sent.id}`, decision);
  assert.equal(done.status, 303, await done.text());
  return sent;
}

async function listing(placeId: string) {
  const { body } = await agent.get<{
    badge: string;
    phone: string | null;
    about: string | null;
    vertical: string;
    hours: { text: string; source: string } | null;
    submitted_fields: string[];
  }>(`/api/agent/business/${placeId}`);
  return body;
}

async function text(client: FormClient, path: string): Promise<string> {
  return (await client.get(path)).text();
}

/** Where the page offers to send a code to, masked. */
async function claimContacts(placeId: string): Promise<string[]> {
  const page = await text(new FormClient(service), `/venue/claim/${placeId}`);
  return [...new Set(page.match(/[^\s>]+•••[^\s<]+/g))];
}

/** Claims a place as its venue does, with the code that went to a contact that the page offers. */
async function claim(placeId: string): Promise<FormClient> {
  const venue = new FormClient(service);
  const page = `/venue/claim/${placeId}`;
  const via =
    /name="via" value="([^"]+)"|name="via"[^>]*>\s*<option value="([^"]+)"/.exec(await text(venue, page)) ??
    [];
  const contact = { via: via[1] ?? via[2] ?? '' };
  await venue.post(`${page}/code`, contact, page);
  const code = codeIn((await lastMessage(service, 'claim_code'))?.text ?? '');
  const entered = await venue.post(page, { ...contact, code });
  assert.equal(entered.headers.get('location'), '/venue?done=claim');
  return venue;
}

async function channelFor(placeId: string): Promise<string> {
  const table = { place_id: placeId, date: '2026-11-20', time: '19:30', party_size: 4 };
  return (await partner.call<{ channel: string }>('check_availability', table)).channel;
}

/** The number of texts and calls to a phone number. */
function reached(number: string): number {
  return provider.texts(number).length + provider.calls(number).length;
}

test('an agent that repeats the published contacts takes them from nobody: the venue is asked and claims by them', async () => {
  const phone = newNumber();
  const placeId = await addVenue(service, { phone, email: 'Halo@Senja.example' });
  const before = await claimContacts(placeId);
  assert.equal(before.length, 2);
  await said(placeId, { phone: spaced(phone), email: 'halo@senja.example', external_ref: 'repeats' });
  assert.deepEqual(await claimContacts(placeId), before);
  await said(placeId, { external_ref: 'repeats', description: 'A second revision says the same.' });
  assert.deepEqual(await claimContacts(placeId), before);
  assert.equal(await channelFor(placeId), 'tap');
  await partner.untilStatus(await partner.request(placeId), 'asking');
  assert.equal(provider.texts(phone).length, 1);
  await claim(placeId);
  assert.equal((await listing(placeId)).badge, 'claimed');
});

test('an honest owner who submits the contact that is published claims with it', async () => {
  const email = 'Ibu@Terang.example';
  const placeId = await addVenue(service, { email });
  await said(placeId, { relationship: 'owner', email: email.toLowerCase() });
  assert.equal((await lastMessage(service, 'claim_invitation'))?.to, email);
  await claim(placeId);
  assert.equal((await listing(placeId)).badge, 'claimed');
});

/** The number that travellers see, and whether it is marked as submitted by an agent only. */
async function shownPhone(placeId: string): Promise<[phone: string | null, submitted: boolean]> {
  const { phone, submitted_fields } = await listing(placeId);
  return [phone, submitted_fields.includes('phone')];
}

test('an agent that submits another contact and takes it back changes nothing that is published', async () => {
  const phone = newNumber();
  const placeId = await addVenue(service, { phone });
  const other = newNumber();
  for (const back of [null, spaced(phone)]) {
    for (const given of [other, back]) {
      await said(placeId, { phone: given, external_ref: 'back' });
      assert.deepEqual(await shownPhone(placeId), [phone, false]);
      assert.deepEqual(await claimContacts(placeId), [`+62•••${phone.slice(-3)}`]);
    }
  }
});

test('a contact that an agent submits fills an empty field, and empties it when the agent takes it back', async () => {
  const placeId = await addVenue(service);
  const phone = newNumber();
  for (const given of [phone, null]) {
    await said(placeId, { phone: given, external_ref: 'fills' });
    assert.deepEqual(await shownPhone(placeId), [given, given !== null]);
    assert.deepEqual(await claimContacts(placeId), []);
  }
});

test('the number of the map is shown and asked whatever an agent submits, and an equal one is published', async () => {
  const cafe = (phone?: string) => ({
    nodes: [
      {
        id: 7,
        lat: 42.5078,
        lng: 1.5211,
        tags: { amenity: 'cafe', name: 'Cafè Prova', ...(phone !== undefined && { phone }) },
      },
    ],
  });
  await importMap(service.database, '2025-01-01', cafe('+376 802 000'));
  const [place] = await pool<{ id: string }[]>`select id from place where source_ref = 'node/7'`;
  assert.ok(place);
  await said(place.id, { name: 'Cafè Prova', country: 'AD', city: 'Andorra la Vella', phone: '+376802999' });
  assert.deepEqual(await shownPhone(place.id), ['+376802000', false]);
  assert.deepEqual(await claimContacts(place.id), ['+37•••000']);
  await importMap(service.database, '2025-02-01', cafe('+376 802 111'));
  assert.deepEqual(await shownPhone(place.id), ['+376802111', false]);
  assert.deepEqual(await claimContacts(place.id), ['+37•••111']);
  await importMap(service.database, '2025-02-02', cafe('+376 802 999'));
  assert.deepEqual(await shownPhone(place.id), ['+376802999', false]);
  assert.deepEqual(await claimContacts(place.id), ['+37•••999']);
  await importMap(service.database, '2025-02-03', cafe());
  assert.deepEqual(await shownPhone(place.id), ['+376802999', true], 'the map leaves it to the agent');
  assert.deepEqual(await claimContacts(place.id), []);
  await importMap(service.database, '2025-02-04', cafe('+376 802 222'));
  assert.deepEqual(await shownPhone(place.id), ['+376802222', false]);
  assert.deepEqual(await claimContacts(place.id), ['+37•••222']);
});

test('a number that an agent submitted is shown, and never dialled, texted or given to the desk', async () => {
  const phone = newNumber();
  const placeId = await addVenue(service, { method: 'request' });
  const email = 'stranger@elsewhere.example';
  await said(placeId, { phone, email, website: 'https://stranger.example/' });
  assert.equal((await listing(placeId)).phone, phone);
  assert.equal(await channelFor(placeId), 'desk');
  const bookingId = await partner.request(placeId);
  await until('the desk has it', async () => {
    const asks = await pool`
      select 1 from venue_ask where booking_id = ${bookingId} and channel = 'desk' and state = 'waiting'`;
    return asks.length > 0;
  });
  assert.equal(reached(phone), 0);
  assert.equal((await pool`select 1 from message where recipient = ${email}`).length, 0);
  const card = new RegExp(`id="${bookingId}"[^]*?</li>`).exec(await text(desk, '/console/desk'))?.[0] ?? '';
  assert.match(card, /We have no phone number published by the venue\./);
  assert.ok(!card.includes(phone) && !card.includes('stranger.example'), card);
});

test('where an agent submits another number, the published one is shown, called and texted', async () => {
  for (const method of ['phone', 'request'] as const) {
    const [phone, submitted] = [newNumber(), newNumber()];
    const placeId = await addVenue(service, { phone, method });
    await said(placeId, { phone: submitted });
    assert.deepEqual(await shownPhone(placeId), [phone, false]);
    const bookingId = await partner.request(placeId);
    await partner.untilStatus(bookingId, 'asking');
    assert.deepEqual([reached(phone), reached(submitted)], [1, 0], method);
  }
});

/** The effect of an approval on a submitted contact, as the reviewer's page describes it. */
async function effectOf(id: string, submitted: string): Promise<string> {
  const page = (await text(reviewer, `/console/review/${id}`)).replaceAll(/\s+/g, ' ');
  const after = page.split(`Submitted:</span> <bdi>${submitted}</bdi>`)[1] ?? '';
  return /^ <br \/><span class="soft">If you approve:<\/span> (.*?)<\/dd>/.exec(after)?.[1] ?? '';
}

test('the reviewer reads what a changed contact leads to before it is approved, and that is what happens', async () => {
  const [phone, other] = [newNumber(), newNumber()];
  const email = 'new@periksa.example';
  const placeId = await addVenue(service, { phone, name: 'Warung Periksa' });
  await service.app.deps.places.follow();
  const submitted = { name: 'Warung Periksa', external_ref: 'effect', email };
  const { id, revision } = await agent.business({ ...submitted, phone: other });
  await pool`update submission set place_id = ${placeId} where id = ${id}`;
  const shown =
    'Shown to travellers; never used to contact the venue or as proof. There is no other contact.';
  assert.equal(await effectOf(id, email), shown);
  const kept = await effectOf(id, other);
  assert.match(kept, /^Not applied: /);

  const decision = { decision: 'approved', revision: String(revision), place_id: placeId };
  assert.equal((await reviewer.post(`/console/review/${id}`, decision)).status, 303);
  assert.deepEqual(await shownPhone(placeId), [phone, false]);
  assert.deepEqual((await listing(placeId)).submitted_fields, ['email']);
  assert.deepEqual(await claimContacts(placeId), [`+62•••${phone.slice(-3)}`]);
  await agent.business({ ...submitted, phone: spaced(phone) });
  assert.match(await text(reviewer, `/console/review/${id}`), /Same as published/);
  assert.doesNotMatch(kept, /claimed/, 'nobody has claimed this place');
});

test('whether an operator acts for a business is asked at a published contact or by the desk, never at the address that it gave', async () => {
  const own = { relationship: 'authorized_agent', email: 'operator@elsewhere.example', phone: newNumber() };
  const published = await addVenue(service, { email: 'halo@terbit.example' });
  await said(published, own);
  assert.equal((await lastMessage(service, 'business_confirmation'))?.to, 'halo@terbit.example');
  for (const target of [await addVenue(service), 'new']) {
    const { id } = await said(target, { ...own, name: 'Warung Tanpa Kontak' });
    assert.equal((await pool`select 1 from message where subject_id = ${id}`).length, 0);
    assert.match(await text(desk, '/console/desk'), new RegExp(`/console/desk/${id}/answer`));
    assert.equal((await agent.standing(id))['live_blocked_by'], 'business_confirmation');
  }
  assert.equal(reached(own.phone), 0);
});

/** The fields that the place's record calls the venue's own. */
async function venuesOwn(placeId: string): Promise<string[]> {
  const { body } = await agent.get<{ sources: { name: string; fields: string[] }[] }>(
    `/api/agent/business/${placeId}`,
  );
  return body.sources.find(({ name }) => name === 'The venue')?.fields.sort() ?? [];
}

/** Answers of the venue in the audit log, with the agent concerned. */
async function auditOf(placeId: string): Promise<string[]> {
  const rows = await pool<{ said: string }[]>`
    select concat(detail->>'agent_id', ' ', detail->>'answer') as said from audit_log
    where subject = ${placeId} and operation = 'answer_for_representative' order by sequence`;
  return rows.map(({ said: words }) => words);
}

/** Where a submission stands, and why. */
async function verdict(by: SubmittingAgent, id: string): Promise<unknown[]> {
  const { status, live, reason } = (await by.standing(id)) as {
    status: string;
    live: boolean;
    reason: { code: string } | null;
  };
  return [status, live, reason?.code];
}

const DENIED = ['rejected', false, 'relationship_denied'];

test("an impostor's values overwrite nothing, and the venue's no deletes them", async () => {
  const impostor = await SubmittingAgent.signUp(service);
  const phone = newNumber();
  const placeId = await addVenue(service, { email: 'ibu@impostor.example', phone });
  const own = { relationship: 'owner', external_ref: 'impostor', vertical: 'restaurant' };
  const false1 = { hours: 'Mo-Su 00:00-04:00', description: 'Closed to you.', phone: newNumber() };
  const { id } = await said(placeId, { ...own, ...false1 }, impostor);
  assert.deepEqual(await shownPhone(placeId), [phone, false]);
  const venue = await claim(placeId);
  const claimed = await listing(placeId);
  assert.deepEqual([claimed.badge, claimed.hours?.source], ['claimed', 'reviewer']);
  assert.deepEqual([claimed.phone, claimed.submitted_fields], [phone, ['about', 'hours']]);
  assert.deepEqual(await venuesOwn(placeId), []);

  const area = await text(venue, '/venue');
  assert.match(area, /Test Operator<\/bdi> claims to be the owner of this place/);
  for (const shown of ['Mo-Su 00:00-04:00', 'Closed to you.', false1.phone]) assert.ok(area.includes(shown));
  await venue.post('/venue/about', { about: 'Grilled fish since 1987.' });
  const answer = (given: string) =>
    venue.post('/venue/representative', { agent: impostor.agentId, answer: given }, '/venue');
  const more = { hours: 'Mo-Su 01:00-02:00', description: 'Still closed.', vertical: 'shop' };

  assert.equal((await answer('')).status, 422);
  await said(placeId, { ...own, ...more }, impostor);
  const unanswered = await listing(placeId);
  assert.deepEqual([unanswered.about, unanswered.vertical], ['Grilled fish since 1987.', 'restaurant']);
  assert.deepEqual([unanswered.hours?.text, unanswered.hours?.source], ['Mo-Su 00:00-04:00', 'reviewer']);
  assert.deepEqual([unanswered.phone, unanswered.submitted_fields], [phone, ['hours']]);
  assert.deepEqual(await venuesOwn(placeId), ['about']);
  assert.deepEqual(await verdict(impostor, id), ['approved', true, undefined]);

  /** The listing without anything that the impostor said. */
  const assertFreed = async () => {
    const { about, vertical, hours, phone: number, submitted_fields } = await listing(placeId);
    assert.deepEqual([about, vertical, hours], ['Grilled fish since 1987.', 'restaurant', null]);
    assert.deepEqual([number, submitted_fields], [phone, []]);
    assert.deepEqual(await venuesOwn(placeId), ['about']);
  };
  assert.equal((await answer('no')).status, 303);
  await assertFreed();
  assert.deepEqual(await verdict(impostor, id), DENIED);
  assert.deepEqual(await auditOf(placeId), [`${impostor.agentId} no`]);

  const again = await impostor.business({ ...own, ...more, name: 'Warung Senja' });
  assert.equal(again.id, id);
  assert.match(await text(reviewer, `/console/review/${id}`), /this operator does not act for us/);
  const decision = { decision: 'approved', revision: String(again.revision), place_id: placeId };
  assert.equal((await reviewer.post(`/console/review/${id}`, decision)).status, 409);
  await assertFreed();
  const bookingId = await partner.request(placeId, { time: '03:00' });
  await partner.untilStatus(bookingId, 'asking');
  assert.equal(reached(false1.phone), 0);

  await said(placeId, { ...own, ...more, relationship: 'third_party' }, impostor);
  const third = await listing(placeId);
  assert.deepEqual([third.about, third.vertical], ['Grilled fish since 1987.', 'restaurant']);
  assert.deepEqual([third.hours?.text, third.hours?.source], ['Mo-Su 01:00-02:00', 'reviewer']);
  assert.deepEqual([third.phone, third.submitted_fields], [phone, ['hours']], 'it fills what is empty');
  assert.deepEqual(await venuesOwn(placeId), ['about']);
});

test('with the yes of the venue its operator speaks for it from then on, and the no deletes all that it said', async () => {
  const manager = await SubmittingAgent.signUp(service);
  const published = newNumber();
  const placeId = await addVenue(service, { email: 'ibu@manager.example', phone: published });
  const own = { relationship: 'owner', external_ref: 'manager' };
  await said(placeId, { ...own, hours: 'Mo-Su 10:00-22:00', description: 'Ours.' }, manager);
  const venue = await claim(placeId);
  const say = (answer: string, agentId = manager.agentId) =>
    venue.post('/venue/representative', { agent: agentId, answer }, '/venue');

  assert.equal((await say('perhaps')).status, 422);
  assert.equal((await say('yes', agent.agentId)).status, 404, 'nobody who did not speak in its name');
  const fields = { agent: manager.agentId, answer: 'yes' };
  assert.equal(
    (await venue.postRaw('/venue/representative', fields)).status,
    403,
    'a form without its token',
  );
  const stranger = await new FormClient(service).post('/venue/representative', fields, '/venue');
  assert.equal(stranger.status, 401);
  assert.equal((await listing(placeId)).hours?.source, 'reviewer');

  assert.equal((await say('yes')).headers.get('location'), '/venue?done=acts_yes');
  assert.equal((await say('yes')).status, 303, 'said again it changes nothing');
  assert.equal((await listing(placeId)).hours?.source, 'owner');
  assert.deepEqual(await venuesOwn(placeId), ['about', 'city', 'hours', 'name']);
  const phone = newNumber();
  const { id } = await said(placeId, { ...own, hours: 'Mo-Su 11:00-23:00', phone }, manager);
  const spoken = await listing(placeId);
  assert.deepEqual([spoken.hours?.text, spoken.hours?.source], ['Mo-Su 11:00-23:00', 'owner']);
  assert.deepEqual([spoken.phone, spoken.submitted_fields], [phone, []], 'also before what is published');
  assert.deepEqual(await venuesOwn(placeId), ['about', 'city', 'hours', 'name', 'phone']);

  await venue.post('/venue/about', { about: 'In our own words.' });
  await say('no');
  const denied = await listing(placeId);
  assert.deepEqual([denied.hours, denied.phone, denied.about], [null, published, 'In our own words.']);
  assert.deepEqual([await venuesOwn(placeId), denied.submitted_fields], [['about'], []]);
  assert.deepEqual(await verdict(manager, id), DENIED);
  const edit = /name="edit" value="(\d+)"/.exec(await text(venue, '/venue'))?.[1] ?? '';
  await venue.post('/venue/undo', { edit }, '/venue');
  const undone = await listing(placeId);
  assert.deepEqual([undone.about, await venuesOwn(placeId)], [null, []], 'nor by way of an undone change');
  assert.deepEqual(await auditOf(placeId), [`${manager.agentId} yes`, `${manager.agentId} no`]);
});

test('an operator of whom the venue said yes is not asked for again when it manages more', async () => {
  const manager = await SubmittingAgent.signUp(service);
  const placeId = await addVenue(service, { email: 'ibu@again.example' });
  await said(placeId, { relationship: 'owner', description: 'Ours.' }, manager);
  const venue = await claim(placeId);
  await venue.post('/venue/representative', { agent: manager.agentId, answer: 'yes' }, '/venue');
  const { id } = await said(placeId, { relationship: 'authorized_agent', price_range: '$$' }, manager);
  const standing = await manager.standing(id);
  assert.deepEqual([standing['live'], standing['live_blocked_by']], [true, null]);
});
