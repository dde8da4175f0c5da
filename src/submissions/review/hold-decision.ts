import { z } from 'zod';
import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { addJob } from '../../jobs/add-job.ts';
import { defineTask } from '../../jobs/task.ts';
import {
  decideSubmission,
  findDecision,
  type DecideContext,
  type DecisionOutcome,
  type DecisionRequest,
} from './decide.ts';

/** Time during which a reviewer can undo a decision before it takes effect. */
export const UNDO_SECONDS = 60;

declare module '../../jobs/task.ts' {
  interface Payloads {
    apply_decision: { submission_id: string };
  }
}

/** Records a decision that takes effect after a minute. Whatever would refuse it then refuses it now. */
export async function holdDecision(
  tx: Db,
  ctx: DecideContext,
  request: DecisionRequest,
): Promise<DecisionOutcome> {
  await tx`savepoint tried`;
  const outcome = await decideSubmission(tx, ctx, request);
  await tx`rollback to savepoint tried`;
  if (outcome.outcome !== 'decided') return outcome;
  const { submissionId, revision, decision, staffId, reasonCode, reasonText, fixHint, placeId } = request;
  const isRejection = decision === 'rejected';
  const held = await tx`
    insert into held_decision (submission_id, revision, decision, decided_by, reason_code, reason_text, fix_hint, place_id,
      decided_at)
    values (${submissionId}, ${revision}, ${decision}, ${staffId}, ${isRejection ? (reasonCode ?? null) : null},
      ${isRejection ? (reasonText ?? null) : null}, ${isRejection ? (fixHint ?? null) : null}, ${placeId ?? null},
      ${ctx.now})
    on conflict (submission_id) do update set (revision, decision, decided_by, reason_code, reason_text, fix_hint,
      place_id, decided_at) = (excluded.revision, excluded.decision, excluded.decided_by, excluded.reason_code,
      excluded.reason_text, excluded.fix_hint, excluded.place_id, excluded.decided_at)
    where held_decision.decided_by = excluded.decided_by or held_decision.revision < excluded.revision`;
  if (held.count === 0) {
    const earlier = await findDecision(tx, request);
    return earlier === undefined ? { outcome: 'not_found' } : { outcome: 'already_decided', ...earlier };
  }
  const job = { delayMs: UNDO_SECONDS * 1000, key: `decision/${submissionId}` };
  await addJob(tx, 'apply_decision', { submission_id: submissionId }, job);
  return outcome;
}

/** Takes back decisions that have not taken effect yet, and returns their submissions. Only the reviewer may do it. */
export async function undoDecisions(
  tx: Db,
  { submissionIds, staffId }: { submissionIds: readonly string[]; staffId: string },
): Promise<string[]> {
  const undone = await tx<{ id: string }[]>`
    delete from held_decision where submission_id = any(${[...submissionIds]}) and decided_by = ${staffId}
    returning submission_id as id`;
  return undone.map(({ id }) => id);
}

interface HeldRow {
  revision: number;
  decision: DecisionRequest['decision'];
  staffId: string;
  reasonCode: string | null;
  reasonText: string | null;
  fixHint: string | null;
  placeId: string | null;
}

/**
 * Applies a decision at the end of its minute. If it no longer can, because the agent has sent a newer revision or the
 * place has changed, the submission is back in the queue.
 */
export const applyDecision = defineTask({
  kind: 'upkeep',
  payload: z.object({ submission_id: z.string() }),
  async run({ deps, inTransaction }, { submission_id: submissionId }) {
    await inTransaction(async (tx) => {
      const [held] = await tx<HeldRow[]>`
        delete from held_decision where submission_id = ${submissionId}
        returning revision, decision, decided_by as "staffId", reason_code as "reasonCode",
          reason_text as "reasonText", fix_hint as "fixHint", place_id as "placeId"`;
      if (held === undefined) return;
      await tx`savepoint tried`;
      const request = Object.fromEntries(Object.entries(held).filter(([, value]) => value !== null));
      try {
        await decideSubmission(
          tx,
          { deps, now: deps.clock.now() },
          { submissionId, ...(request as Omit<DecisionRequest, 'submissionId'>) },
        );
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
        await tx`rollback to savepoint tried`;
      }
    });
  },
});

/** A submission of which a decision was just made. */
export interface DecidedItem {
  id: string;
  name: string;
  /** True while the reviewer can undo the decision. */
  undoable: boolean;
}

/** Reads the names of submissions that were just decided. */
export function listDecided(
  db: Db,
  { submissionIds, staffId }: { submissionIds: readonly string[]; staffId: string },
): Promise<DecidedItem[]> {
  return db<DecidedItem[]>`
    select s.id, coalesce(r.content->>'title', r.content->>'name') as name,
           coalesce(h.decided_by = ${staffId}, false) as undoable
    from submission s join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    left join held_decision h on h.submission_id = s.id and h.revision = s.revision
    where s.id = any(${[...submissionIds]})`;
}
