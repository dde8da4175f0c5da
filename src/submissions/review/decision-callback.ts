import { z } from 'zod';
import { queueCallback } from '../../callbacks/queue-callback.ts';
import { closedSet } from '../../core/input/closed-set.ts';
import sets from '../sets.json' with { type: 'json' };
import type { OperationDeps } from '../../core/context.ts';
import type { OutgoingEvent } from '../../core/operation.ts';
import type { Db } from '../../core/postgres/db.ts';
import { readSubmissionStatuses } from '../submission-status.ts';
import { liveBlockedBySet, submissionStatusSet, submissionTypeSet } from '../submission.ts';
import example from './decision-example.json' with { type: 'json' };
import { reasonCodeSet } from './reason-codes.ts';

const decisionEventSet = closedSet('SubmissionEvent', sets.SubmissionEvent);

const decision = z.object({
  type: submissionTypeSet.schema,
  submission_id: z.string().nullable().describe('Of the business, also for a promotion.'),
  promo_id: z.string().nullable(),
  external_ref: z.string().nullable().describe('Your own reference for the business.'),
  promo_ref: z.string().nullable().describe('Your own reference for the promotion.'),
  status: submissionStatusSet.word,
  reason: z
    .object({ code: reasonCodeSet.word, text: z.string(), fix: z.string() })
    .nullable()
    .describe('Why it was rejected, and what to do about it.'),
  revision: z.int().describe('The revision that was decided.'),
  place_id: z.string().nullable(),
  live: z.boolean(),
  live_blocked_by: liveBlockedBySet.word.nullable(),
  reviewed_at: z.iso.datetime().nullable(),
});

const body = z.object({
  id: z.string().describe('The same at every attempt, and in the header webhook-id.'),
  type: decisionEventSet.schema,
  timestamp: z.iso.datetime().describe('When it was decided.'),
  data: decision,
});

/** Event sent to the callback_url of a submission. */
export const SUBMISSION_DECIDED: OutgoingEvent = {
  name: 'submission_decided',
  title: 'A submission was decided',
  description:
    'A person has approved or rejected a submission or revision with a callback_url; that of a business also applies to its promotions.',
  to: 'agent',
  body,
  example,
};

/** Queues the callback that the agent requested. A promotion uses the callback_url of its business. */
export async function queueDecisionCallback(
  deps: OperationDeps,
  tx: Db,
  submissionId: string,
): Promise<void> {
  const now = deps.clock.now();
  const [submission] = await readSubmissionStatuses(tx, now, { ids: [submissionId] });
  if (submission === undefined || submission.callback_url === null || submission.status === 'pending_review')
    return;
  const { type, status, reason, revision, place_id, live, live_blocked_by } = submission;
  await queueCallback(
    tx,
    { newId: deps.newId, now },
    {
      url: submission.callback_url,
      agentId: submission.agent_id,
      subjectId: submission.id,
      event: status === 'rejected' ? 'submission.rejected' : 'submission.approved',
      payload: {
        ...{ type, status, reason, revision, place_id, live, live_blocked_by },
        submission_id: type === 'promo' ? submission.business_id : submission.id,
        promo_id: type === 'promo' ? submission.id : null,
        external_ref: type === 'promo' ? submission.business_ref : submission.own_ref,
        promo_ref: type === 'promo' ? submission.own_ref : null,
        reviewed_at: submission.reviewed_at?.toISOString() ?? null,
      } satisfies z.infer<typeof decision>,
    },
  );
}
