import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violatedConstraint } from '../../../src/core/postgres/db.ts';
import { addVenue, AskingPartner, linkInOutbox, tap, untilResting } from '../../bookings/asking-partner.ts';
import { joinMember } from '../../harness/people/member.ts';
import { auditOf, signInStaff } from '../../harness/people/staff.ts';
import { lastMessage, SubmittingAgent } from '../../harness/people/submissions.ts';
import { until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { importMap } from '../../import/import-directory.ts';
import { plainPhoto } from '../../photos/made-pictures.ts';
import { sendApproved } from '../../photos/photographer.ts';
import { LOOKS_OFTEN } from '../../webhooks/webhook-partner.ts';
import { startReceiver } from '../../callbacks/receiver.ts';
import { answerOf, assertNowhere, everySurface } from './every-surface.ts';

const receiver = await startReceiver();
const service = await startTestService({ settings: { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair } });
const { pool } = service.database;
const partner = await AskingPartner.add(service, `${receiver.url}/moves`);
const reviewer = await signInStaff(service, 'reviewer');
const lead = await signInStaff(service, 'lead');

const PHONE = '+351210005555';
const INVENTED = {
  name: 'Wombatarium Palace',
  vertical: 'restaurant',
  phone: PHONE,
  website: 'https://wombatarium-palace.example/',
  description: 'Numbat soup under glass.',
  address: 'Jalan Khayalan 1',
  lat: -8.65,
  lng: 115.13,
};
const TEXTS = [PHONE, 'wombatarium-palace.example', 'Numbat soup', 'Khayalan', 'Numbat promo'];

async function approved(
  agent: SubmittingAgent,
  fields: Record<string, unknown>,
  placeId = 'new',
): Promise<{ id: string; placeId: string }> {
  const { id, revision } = await agent.business(fields);
  const decision = { decision: 'approved', revision: String(revision), place_id: placeId };
  assert.equal((await reviewer.post(`/console/review/${id}`, decision)).status, 303);
  return { id, placeId: String((await agent.standing(id))['place_id']) };
}

function remove(placeId: string, fields: Record<string, string> = {}, client = lead): Promise<Response> {
  const path = `/console/places/${placeId}`;
  const removal = { reason: 'invented', note: 'Nobody at that address knows it.', sure: 'yes', ...fields };
  return client.post(`${path}/removal`, removal, path);
}

function read(placeId: string) {
  return everySurface({ service, partner, placeId, names: ['Wombatarium Palace'] });
}

async function pageStatus(placeId: string): Promise<number> {
  return (await service.request(`/p/${placeId}`, { headers: { accept: 'text/html' } })).status;
}

/** The answers without those that must name the place: its own id, and the tombstone of the feed. */
function elsewhere(answers: Map<string, string>, placeId: string): Map<string, string> {
  return new Map(
    [...answers].filter(([name]) => !name.includes(placeId) && !name.includes('directory_feed')),
  );
}

/** The surfaces that show a text. */
function showing(answers: Map<string, string>, text: string): string[] {
  return [...answers].flatMap(([name, answer]) => (answer.includes(text) ? [name] : []));
}

const REFUSED = [
  '/mcp svc_get_place',
  '/api/partner/mcp place_details',
  '/api/partner/mcp booking_link',
  '/api/partner/mcp get_menu',
  '/api/partner/mcp get_reviews',
  '/api/concierge/mcp check_availability',
  '/api/concierge/mcp request_table',
];

test('a lead removes an invented business: its id says why and since when, the feed has a tombstone, nothing else shows it, and restored it is back on every surface', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const { id, placeId } = await approved(agent, INVENTED);
  const promo = await agent.post<{ promo_id: string }>('/api/agent/promo', {
    title: 'Numbat promo',
    submission_id: id,
  });
  await reviewer.post(`/console/review/${promo.body.promo_id}`, { decision: 'approved', revision: '1' });
  const member = await joinMember(service, 'Ayu P.');
  const photo = await sendApproved(service, { member, placeId }, await plainPhoto('jpeg'));
  await member.post(
    `/photos/mine/${photo.id}/offer`,
    { price_social: '5', drop_cap: '3' },
    `/photos/mine/${photo.id}`,
  );
  await member.post(`/photos/mine/${photo.id}/live`, {}, `/photos/mine/${photo.id}`);
  const before = await read(placeId);
  assert.match(
    answerOf(before, '/mcp svc_search_photos'),
    new RegExp(photo.id),
    'before, everything shows it',
  );
  assert.match(answerOf(before, '/api/agent/search?q='), new RegExp(placeId));

  const asked = await remove(placeId, { sure: '' });
  assert.match(await asked.text(), /Tables that are still to come are cancelled/);
  assert.equal(await pageStatus(placeId), 200, 'it asks once more');
  const done = await remove(placeId);
  assert.equal(done.headers.get('location'), `/console/places/${placeId}?done=removed`, await done.text());

  const after = await read(placeId);
  assertNowhere(after, TEXTS);
  assertNowhere(elsewhere(after, placeId), [placeId, photo.id]);
  const gone = await agent.get<{ reason: string; removed_at: string }>(`/api/agent/business/${placeId}`);
  assert.deepEqual(
    [gone.status, gone.body.code, gone.body.reason, gone.body.removed_at],
    [410, 'place_removed', 'invented', service.clock.now().toISOString()],
  );
  assert.match(answerOf(after, `/p/${placeId}`), /^410.*was never a real place/s);
  assert.match(answerOf(after, `/venue/claim/${placeId}`), /^410/);
  for (const tool of REFUSED)
    assert.match(
      answerOf(after, tool),
      /place_removed: This listing was removed on 20\d\d-\d\d-\d\d\. The business that it names does not exist/,
    );
  assert.match(
    answerOf(after, '/api/partner/mcp directory_feed'),
    new RegExp(`"place_id":"${placeId}","reason":"removed","removed_at":"20`),
  );
  const quote = await agent.get(`/api/agent/photos/quote?photo_id=${photo.id}&use=social`);
  assert.equal(quote.status, 410);

  for (const one of [id, promo.body.promo_id]) {
    const standing = await agent.standing(one);
    const reason = standing['reason'] as { code: string; text: string };
    assert.deepEqual(
      [standing['status'], standing['live'], reason.code],
      ['rejected', false, 'not_a_real_place'],
    );
    assert.match(reason.text, /Nobody at that address knows it/);
  }
  const late = await agent.post<{ promo_id: string }>('/api/agent/promo', {
    title: 'Numbat promo, after the removal',
    submission_id: id,
  });
  const approval = { decision: 'approved', revision: '1' };
  const refused = await reviewer.post(`/console/review/${late.body.promo_id}`, approval);
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /The business of this promotion is not approved/);
  assert.match((await lastMessage(service, 'submission_taken_down'))?.text ?? '', /Wombatarium Palace/);
  const line = (await auditOf(pool, placeId)).at(-1);
  assert.equal(line?.operation, 'remove_place');

  const path = `/console/places/${placeId}`;
  assert.match(await (await lead.get(path)).text(), /Restore the listing/);
  assert.equal((await reviewer.post(`${path}/restoration`, {}, '/console/review')).status, 403);
  assert.equal((await lead.post(`${path}/restoration`, {}, path)).status, 303);
  assert.deepEqual(showing(await read(placeId), PHONE), showing(before, PHONE));
  for (const one of [id, promo.body.promo_id]) {
    const standing = await agent.standing(one);
    assert.deepEqual([standing['status'], standing['live']], ['approved', true]);
  }
  assert.equal((await remove(placeId)).status, 303, 'it can be removed again');
});

