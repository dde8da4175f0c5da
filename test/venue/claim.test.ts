import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transactionsOf } from '../../src/core/postgres/db.ts';
import { TRIES_MAX } from '../../src/accounts/sign-in/mailed-code.ts';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { enterClaimCode, sendClaimCode, type CodeRequester } from '../../src/venue/claim-code.ts';
import { contactKey, maskContact, venueContacts, type Contact } from '../../src/venue/contact.ts';
import { listDeskTasks, vouchForContact } from '../../src/venue/desk-task.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { FormClient } from '../harness/people/staff.ts';
import {
  addReviewer,
  approve,
  codeIn,
  lastMessage,
  SubmittingAgent,
  codeMessage,
} from '../harness/people/submissions.ts';
import { MINUTE_MS } from '../../src/core/time.ts';

const service = await startTestService({ demoPlaces: 300 });
const { deps } = service.app;
const { pool } = deps;
const agent = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service);
let venues = 0;

/** A place of the map with a published mail address, which nobody has claimed. */
async function mappedPlace(): Promise<{ id: string; name: string; contact: Contact }> {
  venues += 1;
  const name = `Rumah Makan ${['Anggrek', 'Bakung', 'Cempaka', 'Dahlia', 'Edelweis', 'Flamboyan', 'Gardenia', 'Hibiskus', 'Iris'][venues] ?? venues}`;
  const email = `hello${venues}@rumah.example`;
  const [place] = await pool<{ id: string }[]>`
    insert into place (id, destination_id, name, vertical, category, country, city, lat, lng, email, source, source_ref)
    select ${deps.newId('plc')}, id, ${name}, 'restaurant', 'restaurant', 'ID', 'Bali', lat + ${venues / 100}, lng, ${email},
      'osm', ${`node/${venues}`} from destination where slug = 'bali' returning id`;
  assert.ok(place);
  await deps.places.follow();
  return { id: place.id, name, contact: { channel: 'mail', to: email } };
}

async function badge(placeId: string): Promise<unknown> {
  return (await agent.get(`/api/agent/business/${placeId}`)).body['badge'];
}

let browsers = 0;

/** Somebody with a browser of their own. */
function askerAt(address: string): CodeRequester {
  return { address: addressGroup(address), browser: Buffer.alloc(32, (browsers += 1)) };
}

const VENUE = askerAt('192.0.2.1');

const enter = (placeId: string, contact: Contact, code: string, asker = VENUE) =>
  transactionsOf(pool)((tx) =>
    enterClaimCode(
      tx,
      { deps, now: deps.clock.now(), audit: () => undefined },
      { placeId, contact, asker, code },
    ),
  );

const send = (placeId: string, contact: Contact, asker = VENUE) =>
  pool.begin((tx) => sendClaimCode(deps, tx, { placeId, contact, asker }, codeMessage));

async function mailedCode(): Promise<string> {
  return codeIn((await lastMessage(service, 'claim_code'))?.text ?? '');
}

test('an owner is asked at the contact that was published before, never at the submitted one, and claims with the code', async () => {
  const { id, name, contact } = await mappedPlace();
  const sent = await agent.business({
    relationship: 'owner',
    name,
    email: 'thief@elsewhere.example',
    phone: '+62361999000',
    hours: 'Mo-Su 10:00-22:00',
  });
  await approve(service, staffId, sent);
  const live = await agent.standing(sent.id);
  assert.deepEqual([live['place_id'], live['live'], live['badge']], [id, true, 'mapped']);
  const invitation = await lastMessage(service, 'claim_invitation');
  assert.equal(invitation?.to, contact.to);
  assert.ok(invitation.text.includes(`/venue/claim/${id}`));
  assert.ok(invitation.text.includes('Test Operator'));
  assert.doesNotMatch(invitation.text, /\b\d{6}\b/, 'a code is sent to a browser that asks for it');
  await send(id, contact);
  const message = await lastMessage(service, 'claim_code');
  assert.equal(message?.to, contact.to);
  assert.doesNotMatch(message.subject, /\d{6}/);
  assert.deepEqual(await enter(id, contact, codeIn(message.text)), { outcome: 'claimed', placeId: id });
  assert.equal(await badge(id), 'claimed');
  assert.equal((await agent.standing(sent.id))['badge'], 'claimed');
  const { body } = await agent.get<{ hours: { source: string } }>(`/api/agent/business/${id}`);
  assert.equal(
    body.hours.source,
    'reviewer',
    'what an agent said is not the word of the venue by a code alone',
  );
});

