import type { Db } from '../../core/postgres/db.ts';
import { CONTACT_FIELDS, FIELDS } from '../../directory/provenance/field.ts';
import { displayedOrigin } from '../../directory/provenance/field-claim.ts';
import { trustedContact } from '../../venue/contact.ts';
import { metresApart } from '../../import/match/metres-apart.ts';
import { findRepresentationAnswer } from '../../venue/representative.ts';
import { expectedBy } from '../expected-by.ts';
import { readDiff } from './read-diff.ts';
import {
  findHeldDecision,
  readAgentRecord,
  readLivePlace,
  readRevisions,
  type LivePlace,
} from './review-reading.ts';
import type { ContactOrigin, DuplicatePlace, ReviewRecord } from './review-reading.ts';
import { matchedPlace } from './matched-place.ts';
import { actsForVenue } from '../publish/publish-business.ts';
import { findSubmission, TAKEDOWN_SQL, type BusinessContent, type Relationship } from '../submission.ts';

export { reasonCodes } from './reason-codes.ts';

export interface QueueItem {
  submissionId: string;
  kind: 'business' | 'promo';
  name: string;
  /** Relationship to the business; a promotion has that of its business. */
  relationship: Relationship;
  vertical: string | null;
  city: string;
  country: string;
  agentName: string;
  operatorName: string;
  revision: number;
  submittedAt: Date;
  expectedBy: Date;
  /** Points to check, such as claim_unsourced or possible_duplicate. */
  flags: string[];
}

export interface Queue {
  items: QueueItem[];
  /** Cursor to pass as `after` for the next page; null on the last page. */
  next: string | null;
  total: number;
}

interface QueueFilter {
  relationship?: Relationship | undefined;
  kind?: 'business' | 'promo' | undefined;
  after?: string | undefined;
  limit: number;
}

/** Condition on a submission s: no decision about its newest revision waits for the end of its minute. */
export const NOT_HELD_SQL = `not exists (
  select from held_decision h where h.submission_id = s.id and h.revision = s.revision)`;

/** Pending submissions, oldest first. */
export async function listQueue(db: Db, filter: QueueFilter): Promise<Queue> {
  const { relationship, kind, limit } = filter;
  const [since, id] = filter.after?.split('/') ?? [];
  const waiting = db`
    from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    ${db.unsafe(TAKEDOWN_SQL)}
    left join submission b on b.id = s.business_id
    left join submission_revision br on br.submission_id = b.id and br.revision = b.revision
    where s.status = 'pending_review' and t.submission_id is null and ${db.unsafe(NOT_HELD_SQL)}
      ${kind === undefined ? db`` : db`and s.kind = ${kind}`}
      ${relationship === undefined ? db`` : db`and coalesce(br.content, r.content)->>'relationship' = ${relationship}`}`;
  const rows = await db<Omit<QueueItem, 'expectedBy'>[]>`
    select s.id as "submissionId", s.kind, coalesce(r.content->>'title', r.content->>'name') as name,
           coalesce(br.content, r.content)->>'relationship' as relationship,
           coalesce(br.content, r.content)->>'vertical' as vertical,
           coalesce(br.content, r.content)->>'city' as city, coalesce(br.content, r.content)->>'country' as country,
           s.agent_name as "agentName", s.operator_name as "operatorName", s.revision,
           s.updated_at as "submittedAt", r.flags
    ${waiting} ${since === undefined || id === undefined ? db`` : db`and (s.updated_at, s.id) > (${new Date(since)}, ${id})`}
    order by s.updated_at, s.id limit ${limit + 1}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total ${waiting}`;
  const items = rows.slice(0, limit).map((row) => ({ ...row, expectedBy: expectedBy(row.submittedAt) }));
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items,
    next: more ? `${last.submittedAt.toISOString()}/${last.submissionId}` : null,
    total: count?.total ?? 0,
  };
}

