import type { Db } from '../core/postgres/db.ts';
import { RELATIONSHIP_DENIED } from './review/reason-codes.ts';
import { reportedStatus, TAKEDOWN_SQL, type Relationship, type ReportedStatus } from './submission.ts';

export interface SubmissionStatus {
  id: string;
  type: 'business' | 'promo';
  agent_id: string;
  own_ref: string | null;
  business_id: string | null;
  business_ref: string | null;
  /** The business's URL; a promotion has none of its own. */
  callback_url: string | null;
  name: string | null;
  relationship: Relationship | null;
  vertical: string | null;
  title: string | null;
  promo_kind: string | null;
  starts_at: string | null;
  ends_at: string | null;
  discount_pct: number | null;
  status: ReportedStatus;
  reason: { code: string; text: string; fix: string } | null;
  revision: number;
  place_id: string | null;
  live: boolean;
  live_from: string | null;
  live_blocked_by: string | null;
  badge: 'mapped' | 'claimed' | null;
  created_at: Date;
  updated_at: Date;
  reviewed_at: Date | null;
}

interface SubmissionFilter {
  ids?: readonly string[];
  agentId?: string;
  type?: 'business' | 'promo' | undefined;
  status?: ReportedStatus | undefined;
  ownRef?: string | undefined;
  /** Cursor: returns only the items that follow this one in the list. */
  before?: { created_at: string; id: string } | undefined;
  offset?: number;
  limit?: number;
}

const FROM = `
  from submission s
  join submission_revision r on r.submission_id = s.id and r.revision = s.revision
  left join submission_revision lr on lr.submission_id = s.id and lr.revision = s.live_revision
  left join submission_decision d on d.submission_id = s.id and d.revision = s.revision
  left join business_confirmation c on c.submission_id = s.id and c.revision = s.revision
  ${TAKEDOWN_SQL}
  left join submission b on b.id = s.business_id
  left join submission_revision br on br.submission_id = b.id and br.revision = b.revision
  left join place p on p.id = coalesce(b.place_id, s.place_id)`;

// $1 is the current time. A promotion is live between its start and its end, while its business is live.
const COLUMNS = `
  s.id, s.kind as type, s.agent_id, s.own_ref, s.business_id, b.own_ref as business_ref,
  coalesce(br.content, r.content)->>'callback_url' as callback_url,
  r.content->>'name' as name, r.content->>'relationship' as relationship, r.content->>'vertical' as vertical,
  r.content->>'title' as title, r.content->>'kind' as promo_kind, r.content->>'starts_at' as starts_at,
  r.content->>'ends_at' as ends_at, (r.content->>'discount_pct')::int as discount_pct,
  ${reportedStatus('$1::timestamptz')} as status, s.revision, p.id as place_id,
  coalesce(t.reason_code, d.reason_code) as reason_code, coalesce(t.reason_text, d.reason_text) as reason_text,
  coalesce(t.fix_hint, d.fix_hint) as fix_hint, t.submission_id is null and c.answer = 'no' and s.status = 'approved' as denied,
  s.live_revision is not null and p.id is not null and p.closed_at is null and (s.kind = 'business' or (
    b.live_revision is not null
    and coalesce((lr.content->>'starts_at')::timestamptz <= $1, true)
    and coalesce((lr.content->>'ends_at')::timestamptz > $1, true))) as live,
  case when (lr.content->>'starts_at')::timestamptz > $1 then lr.content->>'starts_at' end as live_from,
  s.live_blocked_by, case when s.live_revision is not null then p.badge end as badge,
  s.created_at, s.updated_at, coalesce(t.taken_down_at, s.reviewed_at) as reviewed_at`;

interface Row extends Omit<SubmissionStatus, 'reason'> {
  reason_code: string | null;
  reason_text: string | null;
  fix_hint: string | null;
  denied: boolean | null;
}

export async function readSubmissionStatuses(
  db: Db,
  now: Date,
  filter: SubmissionFilter,
): Promise<SubmissionStatus[]> {
  const { where, values } = conditions(now, filter);
  const rows = await db.unsafe<Row[]>(
    `select ${COLUMNS} ${FROM} ${where} order by s.created_at desc, s.id desc
     limit ${filter.limit ?? 1_000} offset ${filter.offset ?? 0}`,
    values,
  );
  return rows.map(({ reason_code, reason_text, fix_hint, denied, ...row }) => ({
    ...row,
    reason:
      denied === true
        ? { ...RELATIONSHIP_DENIED }
        : reason_code === null || row.status !== 'rejected'
          ? null
          : { code: reason_code, text: reason_text ?? '', fix: fix_hint ?? '' },
  }));
}

export async function countSubmissions(db: Db, now: Date, filter: SubmissionFilter): Promise<number> {
  const { where, values } = conditions(now, filter);
  const [row] = await db.unsafe<{ total: number }[]>(
    `select count(*)::int as total, $1::timestamptz as now ${FROM} ${where}`,
    values,
  );
  return row?.total ?? 0;
}

export async function countByStatus(
  db: Db,
  now: Date,
  agentId: string,
): Promise<Record<ReportedStatus, number>> {
  const rows = await db.unsafe<{ status: ReportedStatus; total: number }[]>(
    `select ${reportedStatus('$1::timestamptz')} as status, count(*)::int as total
     ${FROM} where s.agent_id = $2 group by 1`,
    [now, agentId],
  );
  const none = { pending_review: 0, approved: 0, rejected: 0, expired: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ status, total }) => [status, total])) };
}

function conditions(
  now: Date,
  filter: SubmissionFilter,
): { where: string; values: (Date | string | string[])[] } {
  const values: (Date | string | string[])[] = [now];
  const terms: string[] = [];
  const add = (term: (parameter: string) => string, value: Date | string | string[] | undefined) => {
    if (value === undefined) return;
    values.push(value);
    terms.push(term(`$${values.length}`));
  };
  add((ids) => `s.id = any(${ids}::text[])`, filter.ids === undefined ? undefined : [...filter.ids]);
  add((agent) => `s.agent_id = ${agent}`, filter.agentId);
  add((type) => `s.kind = ${type}`, filter.type);
  add((ref) => `${ref} in (s.own_ref, b.own_ref)`, filter.ownRef);
  add((status) => `${reportedStatus('$1::timestamptz')} = ${status}`, filter.status);
  if (filter.before !== undefined) {
    const { created_at, id } = filter.before;
    values.push(created_at, id);
    terms.push(`(s.created_at, s.id) < ($${values.length - 1}::timestamptz, $${values.length})`);
  }
  return { where: terms.length === 0 ? '' : `where ${terms.join(' and ')}`, values };
}