test('a contact that an agent submitted can never be used to claim, even after a reviewer let it pass', async () => {
  const { id, name } = await mappedPlace();
  await pool`update place set email = null where id = ${id}`;
  const sent = await agent.business({ name, email: 'agent@elsewhere.example', phone: '+62361999001' });
  await approve(service, staffId, sent);
  assert.deepEqual((await venueContacts(pool, id)).messageContacts, []);
  const owner = await agent.business({ relationship: 'owner', name, email: 'agent@elsewhere.example' });
  await approve(service, staffId, owner);
  assert.equal(await badge(id), 'mapped');
  const tasks = await listDeskTasks(pool, 100);
  assert.ok(tasks.some((task) => task.kind === 'verify_owner' && task.submissionId === owner.id));
});

test('a new place without a published contact goes to the desk, whose contact is then written to and gets the code', async () => {
  const sent = await agent.business({
    relationship: 'owner',
    name: 'Bale Bengong Segara',
    email: 'me@bale.example',
  });
  await approve(service, staffId, sent);
  const placeId = String((await agent.standing(sent.id))['place_id']);
  assert.deepEqual((await venueContacts(pool, placeId)).messageContacts, []);
  const contact: Contact = { channel: 'mail', to: 'office@bale.example' };
  const vouch = { placeId, contact, staffId, foundAt: 'https://bale.example/contact' };
  const vouchFor = (given: typeof vouch) =>
    pool.begin((tx) => vouchForContact(tx, { deps, now: deps.clock.now() }, given));
  await assert.rejects(vouchFor({ ...vouch, foundAt: ' ' }), { code: 'validation_failed' });
  assert.equal(await vouchFor(vouch), true);
  assert.ok(!(await listDeskTasks(pool, 100)).some((task) => task.submissionId === sent.id));
  assert.equal((await lastMessage(service, 'claim_invitation'))?.to, contact.to);
  await send(placeId, contact);
  const message = await lastMessage(service, 'claim_code');
  assert.equal(message?.to, contact.to);
  await enter(placeId, contact, codeIn(message.text));
  assert.equal(await badge(placeId), 'claimed');
});

test('five wrong codes lock whoever entered them for an hour, and the right one no longer helps', async () => {
  const { id, contact } = await mappedPlace();
  await send(id, contact);
  const code = await mailedCode();
  const wrong = code === '000000' ? '000001' : '000000';
  for (let left = TRIES_MAX - 1; left > 0; left--)
    assert.deepEqual(await enter(id, contact, wrong), { outcome: 'wrong', triesLeft: left });
  assert.equal((await enter(id, contact, wrong)).outcome, 'locked');
  assert.equal((await enter(id, contact, code)).outcome, 'locked');
  assert.equal((await send(id, contact)).outcome, 'locked');
  assert.equal(await badge(id), 'mapped');
  service.clock.advance(61 * MINUTE_MS);
  assert.equal((await enter(id, contact, code)).outcome, 'no_code');
  assert.equal((await send(id, contact)).outcome, 'sent');
});

test('twenty guesses at once get no more than five tries', async () => {
  const { id, contact } = await mappedPlace();
  await send(id, contact);
  const guesses = Array.from({ length: 20 }, (_, at) => enter(id, contact, `9${at}`.padEnd(6, 'x')));
  const outcomes = (await Promise.all(guesses)).map(({ outcome }) => outcome);
  assert.equal(outcomes.filter((outcome) => outcome === 'wrong').length, TRIES_MAX - 1);
  assert.equal(outcomes.filter((outcome) => outcome === 'locked').length, 20 - (TRIES_MAX - 1));
});