/** Finds the submission after this one in the queue, or the oldest; undefined when no other waits. */
export async function nextInQueue(db: Db, id: string): Promise<string | undefined> {
  const [next] = await db<{ id: string }[]>`
    select s.id from submission s ${db.unsafe(TAKEDOWN_SQL)}
    where s.status = 'pending_review' and t.submission_id is null and s.id <> ${id} and ${db.unsafe(NOT_HELD_SQL)}
    order by (s.updated_at, s.id) < (select o.updated_at, o.id from submission o where o.id = ${id}), s.updated_at, s.id
    limit 1`;
  return next?.id;
}

/** Everything that a reviewer needs to decide about one submission, business or promotion. */
export async function readForReview(db: Db, submissionId: string): Promise<ReviewRecord | undefined> {
  const submission = await findSubmission(db, submissionId);
  if (submission === undefined) return undefined;
  const [revisions, agent] = await Promise.all([
    readRevisions(db, submissionId),
    readAgentRecord(db, submission.agent_id),
  ]);
  const shared = {
    ...{ submission, revisions, agent, expectedBy: expectedBy(submission.updated_at) },
    diff: revisions[0]?.decision?.diff ?? (await readDiff(db, submission, undefined)),
    held: await findHeldDecision(db, submission),
  };
  if (submission.kind === 'promo') {
    const live = revisions.find(({ revision }) => revision === submission.live_revision);
    return {
      ...shared,
      content: submission.content,
      place: null,
      isNew: live === undefined,
      duplicates: [],
      contacts: [],
      venueAnswer: null,
      business: await readBusiness(db, submission.business_id),
    };
  }
  const placeId = await matchedPlace(db, submission);
  const place = placeId === null ? null : await readLivePlace(db, placeId);
  const acts = placeId !== null && (await actsForVenue(db, submission, placeId));
  return {
    ...shared,
    content: submission.content,
    place,
    isNew: place === null,
    duplicates: await readDuplicates(db, submissionId, submission.revision, submission.content),
    contacts: contactOrigins(place, submission.content, acts),
    venueAnswer: placeId === null ? null : await findRepresentationAnswer(db, placeId, submission.agent_id),
    business: null,
  };
}

async function readBusiness(db: Db, id: string): Promise<ReviewRecord['business']> {
  const business = await findSubmission(db, id);
  if (business?.kind !== 'business') return null;
  const { status, live_revision, place_id, content } = business;
  return {
    id,
    name: content.name,
    status,
    live: live_revision !== null && place_id !== null,
    placeId: place_id,
  };
}

async function readDuplicates(
  db: Db,
  submissionId: string,
  revision: number,
  content: BusinessContent,
): Promise<DuplicatePlace[]> {
  const rows = await db<Omit<DuplicatePlace, 'distanceM'>[]>`
    select p.id as "placeId", p.name, p.address, p.city, p.lat, p.lng, d.score
    from submission_revision r
    cross join lateral jsonb_to_recordset(r.duplicates) as d (place_id text, score float8)
    join place p on p.id = d.place_id
    where r.submission_id = ${submissionId} and r.revision = ${revision}
    order by d.score desc`;
  return rows.map((row) => {
    const metres = metresApart(row, content);
    return { ...row, distanceM: metres === null ? null : Math.round(metres) };
  });
}

function contactOrigins(
  place: LivePlace | null,
  content: BusinessContent,
  byOwner: boolean,
): ContactOrigin[] {
  return CONTACT_FIELDS.map((field) => {
    const submitted = content[field];
    const live = place?.[field] ?? null;
    const trusted = place === null ? null : trustedContact(place, field);
    // Published data and the venue's own contacts take precedence over submitted ones.
    const keepsLive = live !== null && (place?.badge === 'claimed' || trusted !== null);
    const effect =
      submitted === null
        ? 'none'
        : byOwner
          ? 'owners'
          : trusted !== null && FIELDS[field].same(submitted, trusted)
            ? 'same'
            : keepsLive
              ? 'kept'
              : 'shown';
    return {
      field,
      submitted,
      live,
      trusted,
      origin: place === null || live === null ? 'nobody' : displayedOrigin(place, field),
      effect,
    };
  });
}
