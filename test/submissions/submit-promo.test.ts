import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../harness/service/service.ts';
import { addReviewer, approve, decide, SubmittingAgent } from '../harness/people/submissions.ts';
import { DAY_MS } from '../../src/core/time.ts';

const service = await startTestService();
const agent = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service);

interface Sent {
  promo_id: string;
  submission_id: string;
  status: string;
  action: string;
  revision: number;
  expires_at: string | null;
}

const send = (body: unknown, by = agent) => by.post<Sent>('/api/agent/promo', body);

test('a promotion is linked to its business by either handle, or to the only one', async () => {
  const lone = await SubmittingAgent.signUp(service);
  const none = await send({ title: 'Nothing yet' }, lone);
  assert.deepEqual([none.status, none.body.code], [422, 'promo_needs_business']);
  const first = await lone.business({ external_ref: 'a' });
  assert.equal((await send({ title: 'To the only one' }, lone)).body.submission_id, first.id);
  const second = await lone.business({ external_ref: 'b' });
  const unclear = await send({ title: 'To which one' }, lone);
  assert.deepEqual([unclear.status, unclear.body.code], [422, 'promo_needs_business']);
  assert.equal(
    (await send({ title: 'By id', submission_id: second.id }, lone)).body.submission_id,
    second.id,
  );
  assert.equal((await send({ title: 'By ref', external_ref: 'a' }, lone)).body.submission_id, first.id);
  const mixed = await send({ title: 'Both', submission_id: second.id, external_ref: 'a' }, lone);
  assert.deepEqual([mixed.status, mixed.body.code], [422, 'business_mismatch']);
});

test("another agent's business is not found, and neither is a reference that was never used", async () => {
  const other = await SubmittingAgent.signUp(service);
  const theirs = await other.business();
  const foreign = await send({ title: 'Not mine', submission_id: theirs.id });
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'submission_not_found']);
  const unknown = await send({ title: 'Not there', external_ref: 'never' });
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_business']);
});

test('all four kinds are taken, times are told in UTC, and promo_ref updates', async () => {
  const { id } = await agent.business();
  for (const kind of ['promo', 'special', 'event', 'ad']) {
    const { status, body } = await send({ title: `A ${kind}`, kind, submission_id: id, discount_pct: 90 });
    assert.equal(status, 201);
    assert.equal((await agent.standing(body.promo_id))['kind'], kind);
  }
  const first = await send({
    title: 'At dusk',
    submission_id: id,
    promo_ref: 'dusk',
    ends_at: '2026-12-01T08:00:00+08:00',
  });
  assert.deepEqual([first.body.action, first.body.revision], ['created', 1]);
  assert.equal(first.body.expires_at, '2026-12-01T00:00:00.000Z');
  const again = await send({ promo_ref: 'dusk', discount_pct: 0 });
  assert.deepEqual(
    [again.body.promo_id, again.body.action, again.body.revision, again.body.expires_at],
    [first.body.promo_id, 'updated', 2, '2026-12-01T00:00:00.000Z'],
  );
});

test('a promotion cannot be approved before its business', async () => {
  const business = await agent.business();
  const { body } = await send({ title: 'Too early', submission_id: business.id });
  const request = { submissionId: body.promo_id, revision: 1, staffId, decision: 'approved' as const };
  await assert.rejects(decide(service, request), { code: 'business_not_approved' });
  assert.equal((await agent.standing(body.promo_id))['status'], 'pending_review');
  await approve(service, staffId, business);
  await approve(service, staffId, { id: body.promo_id, revision: 1 });
});

test('an approved promotion starts and expires by itself, on the place and in the list', async () => {
  const business = await agent.business();
  await approve(service, staffId, business);
  const now = service.clock.now().getTime();
  const { body } = await send({
    title: 'One week only',
    kind: 'special',
    submission_id: business.id,
    starts_at: new Date(now + DAY_MS).toISOString(),
    ends_at: new Date(now + 8 * DAY_MS).toISOString(),
  });
  const placeId = String((await agent.standing(business.id))['place_id']);
  const shown = async () => {
    const place = await agent.get<{ promotions: { title: string }[] }>(`/api/agent/business/${placeId}`);
    return place.body.promotions.map(({ title }) => title);
  };
  assert.deepEqual(await shown(), [], 'not while it waits for review');
  await approve(service, staffId, { id: body.promo_id, revision: 1 });
  const early = await agent.standing(body.promo_id);
  assert.deepEqual([early['status'], early['live']], ['approved', false]);
  assert.equal(early['live_from'], new Date(now + DAY_MS).toISOString());
  service.clock.advance(DAY_MS);
  assert.deepEqual(await shown(), ['One week only']);
  assert.equal((await agent.standing(body.promo_id))['live'], true);
  const page = await service.request(`/p/${placeId}`, { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /One week only/);
  service.clock.advance(7 * DAY_MS);
  assert.deepEqual(await shown(), []);
  const late = await agent.standing(body.promo_id);
  assert.deepEqual([late['status'], late['live']], ['expired', false]);
  const expired = await agent.get<{ items: { promo_id: string }[] }>('/api/agent/submissions?status=expired');
  assert.ok(expired.body.items.some(({ promo_id }) => promo_id === body.promo_id));
});