test('only a lead removes, with a reason and words, and once', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const { placeId } = await approved(agent, { ...INVENTED, name: 'Second Wombatarium' });
  assert.equal((await remove(placeId, {}, reviewer)).status, 403);
  assert.equal((await remove(placeId, { reason: 'closed' })).status, 422);
  assert.equal((await remove(placeId, { note: '' })).status, 422);
  const unknown = '/console/places/plc_01kdtqb00071qz6sbs7e2vkqza/removal';
  const fields = { reason: 'invented', note: 'Nobody knows it.', sure: 'yes' };
  assert.equal((await lead.post(unknown, fields, `/console/places/${placeId}`)).status, 404);
  assert.equal(await pageStatus(placeId), 200);
  assert.equal((await remove(placeId)).status, 303);
  assert.equal((await remove(placeId)).status, 422, 'it is removed already');
});

test('tables at a removed listing are cancelled, and the partner hears why by webhook', async () => {
  const placeId = await addVenue(service, { phone: '+6281811114444' });
  const bookingId = await partner.request(placeId);
  const confirmed = await partner.request(placeId, { guest_name: 'Second Guest', date: '2026-11-21' });
  await untilResting(service, bookingId);
  await untilResting(service, confirmed);
  await tap(service, await linkInOutbox(service, confirmed), { answer: 'yes' });
  await partner.untilStatus(confirmed, 'confirmed');
  await remove(placeId, { reason: 'not_a_place' });
  for (const one of [bookingId, confirmed]) {
    const { status, reason, booked } = await partner.status(one);
    assert.deepEqual([status, reason, booked], ['cancelled', 'place_removed', false]);
    await until('the webhook of the cancellation', () =>
      receiver.received.some(({ body }) => {
        const { event, data } = JSON.parse(body) as {
          event: string;
          data: { booking_id: string; reason: string };
        };
        return event === 'cancelled' && data.booking_id === one && data.reason === 'place_removed';
      }),
    );
  }
});