test('of two codes that one browser requests at once, one is sent', async () => {
  const { id, contact } = await mappedPlace();
  const asker = askerAt('192.0.2.44');
  const begun = Promise.withResolvers<undefined>();
  const goOn = Promise.withResolvers<undefined>();
  const first = pool.begin(async (tx) => {
    const sent = await sendClaimCode(deps, tx, { placeId: id, contact, asker }, codeMessage);
    begun.resolve(undefined);
    await goOn.promise;
    return sent;
  });
  await begun.promise;
  const second = send(id, contact, asker);
  await until('the second waits for the first', async () => {
    const waiting = await pool`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length > 0;
  });
  goOn.resolve(undefined);
  assert.deepEqual([(await first).outcome, (await second).outcome], ['sent', 'too_soon']);
});

test('a code runs out after ten minutes, a new one replaces it, and the next may be asked for after a minute', async () => {
  const { id, contact } = await mappedPlace();
  assert.deepEqual(await send(id, contact), { outcome: 'sent' });
  const first = await mailedCode();
  assert.equal((await send(id, contact)).outcome, 'too_soon');
  service.clock.advance(MINUTE_MS);
  assert.deepEqual(await send(id, contact), { outcome: 'sent' });
  const second = await mailedCode();
  if (first !== second) assert.equal((await enter(id, contact, first)).outcome, 'wrong');
  service.clock.advance(11 * MINUTE_MS);
  assert.deepEqual(await enter(id, contact, second), { outcome: 'no_code' });
});

test('no more than three messages a day go to one number', async () => {
  const { id } = await mappedPlace();
  const contact: Contact = { channel: 'sms', to: '+62361555000' };
  for (let sent = 0; sent < 3; sent++) {
    assert.deepEqual(await send(id, contact), { outcome: 'sent' });
    service.clock.advance(2 * MINUTE_MS);
  }
  assert.equal((await send(id, contact)).outcome, 'daily_limit');
});

test('codes are stored as hashes under a secret, and contacts are shown masked', async () => {
  const { id, contact } = await mappedPlace();
  await send(id, contact);
  const code = await mailedCode();
  const [row] = await pool<{ code_hash: Buffer }[]>`select code_hash from claim_code where place_id = ${id}`;
  assert.equal(row?.code_hash.includes(code), false);
  assert.equal(maskContact(contact), `h•••@rumah.example`);
  assert.equal(maskContact({ channel: 'sms', to: '+62361555000' }), '+62•••000');
});

test('on a claimed place others fill only what is empty, and codes go to the contact that claimed it', async () => {
  const { id, name, contact } = await mappedPlace();
  await send(id, contact);
  await enter(id, contact, await mailedCode());
  await pool`update place set website = 'https://own.example', email = 'changed@rumah.example' where id = ${id}`;
  const sent = await agent.business({ name, website: 'https://other.example', price_range: '$$' });
  await approve(service, staffId, sent, { placeId: id });
  const { body } = await agent.get(`/api/agent/business/${id}`);
  assert.deepEqual([body['website'], body['price_range']], ['https://own.example', '$$']);
  assert.deepEqual((await venueContacts(pool, id)).messageContacts, [contact]);
});

test('each step of a venue leaves one line of the audit trail, and what changes nothing leaves none', async () => {
  const { id, contact } = await mappedPlace();
  const venue = new FormClient(service);
  const page = `/venue/claim/${id}`;
  const via = contactKey(contact);
  await venue.post(`${page}/code`, { via }, page);
  await venue.post(`${page}/code`, { via }, page);
  const code = await mailedCode();
  assert.equal((await venue.post(page, { via, code: 'wrong' })).status, 422);
  assert.equal((await venue.post(page, { via, code })).status, 303);
  for (let press = 0; press < 2; press++)
    assert.equal((await venue.post('/venue/about', { about: 'By the sea.' })).status, 303);
  assert.equal((await venue.post('/venue/about', { about: 'x'.repeat(2_001) })).status, 422);
  const [edit] = await pool`select id::text from venue_edit where place_id = ${id}`;
  const undo = { edit: String(edit?.['id']) };
  for (const end of ['undo', 'late'])
    assert.equal(
      (await venue.post('/venue/undo', undo, '/venue')).headers.get('location'),
      `/venue?done=${end}`,
    );
  assert.equal((await venue.post('/venue/sign-out', {}, '/venue')).headers.get('location'), '/venue');
  const lines = await pool<{ operation: string; actor: string; detail: object }[]>`
    select operation, actor, detail from audit_log where subject = ${id} order by sequence`;
  assert.deepEqual(
    lines.map(({ operation, actor, detail }) => [operation, actor, detail]),
    [
      ['send_claim_code', 'address:127.0.0.1', { channel: 'mail' }],
      ['venue_sign_in', `venue:${id}`, { channel: 'mail', claimed: true }],
      ['edit_listing', `venue:${id}`, { part: 'about' }],
      ['undo_edit', `venue:${id}`, { part: 'about' }],
      ['venue_sign_out', `venue:${id}`, {}],
    ],
  );
});

test('a person who requests too many codes learns when to try again', async () => {
  const { id } = await mappedPlace();
  const client = new FormClient(service);
  const csrf = await client.token(`/venue/claim/${id}`);
  let answer = await client.postRaw(`/venue/claim/${id}/code`, { csrf });
  for (let at = 0; at < 60 && answer.status !== 429; at++)
    answer = await client.postRaw(`/venue/claim/${id}/code`, { csrf });
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
});
