import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { publishBusiness } from '../publish/publish-business.ts';
import { queueDecisionCallback } from '../review/decision-callback.ts';
import { findSubmission, type BusinessContent } from '../submission.ts';

interface TakenDown {
  submission_id: string;
  revision: number;
  live_revision: number | null;
  place_id: string | null;
  kind: 'business' | 'promo';
}

/** Restores the submissions of a place, or those of one operator. Newer revisions stay pending. */
export async function restoreSubmissions(
  deps: OperationDeps,
  tx: Db,
  { placeId, agentId }: { placeId: string; agentId?: string },
): Promise<void> {
  const now = deps.clock.now();
  const restored = await tx<TakenDown[]>`
    update submission_takedown t set restored_at = ${now} from submission s
    where t.place_id = ${placeId} and t.restored_at is null and s.id = t.submission_id
      and (${agentId ?? null}::text is null or s.agent_id = ${agentId ?? null})
    returning t.submission_id, t.revision, t.live_revision, t.place_id, s.kind`;
  // Businesses first: a promotion is live only while its business is.
  for (const submission of restored.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)))
    await restore(deps, tx, submission);
}

async function restore(
  deps: OperationDeps,
  tx: Db,
  { submission_id, live_revision, place_id }: TakenDown,
): Promise<void> {
  const submission = await findSubmission(tx, submission_id, { lock: true });
  if (submission === undefined || live_revision === null || submission.live_revision !== null) return;
  if (submission.kind === 'promo') {
    await tx`update submission set live_revision = ${live_revision} where id = ${submission_id}`;
  } else {
    const [revision] = await tx<{ content: BusinessContent }[]>`
      select content from submission_revision where submission_id = ${submission_id} and revision = ${live_revision}`;
    if (revision === undefined) throw new Error('A revision that was live cannot be read.');
    await publishBusiness(
      deps,
      tx,
      { ...submission, revision: live_revision, content: revision.content },
      place_id,
    );
  }
  if (submission.revision === live_revision) await queueDecisionCallback(deps, tx, submission_id);
}
