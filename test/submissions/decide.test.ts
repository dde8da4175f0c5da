import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listQueue, readForReview, reasonCodes } from '../../src/submissions/review/review.ts';
import { startTestService } from '../harness/service/service.ts';
import { signInStaff } from '../harness/people/staff.ts';
import {
  addReviewer,
  approve,
  decide,
  findByName,
  findLive,
  SubmittingAgent,
} from '../harness/people/submissions.ts';

const service = await startTestService({ demoPlaces: 300 });
const { deps } = service.app;
const { pool } = deps;
const agent = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service, 'reviewer@waypost.example');
const secondStaffId = await addReviewer(service, 'second@waypost.example');

async function pageText(path: string): Promise<string> {
  return (await service.request(path, { headers: { accept: 'text/html' } })).text();
}

test('from sign-up to search: visible to its agent, invisible to everybody, and found once a person approved it', async () => {
  const name = 'Warung Tiga Saudara Pecatu';
  const sent = await agent.business({
    name,
    description: 'Grilled fish.',
    phone: '+62361777111',
    vertical: 'restaurant',
  });
  assert.equal((await agent.standing(sent.id))['status'], 'pending_review');
  assert.equal(await findLive(service, agent, name), undefined);
  assert.doesNotMatch(await pageText('/d/bali?q=Pecatu'), /Tiga Saudara/);
  await approve(service, staffId, sent);
  const placeId = await findLive(service, agent, name);
  assert.ok(placeId);
  const standing = await agent.standing(sent.id);
  assert.deepEqual([standing['status'], standing['live'], standing['place_id']], ['approved', true, placeId]);
  const { body } = await agent.get(`/api/agent/business/${placeId}`);
  assert.equal(body['badge'], 'mapped');
  assert.deepEqual(body['submitted_by'], { agent_name: 'Test Agent', operator_name: 'Test Operator' });
  assert.equal(body['position_known'], false);
  const page = await pageText(`/p/${placeId}`);
  assert.match(page, /Test Agent<\/bdi> for <bdi>Test Operator/);
  assert.match(page, /We do not know its exact position/);
});

test('hostile text of an approved business is shown harmlessly', async () => {
  const name = `<script>alert(1)</script> "Kopi" 🦜`;
  const sent = await agent.business({
    name,
    description: '<img src=x onerror=alert(1)>',
    address: "'; drop table place; --",
  });
  await approve(service, staffId, sent);
  const placeId = String((await agent.standing(sent.id))['place_id']);
  const page = await pageText(`/p/${placeId}`);
  assert.doesNotMatch(page, /<script>alert|<img src=x/);
  assert.match(page, /&lt;script&gt;alert\(1\)/);
  assert.equal(await findLive(service, agent, name), placeId);
});

test('a rejection says why and what to do, and an update opens the submission again', async () => {
  const sent = await agent.business({ external_ref: 'rejected' });
  const request = { submissionId: sent.id, revision: 1, staffId, decision: 'rejected' as const };
  await assert.rejects(decide(service, request), { code: 'validation_failed' });
  await assert.rejects(decide(service, { ...request, reasonCode: 'ugly' }), { code: 'validation_failed' });
  assert.equal((await agent.standing(sent.id))['status'], 'pending_review');
  const reasonText = 'The number is not on their page.';
  await decide(service, { ...request, reasonCode: 'contact_not_verifiable', reasonText });
  const standing = await agent.standing(sent.id);
  assert.equal(standing['status'], 'rejected');
  assert.deepEqual(standing['reason'], {
    code: 'contact_not_verifiable',
    text: reasonText,
    fix: reasonCodes.contact_not_verifiable.fix,
  });
  assert.equal(standing['rejection_reason'], reasonText);
  assert.equal(standing['place_id'], null);
  await agent.business({ external_ref: 'rejected', phone: null });
  const open = await agent.standing(sent.id);
  assert.deepEqual([open['status'], open['reason'], open['revision']], ['pending_review', null, 2]);
});

