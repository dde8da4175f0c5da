import { z } from 'zod';
import type { Ctx } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';
import { expectedBy } from './expected-by.ts';
import { submissionActionSet, submissionStatusSet, type SubmissionRow } from './submission.ts';

type Storing = Pick<Ctx, 'db' | 'now' | 'newId' | 'audit'>;

interface NewRevision {
  /** Validates only: nothing is stored, and the answer states what would be. */
  dryRun: boolean | undefined;
  kind: 'business' | 'promo';
  agentId: string;
  /** The submission that is revised, locked by this transaction. */
  before: SubmissionRow | undefined;
  /** The agent's own reference. Null and empty mean none. */
  ownRef: string | null | undefined;
  businessId: string | null;
  content: unknown;
  flags: string[];
  duplicates: unknown;
  matchedPlace: string | null;
}

type StoredRevision = NewRevision & { ownRef: string | null };

/** Returns the submission with this reference; a lock makes the second of two concurrent requests find the first. */
export async function lockByRef(
  db: Db,
  agentId: string,
  kind: 'business' | 'promo',
  ref: string,
): Promise<string | undefined> {
  await db`select pg_advisory_xact_lock(hashtextextended(${`${agentId}/${kind}/${ref}`}, 0))`;
  const [row] = await db<{ id: string }[]>`
    select id from submission where agent_id = ${agentId} and kind = ${kind} and own_ref = ${ref}`;
  return row?.id;
}

export function businessMismatch(): AppError {
  return new AppError('business_mismatch', 'submission_id and external_ref name different businesses.', {
    hint: 'Send only one of the two.',
    errors: [{ pointer: '/external_ref', code: 'bad_format', detail: 'belongs to another submission' }],
  });
}

/** Stores a submission or its next revision. Either waits for a review; the live revision stays live meanwhile. */
export async function storeRevision(ctx: Storing, next: NewRevision) {
  const { before, dryRun } = next;
  const isNew = before === undefined;
  const ownRef = next.ownRef || null;
  const ownRefAfter = ownRef ?? before?.own_ref ?? null;
  if (dryRun === true) {
    const action = isNew ? ('would_create' as const) : ('would_update' as const);
    return { id: null, ownRef: ownRefAfter, answer: { ...DRY_RUN, action } };
  }
  const { id, revision } = await store(ctx, { ...next, ownRef });
  return {
    id,
    ownRef: ownRefAfter,
    answer: {
      status: 'pending_review' as const,
      action: isNew ? ('created' as const) : ('updated' as const),
      revision,
      review: { expected_by: expectedBy(ctx.now).toISOString() },
      dry_run: false,
    },
  };
}

/** Fields that the answers about businesses and promotions share. */
export const submissionAnswer = {
  status: submissionStatusSet
    .always('pending_review')
    .nullable()
    .describe('Nothing is ever approved automatically: a person decides. null after a dry run.'),
  action: submissionActionSet.schema,
  revision: z.int().nullable().describe('Counts up with every update. null after a dry run.'),
  review: z
    .object({ expected_by: z.string().describe('A target, not a promise.') })
    .nullable()
    .describe('null after a dry run.'),
  dry_run: z.boolean().describe('true: everything was checked, and nothing was stored.'),
};

export function dryRunText(action: string): string {
  const would = action === 'would_update' ? 'update what you submitted before' : 'create a new one';
  return `Dry run: everything was checked, nothing was stored, and nobody reviews it. Without dry_run it would ${would}.`;
}

/** Error codes of a dry run about quota: it costs one read and can be refused like one. */
export const READ_FAILURES = ['daily_quota_exhausted', 'rate_limited'] as const;

/** Fields that are empty in the answer to a dry run. */
export const DRY_RUN = { status: null, revision: null, review: null, dry_run: true } as const;

async function store(ctx: Storing, next: StoredRevision): Promise<{ id: string; revision: number }> {
  const stored = next.before === undefined ? await insert(ctx, next) : await update(ctx, next, next.before);
  await ctx.db`
    insert into submission_revision (submission_id, revision, content, flags, duplicates, matched_place, submitted_at)
    values (${stored.id}, ${stored.revision}, ${ctx.db.json(next.content)}, ${next.flags},
            ${ctx.db.json(next.duplicates)}, ${next.matchedPlace}, ${ctx.now})`;
  ctx.audit(stored.id, { revision: stored.revision });
  return stored;
}

async function insert(ctx: Storing, { kind, agentId, ownRef, businessId }: StoredRevision) {
  const id = ctx.newId(kind === 'business' ? 'sub' : 'prm');
  const added = await ctx.db`
    insert into submission (id, kind, agent_id, agent_name, operator_name, own_ref, business_id, created_at, updated_at)
    select ${id}, ${kind}, a.id, a.agent_name, a.operator_name, ${ownRef}, ${businessId}, ${ctx.now}, ${ctx.now}
    from agent a where a.id = ${agentId}`;
  if (added.count !== 1) throw new Error('The submitting agent cannot be read.');
  return { id, revision: 1 };
}

async function update(ctx: Storing, { ownRef, businessId }: StoredRevision, before: SubmissionRow) {
  const revision = before.revision + 1;
  await ctx.db`
    update submission set revision = ${revision}, status = 'pending_review', updated_at = ${ctx.now},
      own_ref = coalesce(own_ref, ${ownRef}), business_id = ${businessId}
    where id = ${before.id}`;
  return { id: before.id, revision };
}