test('staff who revoke a key choose what happens to its listings: inventions are removed, and map places lose only its claims', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const invented = await approved(agent, { ...INVENTED, name: 'Fourth Wombatarium' });
  const mapped = await addVenue(service, { name: 'Warung Nyata', phone: '+6281811115555' });
  const claims = { name: 'Warung Nyata', website: INVENTED.website, description: INVENTED.description };
  await approved(agent, claims, mapped);
  const pending = await agent.business({ ...INVENTED, name: 'Fifth Wombatarium' });
  const path = `/console/agents/${agent.agentId}`;
  assert.match(await (await lead.get(path)).text(), /1 place in the directory/);
  const reason = 'It invents businesses.';
  assert.equal((await lead.post(`${path}/revoke`, { reason }, path)).status, 422, 'it must be said');
  const revoked = await lead.post(`${path}/revoke`, { reason, listings: 'remove' }, path);
  assert.equal(revoked.headers.get('location'), `${path}?done=revoke_remove`);

  const names = ['Fourth Wombatarium'];
  assertNowhere(await everySurface({ service, partner, placeId: invented.placeId, names }), TEXTS);
  const left = await everySurface({ service, partner, placeId: mapped, names: ['Warung Nyata'] });
  assertNowhere(left, TEXTS);
  assert.match(answerOf(left, `/p/${mapped}`), /^200.*\+6281811115555/s);
  const [counts] = await pool<{ removed: number; rejected: number }[]>`
    select (select count(*)::int from listing_removal where place_id = ${invented.placeId} and reason = 'invented') as removed,
      (select count(*)::int from submission_takedown t join submission s on s.id = t.submission_id
       where s.agent_id = ${agent.agentId} and t.reason_code = 'not_a_real_place') as rejected`;
  assert.deepEqual(counts, { removed: 1, rejected: 3 });
  assert.ok(!(await (await reviewer.get('/console/review')).text()).includes(pending.id));
});

test('a removed business that is submitted again reaches a reviewer with a flag, and cannot restore the listing', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const fields = { ...INVENTED, name: 'Sixth Wombatarium', external_ref: 'six' };
  const { id, placeId } = await approved(agent, fields);
  await remove(placeId);
  const other = await SubmittingAgent.signUp(service);
  const again = await agent.business(fields);
  const copied = await other.business({ ...fields, lat: undefined, lng: undefined });
  for (const one of [again, copied])
    assert.match(await (await reviewer.get(`/console/review/${one.id}`)).text(), /Removed before/);
  const decision = { decision: 'approved', revision: String(again.revision), place_id: placeId };
  const refused = await reviewer.post(`/console/review/${id}`, decision);
  assert.equal(refused.status, 410);
  assert.match(await refused.text(), /This listing was removed/);
  assert.equal(await pageStatus(placeId), 410);
});

test('a map that has a real place where an invention was removed brings a place of its own', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const at = { lat: 43.7396, lng: 7.4272 };
  const fields = { ...INVENTED, ...at, name: 'Bar Marsupial', country: 'MC', city: 'Monaco' };
  const { placeId } = await approved(agent, fields);
  await remove(placeId);
  const nodes = [
    { id: 1, ...at, tags: { amenity: 'bar', name: 'Bar Marsupial', phone: '+377 97 70 00 01' } },
  ];
  await importMap(service.database, '2026-11-01', { nodes }, { now: service.clock.now() });
  const places = await pool<{ id: string; removed: boolean }[]>`
    select id, removed_at is not null as removed from place where name = 'Bar Marsupial' order by removed_at nulls last`;
  assert.deepEqual(
    places.map(({ removed }) => removed),
    [true, false],
  );
  const found = places[1]?.id ?? '';
  await remove(found, { reason: 'not_a_place' });
  await importMap(service.database, '2026-11-05', { nodes }, { now: service.clock.now() });
  const still = await agent.get(`/api/agent/business/${found}`);
  assert.equal(still.status, 410, 'the same object of the map does not bring it back');
});

test('the database refuses a removed listing that is open, and a takedown that is live', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const { id, placeId } = await approved(agent, { ...INVENTED, name: 'Seventh Wombatarium' });
  await remove(placeId);
  await assert.rejects(
    pool`update place set closed_at = null where id = ${placeId}`,
    (error) => violatedConstraint(error) === 'place_removed_not_open',
  );
  await assert.rejects(
    pool`update submission set live_revision = 1 where id = ${id}`,
    (error) => violatedConstraint(error) === 'submission_taken_down_not_live',
  );
});