test('of two reviewers who decide the same revision at once one wins, and the other is told', async () => {
  for (let round = 0; round < 5; round++) {
    const sent = await agent.business();
    const [one, two] = await Promise.all([
      decide(service, { submissionId: sent.id, revision: 1, staffId, decision: 'approved' }),
      decide(service, {
        submissionId: sent.id,
        revision: 1,
        staffId: secondStaffId,
        decision: 'rejected',
        reasonCode: 'duplicate',
      }),
    ]);
    const outcomes = [one.outcome, two.outcome].sort();
    assert.deepEqual(outcomes, ['already_decided', 'decided']);
    const loser = one.outcome === 'decided' ? two : one;
    assert.ok(loser.outcome === 'already_decided');
    const winner = one.outcome === 'decided' ? 'reviewer@waypost.example' : 'second@waypost.example';
    assert.equal(loser.by, winner);
    const status = one.outcome === 'decided' ? 'approved' : 'rejected';
    assert.deepEqual([loser.decision, (await agent.standing(sent.id))['status']], [status, status]);
  }
});

test('a decision about a revision that is no longer the newest changes nothing', async () => {
  const sent = await agent.business({ external_ref: 'newer' });
  await agent.business({ external_ref: 'newer', address: 'Another one' });
  const old = { submissionId: sent.id, revision: 1, staffId, decision: 'approved' as const };
  assert.deepEqual(await decide(service, old), { outcome: 'newer_revision', revision: 2 });
  assert.deepEqual(await decide(service, { ...old, submissionId: 'sub_none' }), { outcome: 'not_found' });
  assert.equal((await agent.standing(sent.id))['status'], 'pending_review');
});

test('a decision about a submission and a new revision of it never mix', async () => {
  for (let round = 0; round < 5; round++) {
    const ref = `mix${round}`;
    const sent = await agent.business({ external_ref: ref });
    const [decided] = await Promise.all([
      decide(service, { submissionId: sent.id, revision: 1, staffId, decision: 'approved' }),
      agent.post('/api/agent/business', { external_ref: ref, address: 'Newer' }),
    ]);
    const standing = await agent.standing(sent.id);
    assert.deepEqual([standing['revision'], standing['status']], [2, 'pending_review']);
    assert.equal(standing['live'], decided.outcome === 'decided');
    assert.ok(decided.outcome === 'decided' || decided.outcome === 'newer_revision');
  }
});

test('the queue is sorted by age and filtered by relationship and kind', async () => {
  const lister = await SubmittingAgent.signUp(service);
  const { total: before } = await listQueue(pool, { limit: 1 });
  const ids: string[] = [];
  for (const relationship of ['owner', 'third_party', 'owner']) {
    service.clock.advance(60_000);
    ids.push((await lister.business({ relationship })).id);
  }
  service.clock.advance(60_000);
  const { body } = await lister.post<{ promo_id: string }>('/api/agent/promo', {
    title: 'Cheap',
    submission_id: ids[1],
  });
  const others = new Set((await listQueue(pool, { limit: before })).items.map((item) => item.submissionId));
  /** Those of this test: what was sent before them comes before them. */
  const idsOf = async (filter: Omit<Parameters<typeof listQueue>[1], 'limit'>) => {
    const { items } = await listQueue(pool, { limit: before + 10, ...filter });
    const found = items.map(({ submissionId }) => submissionId);
    const own = found.filter((id) => !others.has(id));
    assert.deepEqual(found.slice(found.length - own.length), own);
    return own;
  };
  assert.deepEqual(await idsOf({}), [...ids, body.promo_id]);
  assert.deepEqual(await idsOf({ relationship: 'owner' }), [ids[0], ids[2]]);
  assert.deepEqual(await idsOf({ relationship: 'third_party' }), [ids[1], body.promo_id]);
  assert.deepEqual(await idsOf({ kind: 'promo' }), [body.promo_id]);
  const first = await listQueue(pool, { limit: before + 3 });
  assert.equal(first.total, before + 4);
  assert.deepEqual(await idsOf({ after: first.next ?? '' }), [body.promo_id]);
});

