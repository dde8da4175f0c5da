import { queueCallback } from '../../callbacks/queue-callback.ts';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { readStandings } from '../standing.ts';

/** Queues what the agent asked to be told. A promotion is told of at the address of its business. */
export async function queueDecisionCallback(
  deps: OperationDeps,
  tx: Db,
  submissionId: string,
): Promise<void> {
  const now = deps.clock.now();
  const [standing] = await readStandings(tx, now, { ids: [submissionId] });
  if (standing === undefined || standing.callback_url === null || standing.status === 'pending_review')
    return;
  const { type, status, reason, revision, place_id, live, live_blocked_by } = standing;
  await queueCallback(
    tx,
    { newId: deps.newId, now },
    {
      url: standing.callback_url,
      agentId: standing.agent_id,
      subjectId: standing.id,
      event: status === 'rejected' ? 'submission.rejected' : 'submission.approved',
      payload: {
        type,
        submission_id: type === 'promo' ? standing.business_id : standing.id,
        promo_id: type === 'promo' ? standing.id : null,
        external_ref: type === 'promo' ? standing.business_ref : standing.own_ref,
        promo_ref: type === 'promo' ? standing.own_ref : null,
        status,
        reason,
        revision,
        place_id,
        live,
        live_blocked_by,
        reviewed_at: standing.reviewed_at?.toISOString() ?? null,
      },
    },
  );
}
