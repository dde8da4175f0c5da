import { closedSet } from '../core/input/closed-set.ts';
import sets from './sets.json' with { type: 'json' };
import type { ClaimedColumns } from '../directory/provenance/apply-field-claims.ts';
import type { promoKindSet } from '../directory/sets/place-sets.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Promotion } from '../directory/place/place.ts';

/** The operator's relationship to the business. */
export const relationshipSet = closedSet('Relationship', sets.Relationship);
export type Relationship = (typeof relationshipSet.values)[number];

export type PromoKind = (typeof promoKindSet.values)[number];

export const submissionTypeSet = closedSet('SubmissionType', sets.SubmissionType, {
  explainedInTools: false,
});

/** The reported status. `expired` is never stored: it follows from the end of an approved promotion. */
export const submissionStatusSet = closedSet('SubmissionStatus', sets.SubmissionStatus, {
  explainedInTools: false,
});
export type ReportedStatus = (typeof submissionStatusSet.values)[number];

export const submissionActionSet = closedSet('SubmissionAction', sets.SubmissionAction);

export const liveBlockedBySet = closedSet('LiveBlockedBy', sets.LiveBlockedBy);

type SubmittedHoursValue = string | Record<string, unknown>;

/** All fields of a business in one revision; updates are merged before they are stored. */
export interface BusinessContent extends Pick<
  ClaimedColumns,
  'name' | 'address' | 'lat' | 'lng' | 'phone' | 'email' | 'website' | 'languages' | 'price_range'
> {
  relationship: Relationship;
  vertical: string | null;
  /** ISO 3166 alpha-2. */
  country: string;
  city: string;
  description: string | null;
  hours: SubmittedHoursValue | null;
  claims: { text: string; source_url: string }[];
  callback_url: string | null;
}

export interface PromoContent extends Omit<Promotion, 'promo_id' | 'kind'> {
  kind: PromoKind;
}

export interface SubmissionRow {
  id: string;
  kind: 'business' | 'promo';
  agent_id: string;
  agent_name: string;
  operator_name: string;
  own_ref: string | null;
  business_id: string | null;
  status: 'pending_review' | 'approved' | 'rejected';
  revision: number;
  live_revision: number | null;
  live_blocked_by: 'business_confirmation' | null;
  place_id: string | null;
  created_at: Date;
  updated_at: Date;
  reviewed_at: Date | null;
  /** Reason why the newest revision was taken down; null if it was not. */
  takedown: { reason_code: string; reason_text: string; by: string; at: string } | null;
}

export interface BusinessSubmission extends SubmissionRow {
  kind: 'business';
  content: BusinessContent;
  matched_place: string | null;
}

export interface PromoSubmission extends SubmissionRow {
  kind: 'promo';
  business_id: string;
  content: PromoContent;
}

export type Submission = BusinessSubmission | PromoSubmission;

const SUBMISSION_ID = /^(?:sub|prm)_[0-9a-hjkmnp-tv-z]{26}$/;

/** Joins the active takedown t of the newest revision of a submission s. */
export const TAKEDOWN_SQL = `left join submission_takedown t
    on t.submission_id = s.id and t.revision = s.revision and t.restored_at is null`;

/** Reads a submission with its newest revision. `lock` locks its row until the end of the transaction. */
export async function findSubmission(
  db: Db,
  id: string,
  options: { lock?: boolean } = {},
): Promise<Submission | undefined> {
  if (!SUBMISSION_ID.test(id)) return undefined;
  // Locks in a separate statement: a select that waited for the lock would join the new row with the old revision.
  if (options.lock === true) await db`select 1 from submission where id = ${id} for update`;
  const [row] = await db<Submission[]>`
    select s.id, s.kind, s.agent_id, s.agent_name, s.operator_name, s.own_ref, s.business_id,
           case when t.submission_id is null then s.status else 'rejected' end as status, s.revision,
           s.live_revision, s.live_blocked_by, s.place_id, s.created_at, s.updated_at, s.reviewed_at, r.content,
           r.matched_place,
           case when t.submission_id is not null then jsonb_build_object('reason_code', t.reason_code, 'reason_text', t.reason_text,
             'by', coalesce(f.email, 'the venue'), 'at', t.taken_down_at) end as takedown
    from submission s join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    ${db.unsafe(TAKEDOWN_SQL)}
    left join staff f on f.id = t.taken_down_by
    where s.id = ${id}`;
  return row;
}

/** SQL for the status of a submission s with confirmation c, takedown t and newest content r; `now` is SQL. */
export function reportedStatus(now: string): string {
  return `case
    when t.submission_id is not null then 'rejected'
    when s.status = 'approved' and c.answer = 'no' then 'rejected'
    when s.status = 'approved' and s.kind = 'promo' and (r.content->>'ends_at')::timestamptz <= ${now} then 'expired'
    else s.status end`;
}
