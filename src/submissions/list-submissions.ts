import { callbackStateOf, type CallbackState } from '../callbacks/callback-state.ts';
import type { Ctx } from '../core/context.ts';
import { decodeCursor, encodeCursor } from '../core/cursor.ts';
import { countSubmissions, readSubmissionStatuses, type SubmissionStatus } from './submission-status.ts';
import type { ReportedStatus } from './submission.ts';

interface ListRequest {
  status?: ReportedStatus | undefined;
  type?: 'business' | 'promo' | undefined;
  external_ref?: string | undefined;
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

const CURSOR = 'submissions';

export async function listSubmissions(ctx: Ctx, agentId: string, request: ListRequest) {
  const { limit, offset, cursor } = request;
  const filter = { agentId, status: request.status, type: request.type, ownRef: request.external_ref };
  const secret = ctx.deps.secrets.session;
  const before =
    cursor === undefined
      ? undefined
      : (decodeCursor(secret, CURSOR, cursor) as { created_at: string; id: string });
  const rows = await readSubmissionStatuses(ctx.db, ctx.now, {
    ...filter,
    before,
    offset: cursor === undefined ? offset : 0,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const callbacks = await callbackStateOf(
    ctx.db,
    page.map(({ id }) => id),
  );
  const last = page.at(-1);
  return {
    items: page.map((row) => itemOf(row, callbacks.get(row.id))),
    total: await countSubmissions(ctx.db, ctx.now, filter),
    limit,
    offset,
    next_cursor:
      rows.length > limit && last !== undefined
        ? encodeCursor(secret, CURSOR, { created_at: last.created_at.toISOString(), id: last.id })
        : null,
  };
}

function itemOf(row: SubmissionStatus, callback: CallbackState | undefined) {
  const shared = {
    type: row.type,
    status: row.status,
    reason: row.reason,
    rejection_reason: row.reason?.text ?? null,
    revision: row.revision,
    place_id: row.place_id,
    live: row.live,
    live_blocked_by: row.live_blocked_by,
    badge: row.badge,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
    callback:
      callback ??
      (row.callback_url === null
        ? null
        : { url: row.callback_url, state: 'pending', attempts: 0, last_http_status: null }),
  };
  if (row.type === 'business')
    return {
      ...shared,
      submission_id: row.id,
      external_ref: row.own_ref,
      name: row.name,
      relationship: row.relationship,
      vertical: row.vertical ?? 'other',
    };
  return {
    ...shared,
    promo_id: row.id,
    submission_id: row.business_id ?? '',
    external_ref: row.business_ref,
    promo_ref: row.own_ref,
    title: row.title,
    kind: row.promo_kind,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    discount_pct: row.discount_pct,
    live_from: row.live_from,
  };
}
