import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transactionsOf } from '../../src/core/postgres/db.ts';
import {
  answerConfirmation,
  type ConfirmationOutcome,
} from '../../src/submissions/publish/confirm-business.ts';
import { listDeskTasks } from '../../src/venue/desk-task.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import {
  addReviewer,
  approve,
  findLive,
  lastMessage,
  SubmittingAgent,
} from '../harness/people/submissions.ts';

const service = await sharedService();
const { deps } = service.app;
const agent = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service);

function answer(
  asked: { token: string } | { submissionId: string },
  given: 'yes' | 'no',
  by: 'business' | { staffId: string },
): Promise<ConfirmationOutcome> {
  const ctx = { deps, now: deps.clock.now(), audit: () => undefined };
  return transactionsOf(deps.pool)((tx) => answerConfirmation(tx, ctx, asked, given, by));
}

function tokenIn(text: string | undefined): string {
  return /\/venue\/confirm\/([\w-]+)/.exec(text ?? '')?.[1] ?? '';
}

/** Submits an operator's change to a place of the map, whose published contact is asked for confirmation. */
async function approved(
  change: Record<string, unknown> & { published?: string },
): Promise<{ id: string; name: string; token: string; placeId: string | undefined }> {
  const { published, ...fields } = change;
  const name = String(fields['name']);
  const placeId =
    published === undefined
      ? undefined
      : await addMadeUpPlace(deps.pool, service.clock, { name: `Old ${name}`, email: published });
  const sent = await agent.business({ relationship: 'authorized_agent', ...fields });
  await approve(service, staffId, sent, { placeId });
  const { text } = (await lastMessage(service, 'business_confirmation')) ?? {};
  return { id: sent.id, name, token: tokenIn(text), placeId };
}

test('an authorized agent is approved, but live only when the business said yes', async () => {
  const { id, name, token } = await approved({
    name: 'Villa Kayu Manis',
    email: 'operator@kayu.example',
    published: 'front@kayu.example',
  });
  const blocked = await agent.standing(id);
  assert.deepEqual(
    [blocked['status'], blocked['live'], blocked['live_blocked_by'], blocked['place_id']],
    ['approved', false, 'business_confirmation', null],
  );
  assert.equal(await findLive(service, agent, name), undefined);
  assert.equal((await lastMessage(service, 'business_confirmation'))?.to, 'front@kayu.example');
  assert.deepEqual(await answer({ token }, 'yes', 'business'), { outcome: 'answered' });
  const live = await agent.standing(id);
  assert.deepEqual(
    [live['status'], live['live'], live['live_blocked_by'], live['badge']],
    ['approved', true, null, 'mapped'],
  );
  assert.ok(await findLive(service, agent, name));
  assert.deepEqual(await answer({ token }, 'no', 'business'), { outcome: 'already', answer: 'yes' });
  assert.equal((await agent.standing(id))['live'], true, 'the first answer stands');
});

test('a no turns the approval into a rejection, and the agent is told', async () => {
  const { id, name, token } = await approved({
    name: 'Villa Daun Pandan',
    published: 'front@pandan.example',
    callback_url: 'https://agent.invalid/hook',
  });
  await answer({ token }, 'no', 'business');
  const standing = await agent.standing(id);
  assert.deepEqual(
    [standing['status'], standing['live'], standing['live_blocked_by']],
    ['rejected', false, null],
  );
  assert.equal((standing['reason'] as { code: string }).code, 'relationship_denied');
  assert.equal(await findLive(service, agent, name), undefined);
  const events = await deps.pool<{ event: string }[]>`
    select event from callback_delivery where subject_id = ${id} order by sequence`;
  assert.deepEqual(
    events.map(({ event }) => event),
    ['submission.approved', 'submission.rejected'],
  );
  const rejected = await agent.get<{ items: { submission_id: string }[] }>(
    '/api/agent/submissions?status=rejected',
  );
  assert.ok(rejected.body.items.some(({ submission_id }) => submission_id === id));
});

test('without any contact the desk asks by telephone and records what the business said', async () => {
  const { id, name } = await approved({ name: 'Villa Tanpa Kontak' });
  const task = (await listDeskTasks(deps.pool, 10)).find(({ submissionId }) => submissionId === id);
  assert.equal(task?.kind, 'confirm_business');
  await answer({ submissionId: id }, 'yes', { staffId });
  assert.ok(await findLive(service, agent, name));
  assert.ok(!(await listDeskTasks(deps.pool, 10)).some(({ submissionId }) => submissionId === id));
});

test('a business that said yes is not asked again for a later change', async () => {
  const { id, token } = await approved({
    name: 'Villa Bunga Kopi',
    published: 'front@kopi.example',
    external_ref: 'kopi',
  });
  await answer({ token }, 'yes', 'business');
  const change = await agent.business({
    name: 'Villa Bunga Kopi',
    relationship: 'authorized_agent',
    external_ref: 'kopi',
    address: 'Jalan 9',
  });
  await approve(service, staffId, change);
  const standing = await agent.standing(id);
  assert.deepEqual([standing['live'], standing['live_blocked_by']], [true, null]);
  const { body } = await agent.get(`/api/agent/business/${String(standing['place_id'])}`);
  assert.equal(body['address'], 'Jalan 9');
});

test('a yes that comes after a second approval puts the newest approved revision into effect', async () => {
  const sent = await approved({
    name: 'Villa Dua Kali',
    published: 'front@dua.example',
    external_ref: 'dua',
    address: 'Old',
  });
  const change = await agent.business({
    name: 'Villa Dua Kali',
    relationship: 'authorized_agent',
    external_ref: 'dua',
    address: 'New',
  });
  await approve(service, staffId, change, { placeId: sent.placeId });
  await answer({ token: sent.token }, 'yes', 'business');
  const standing = await agent.standing(sent.id);
  const { body } = await agent.get(`/api/agent/business/${String(standing['place_id'])}`);
  assert.equal(body['address'], 'New');
});

test('an unknown link answers nothing', async () => {
  assert.deepEqual(await answer({ token: 'guess' }, 'yes', 'business'), { outcome: 'not_found' });
});
