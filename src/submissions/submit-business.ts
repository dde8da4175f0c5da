import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { AppError, type FieldError } from '../core/errors.ts';
import type { Warning } from '../core/input/warning.ts';
import { compileSubmittedHours, HOURS_FORM } from '../directory/hours/submitted-hours.ts';
import { isUnderstood } from '../directory/hours/weekly-hours.ts';
import { missingFields, type BusinessInput } from './business-fields.ts';
import { makesClaim } from './review/award-claims.ts';
import { findDuplicates } from './find-duplicates.ts';
import { destinationFor } from './locate-business.ts';
import { mergeBusiness } from './merge-content.ts';
import { historyFlags } from './takedown/history-flags.ts';
import { businessMismatch, lockByRef, storeRevision } from './store-revision.ts';
import { findSubmission, type BusinessContent, type BusinessSubmission } from './submission.ts';

/** Stores a new business, or the next revision of one that this agent submitted before. */
export async function submitBusiness(ctx: Ctx, agentId: string, input: BusinessInput) {
  const before = await findOwnBusiness(ctx.db, agentId, input);
  const content = readContent(before?.content, input);
  const warnings = await warningsAbout(ctx, content);
  const { duplicates, match } = await findDuplicates(ctx.deps, ctx.db, content);
  const flags = [
    ...warnings.map(({ code }) => code),
    ...(duplicates.length > 0 ? ['possible_duplicate'] : []),
    ...(content.lat === null && match === null ? ['position_unknown'] : []),
    ...(await historyFlags(ctx.db, { agentId, content, placeId: before?.place_id ?? match })),
  ];
  const stored = await storeRevision(ctx, {
    dryRun: input.dry_run,
    kind: 'business',
    agentId,
    before,
    ownRef: input.external_ref,
    businessId: null,
    content,
    flags,
    duplicates: duplicates.map(({ place_id, score }) => ({ place_id, score })),
    matchedPlace: match,
  });
  return {
    submission_id: stored.id,
    ...stored.answer,
    external_ref: stored.ownRef,
    warnings,
    possible_duplicates: duplicates.map(({ place_id, name, distance_m }) => ({ place_id, name, distance_m })),
  };
}

/** Returns the submission to update, locked; undefined for a new one. */
async function findOwnBusiness(
  db: Db,
  agentId: string,
  { submission_id, external_ref }: BusinessInput,
): Promise<BusinessSubmission | undefined> {
  const byRef = external_ref ? await lockByRef(db, agentId, 'business', external_ref) : undefined;
  const id = submission_id === undefined || submission_id === '' ? byRef : submission_id;
  if (id === undefined) return undefined;
  const submission = await findSubmission(db, id, { lock: true });
  if (submission?.kind !== 'business' || submission.agent_id !== agentId)
    throw new AppError('submission_not_found', 'You have no submission with this submission_id.');
  const otherRef = external_ref && submission.own_ref !== null && submission.own_ref !== external_ref;
  if (otherRef || (byRef !== undefined && byRef !== id)) throw businessMismatch();
  return submission;
}

function readContent(before: BusinessContent | undefined, input: BusinessInput): BusinessContent {
  const merged = mergeBusiness(before, input);
  const errors: FieldError[] = missingFields(merged).map((field) => ({
    pointer: `/${field}`,
    code: 'required',
    detail: 'is required',
  }));
  if ((merged.lat === null) !== (merged.lng === null)) {
    const pointer = merged.lat === null ? '/lat' : '/lng';
    errors.push({ pointer, code: 'required', detail: 'lat and lng belong together' });
  }
  const [first] = errors;
  if (first === undefined) return merged as BusinessContent;
  const isNew = before === undefined && Boolean(input.external_ref);
  throw new AppError('validation_failed', `${first.pointer}: ${first.detail}`, {
    errors,
    ...(isNew && { hint: 'You have submitted nothing with this external_ref, so this is a new business.' }),
  });
}

const HOURS_NOT_UNDERSTOOD = `They are kept as text, and the place is shown as neither open nor closed. ${HOURS_FORM}`;

/** Warnings about content that is accepted, but that the agent should know of and a reviewer will check. */
async function warningsAbout(ctx: Ctx, content: BusinessContent): Promise<Warning[]> {
  const warnings: Warning[] = [];
  const { description, claims, hours } = content;
  if (description !== null && claims.length === 0 && makesClaim(description))
    warnings.push({
      code: 'claim_unsourced',
      pointer: '/description',
      detail:
        'It seems to claim an award or a rating. Give the source in claims, or a reviewer may reject it.',
    });
  const anywhere = {
    lat: content.lat ?? 0,
    lng: content.lng ?? 0,
    country: content.country,
    timezone: 'UTC',
  };
  if (typeof hours === 'string' && hours !== '') {
    const { compiled } = compileSubmittedHours(hours, { ...anywhere, now: ctx.now });
    if (compiled === null || !isUnderstood(compiled))
      warnings.push({ code: 'hours_not_understood', pointer: '/hours', detail: HOURS_NOT_UNDERSTOOD });
  }
  if ((await destinationFor(ctx.deps, ctx.db, content)) === undefined)
    warnings.push({
      code: 'outside_destinations',
      pointer: '/city',
      detail: 'None of our destinations covers it. It is listed under the country until one does.',
    });
  return warnings;
}
