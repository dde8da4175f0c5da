import type { Db } from '../../core/postgres/db.ts';
import type { ContactField, Origin } from '../../directory/provenance/field.ts';
import type { ContactsOfPlace } from '../../venue/contact.ts';
import type { Place } from '../../directory/place/place.ts';
import type { ComparedPlace, FieldDiff } from './field-diff.ts';
import { TAKEDOWN_SQL, type BusinessContent, type PromoContent, type Submission } from '../submission.ts';
import type { ClaimedColumns } from '../../directory/provenance/apply-field-claims.ts';

export interface LivePlace
  extends
    ContactsOfPlace,
    Omit<ComparedPlace, keyof ContactsOfPlace>,
    Pick<Place, 'id' | 'category' | 'position_known' | 'badge' | 'source_ref'> {
  closed: boolean;
}

export interface DuplicatePlace extends Pick<ClaimedColumns, 'name' | 'address' | 'city' | 'lat' | 'lng'> {
  placeId: string;
  /** Null when one of the two has no coordinates. */
  distanceM: number | null;
  /** Likelihood that it is the same place, 0 to 1. */
  score: number;
}

export interface ContactOrigin {
  field: ContactField;
  submitted: string | null;
  live: string | null;
  origin: Origin | 'nobody';
  /** The contact by which the venue is currently reached and proves its identity; never one that an agent submitted. */
  trusted: string | null;
  /**
   * none: nothing was submitted. same: it does not change. kept: the published contact or the venue's own is kept.
   * shown: travellers see it, but the venue is not contacted by it. owners: it counts as the venue's own, because the
   * operator acts for it.
   */
  effect: 'none' | 'same' | 'kept' | 'shown' | 'owners';
}

export interface AgentRecord {
  id: string;
  agentName: string;
  operatorName: string;
  operatorEmail: string;
  homepage: string | null;
  purpose: string;
  status: string;
  since: Date;
  pending: number;
  approved: number;
  rejected: number;
}

export interface RevisionRecord {
  revision: number;
  submittedAt: Date;
  flags: string[];
  content: BusinessContent | PromoContent;
  decision: {
    decision: 'approved' | 'rejected';
    by: string;
    /** RFC 3339. */
    at: string;
    reasonCode: string | null;
    reasonText: string | null;
    fixHint: string | null;
    /** The comparison that the reviewer saw; null for decisions that did not store it. */
    diff: FieldDiff[] | null;
  } | null;
}

export interface ReviewRecord {
  submission: Submission;
  /** Newest first. */
  revisions: RevisionRecord[];
  content: BusinessContent | PromoContent;
  /** The place that an approval would change: the live one, or the match found at submission. */
  place: LivePlace | null;
  /** True: an approval adds a new place. */
  isNew: boolean;
  diff: FieldDiff[];
  duplicates: DuplicatePlace[];
  contacts: ContactOrigin[];
  /** Whether the operator acts for the venue, as the venue answered; null before it has answered. */
  venueAnswer: 'yes' | 'no' | null;
  agent: AgentRecord;
  business: { id: string; name: string; status: string; live: boolean; placeId: string | null } | null;
  expectedBy: Date;
  /** A decision that takes effect within a minute. */
  held: HeldDecision | undefined;
}

export async function readLivePlace(db: Db, placeId: string): Promise<LivePlace | null> {
  const [place] = await db<LivePlace[]>`
    select id, name, vertical, category, country, city, address, lat, lng, lat is not null as position_known, phone, email, website,
           languages, price_range, about, hours->>'text' as hours_text, badge, closed_at is not null as closed,
           field_claims, source, source_ref
    from place where id = ${placeId}`;
  return place ?? null;
}

export async function readRevisions(db: Db, submissionId: string): Promise<RevisionRecord[]> {
  return db<RevisionRecord[]>`
    select r.revision, r.submitted_at as "submittedAt", r.flags, r.content,
           case when d.decision is null then null else jsonb_build_object('decision', d.decision, 'by', f.email,
             'at', d.decided_at, 'reasonCode', d.reason_code, 'reasonText', d.reason_text, 'fixHint', d.fix_hint, 'diff', d.diff)
           end as decision
    from submission_revision r
    left join submission_decision d on d.submission_id = r.submission_id and d.revision = r.revision
    left join staff f on f.id = d.decided_by
    where r.submission_id = ${submissionId} order by r.revision desc`;
}

export async function readAgentRecord(db: Db, agentId: string): Promise<AgentRecord> {
  const [agent] = await db<AgentRecord[]>`
    select a.id, a.agent_name as "agentName", a.operator_name as "operatorName", a.operator_email as "operatorEmail",
           a.homepage, a.purpose, a.status, a.created_at as since,
           count(s.id) filter (where s.status = 'pending_review' and t.submission_id is null)::int as pending,
           (select count(*)::int from submission_decision d join submission o on o.id = d.submission_id
             where o.agent_id = a.id and d.decision = 'approved') as approved,
           (select count(*)::int from submission_decision d join submission o on o.id = d.submission_id
             where o.agent_id = a.id and d.decision = 'rejected') as rejected
    from agent a left join submission s on s.agent_id = a.id
    ${db.unsafe(TAKEDOWN_SQL)}
    where a.id = ${agentId} group by a.id`;
  if (agent === undefined) throw new Error('A submission belongs to an agent that cannot be read.');
  return agent;
}

/** A decision that waits for the end of its minute. */
interface HeldDecision {
  decision: 'approved' | 'rejected';
  staffId: string;
  by: string;
}

export async function findHeldDecision(
  db: Db,
  { id, revision }: { id: string; revision: number },
): Promise<HeldDecision | undefined> {
  const [held] = await db<HeldDecision[]>`
    select h.decision, h.decided_by as "staffId", f.email as by
    from held_decision h join staff f on f.id = h.decided_by
    where h.submission_id = ${id} and h.revision = ${revision}`;
  return held;
}
