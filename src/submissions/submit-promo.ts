import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { AppError, type FieldError } from '../core/errors.ts';
import { mergePromo } from './merge-content.ts';
import type { PromoInput } from './promo-fields.ts';
import { businessMismatch, lockByRef, storeRevision } from './store-revision.ts';
import { findSubmission, type PromoContent, type PromoSubmission } from './submission.ts';

/** Stores a promotion for a business of the same agent, or the next revision of one. */
export async function submitPromo(ctx: Ctx, agentId: string, input: PromoInput) {
  const before = await findOwnPromo(ctx.db, agentId, input);
  const businessId = (await namedBusiness(ctx.db, agentId, input)) ?? before?.business_id;
  const business = businessId ?? (await onlyBusiness(ctx.db, agentId));
  const content = readContent(ctx.now, before?.content, input);
  const stored = await storeRevision(ctx, {
    dryRun: input.dry_run,
    kind: 'promo',
    agentId,
    before,
    ownRef: input.promo_ref,
    businessId: business,
    content,
    flags: [],
    duplicates: [],
    matchedPlace: null,
  });
  return {
    promo_id: stored.id,
    submission_id: business,
    promo_ref: stored.ownRef,
    ...stored.answer,
    starts_at: content.starts_at,
    expires_at: content.ends_at,
    warnings: [],
  };
}

async function findOwnPromo(
  db: Db,
  agentId: string,
  { promo_ref }: PromoInput,
): Promise<PromoSubmission | undefined> {
  const id = promo_ref ? await lockByRef(db, agentId, 'promo', promo_ref) : undefined;
  const submission = id === undefined ? undefined : await findSubmission(db, id, { lock: true });
  return submission?.kind === 'promo' ? submission : undefined;
}

async function namedBusiness(
  db: Db,
  agentId: string,
  { submission_id, external_ref }: PromoInput,
): Promise<string | undefined> {
  const byRef = external_ref ? await lockByRef(db, agentId, 'business', external_ref) : undefined;
  if (external_ref && byRef === undefined)
    throw new AppError('unknown_business', 'You have submitted no business with this external_ref.', {
      errors: [
        { pointer: '/external_ref', code: 'bad_format', detail: 'does not match any of your businesses' },
      ],
    });
  if (submission_id === undefined || submission_id === '') return byRef;
  const [own] = await db`
    select 1 from submission where id = ${submission_id} and agent_id = ${agentId} and kind = 'business'`;
  if (own === undefined)
    throw new AppError('submission_not_found', 'You have no submission with this submission_id.');
  if (byRef !== undefined && byRef !== submission_id) throw businessMismatch();
  return submission_id;
}

async function onlyBusiness(db: Db, agentId: string): Promise<string> {
  const businesses = await db<{ id: string }[]>`
    select id from submission where agent_id = ${agentId} and kind = 'business' limit 2`;
  const [first, second] = businesses;
  if (first !== undefined && second === undefined) return first.id;
  throw new AppError('promo_needs_business', 'State which business the promotion belongs to.', {
    hint: 'Send submission_id or external_ref of a business that you submitted.',
    errors: [{ pointer: '/submission_id', code: 'required', detail: 'is required, or external_ref' }],
  });
}

function readContent(now: Date, before: PromoContent | undefined, input: PromoInput): PromoContent {
  const merged = mergePromo(before, input);
  const errors: FieldError[] = [];
  const { title, starts_at, ends_at } = merged;
  if (title === undefined) errors.push({ pointer: '/title', code: 'required', detail: 'is required' });
  if (ends_at && new Date(ends_at) <= now)
    errors.push({ pointer: '/ends_at', code: 'out_of_range', detail: 'must be in the future' });
  else if (ends_at && starts_at && ends_at <= starts_at)
    errors.push({ pointer: '/ends_at', code: 'out_of_range', detail: 'must come after starts_at' });
  const [first] = errors;
  if (first === undefined) return merged as PromoContent;
  throw new AppError('validation_failed', `${first.pointer}: ${first.detail}`, { errors });
}