test('an approval changes the place that it was found to be, and the reviewer sees what would change', async () => {
  const [place] = await pool<{ id: string; name: string; lat: number; lng: number }[]>`
    select p.id, p.name, p.lat, p.lng from place p join destination d on d.id = p.destination_id
    where d.slug = 'bali' and p.closed_at is null and p.badge = 'mapped' order by p.id desc limit 1`;
  assert.ok(place);
  const { name, lat, lng } = place;
  const sent = await agent.business({
    name,
    lat,
    lng,
    price_range: 'IDR 1m',
    website: 'https://changed.example',
  });
  const review = await readForReview(pool, sent.id);
  assert.equal(review?.place?.id, place.id);
  assert.equal(review.isNew, false);
  assert.equal(review.duplicates[0]?.placeId, place.id);
  assert.equal(review.diff.find(({ field }) => field === 'price_range')?.submitted, 'IDR 1m');
  assert.equal(review.diff.find(({ field }) => field === 'name')?.change, 'same');
  const website = review.contacts.find(({ field }) => field === 'website');
  assert.ok(website?.origin === 'map' || website?.origin === 'nobody');
  assert.equal(website.effect, 'shown');
  await approve(service, staffId, sent);
  assert.equal((await agent.standing(sent.id))['place_id'], place.id);
  const { body } = await agent.get(`/api/agent/business/${place.id}`);
  assert.deepEqual([body['price_range'], body['website']], ['IDR 1m', 'https://changed.example']);
  const after = await readForReview(pool, sent.id);
  assert.equal(after?.contacts.find(({ field }) => field === 'website')?.origin, 'agent');
});

test('a reviewer may say that it is a new place after all', async () => {
  const name = 'Sate Kambing Pak Manto Ubud';
  const first = await agent.business({ name });
  const second = await agent.business({ name });
  await approve(service, staffId, first);
  assert.equal(
    (await readForReview(pool, second.id))?.isNew,
    false,
    'the same venue as the one just approved',
  );
  await approve(service, staffId, second, { placeId: 'new' });
  const [one, two] = [await agent.standing(first.id), await agent.standing(second.id)];
  assert.notEqual(one['place_id'], two['place_id']);
});

test('a business in no destination of ours is found all the same, under its country', async () => {
  const name = 'Fjordkroa Spisested';
  const sent = await agent.business({ name, country: 'Norway', city: 'Nesbyen', hours: 'Mo-Su 10:00-22:00' });
  await approve(service, staffId, sent);
  const placeId = await findLive(service, agent, name);
  assert.ok(placeId);
  await deps.destinations.refresh();
  const { body } = await agent.get<{ destination: { name: string }; open_now: boolean | null }>(
    `/api/agent/business/${placeId}`,
  );
  assert.equal(body.destination.name, 'Elsewhere in Norway');
  assert.equal(body.open_now, null, 'nobody is told that it is open by a clock that may not be its own');
  assert.ok(await findByName(agent, name));
});

test('claims with a source become accolades with that source', async () => {
  const sent = await agent.business({
    description: 'An award-winning kitchen.',
    claims: [{ text: 'Island kitchen of the year', source_url: 'https://awards.example/2025' }],
  });
  await approve(service, staffId, sent);
  const { body } = await agent.get(
    `/api/agent/business/${String((await agent.standing(sent.id))['place_id'])}`,
  );
  assert.deepEqual(body['accolades'], [
    {
      title: 'Island kitchen of the year',
      year: null,
      source_name: 'awards.example',
      source_url: 'https://awards.example/2025',
    },
  ]);
});

test('a decision, its audit row and its callback stand together', async () => {
  const sent = await agent.business({ callback_url: 'https://agent.invalid/hook', external_ref: 'told' });
  assert.deepEqual((await agent.standing(sent.id))['callback'], {
    url: 'https://agent.invalid/hook',
    state: 'pending',
    attempts: 0,
    last_http_status: null,
  });
  const reviewer = await signInStaff(service, 'reviewer');
  const path = `/console/review/${sent.id}`;
  assert.equal((await reviewer.post(path, { decision: 'approved', revision: '1' })).status, 303);
  const [audit] = await pool`
    select actor, detail->>'decision' as decision from audit_log where subject = ${sent.id} and operation = 'decide_submission'`;
  assert.deepEqual({ ...audit }, { actor: reviewer.staff.id, decision: 'approved' });
  const [callback] = await pool<{ event: string; data: Record<string, unknown> }[]>`
    select event, data from callback_delivery where subject_id = ${sent.id}`;
  const standing = await agent.standing(sent.id);
  assert.equal(callback?.event, 'submission.approved');
  assert.deepEqual(callback.data, {
    type: 'business',
    submission_id: sent.id,
    promo_id: null,
    external_ref: 'told',
    promo_ref: null,
    status: 'approved',
    reason: null,
    revision: 1,
    place_id: standing['place_id'],
    live: true,
    live_blocked_by: null,
    reviewed_at: standing['reviewed_at'],
  });
  assert.doesNotMatch(JSON.stringify(callback.data), /reviewer@|stf_/);
});
