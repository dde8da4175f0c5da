import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violatedConstraint } from '../../src/core/postgres/db.ts';
import { startTestService } from '../harness/service/service.ts';
import { addReviewer, SubmittingAgent } from '../harness/people/submissions.ts';

const service = await startTestService();
const { pool } = service.app.deps;
const agent = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service);
const secondStaffId = await addReviewer(service, 'second@waypost.example');

async function refusedBy(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
  } catch (thrown) {
    return violatedConstraint(thrown);
  }
  return 'nothing refused it';
}

test('the database itself refuses approved, rejected and live without a decision of a member of staff', async () => {
  const { id } = await agent.business();
  const { id: other } = await agent.business();
  assert.equal(
    await refusedBy(pool`update submission set status = 'approved' where id = ${id}`),
    'submission_decided_by_person',
  );
  assert.equal(
    await refusedBy(pool`update submission set status = 'rejected' where id = ${id}`),
    'submission_decided_by_person',
  );
  assert.equal(
    await refusedBy(pool`update submission set live_revision = 1 where id = ${id}`),
    'submission_live_by_person',
  );
  const decide = (by: string, decision: string) => pool`
    insert into submission_decision (submission_id, revision, decision, decided_by, decided_at)
    values (${id}, 1, ${decision}, ${by}, now())`;
  assert.equal(await refusedBy(decide(agent.agentId, 'approved')), 'submission_decision_by_staff');
  assert.equal(await refusedBy(decide(staffId, 'rejected')), 'submission_decision_rejected_with_reason');
  assert.equal(await refusedBy(decide(staffId, 'pending_review')), 'submission_decision_known');
  await decide(staffId, 'approved');
  assert.equal(await refusedBy(decide(secondStaffId, 'approved')), 'submission_decision_once');
  assert.equal(
    await refusedBy(pool`update submission set status = 'rejected' where id = ${id}`),
    'submission_decided_by_person',
  );
  await assert.rejects(
    pool`update submission_decision set decision = 'rejected' where submission_id = ${id}`,
    { message: /append-only/ },
  );
  await assert.rejects(pool`delete from submission_decision where submission_id = ${id}`, {
    message: /append-only/,
  });
  assert.equal(
    await refusedBy(pool`update submission set status = 'approved' where id = ${other}`),
    'submission_decided_by_person',
  );
});

test('the submitter cannot be changed or removed', async () => {
  const { id } = await agent.business();
  const stranger = await SubmittingAgent.signUp(service);
  for (const change of [
    pool`agent_id = ${stranger.agentId}`,
    pool`agent_name = 'Another'`,
    pool`operator_name = 'Another'`,
    pool`created_at = now()`,
  ])
    assert.equal(
      await refusedBy(pool`update submission set ${change} where id = ${id}`),
      'submission_attribution_permanent',
    );
  assert.equal(await refusedBy(pool`delete from submission where id = ${id}`), 'submission_permanent');
  assert.equal(await refusedBy(pool`truncate submission cascade`), 'submission_permanent');
  assert.equal(
    await refusedBy(pool`delete from agent where id = ${agent.agentId}`),
    'submission_agent_exists',
  );
  await assert.rejects(pool`update submission_revision set content = '{}' where submission_id = ${id}`, {
    message: /append-only/,
  });
  assert.equal(
    await refusedBy(pool`update submission set revision = 5 where id = ${id}`),
    'submission_revision_by_one',
  );
});
