import { refuseRemoved, type RemovalColumns } from '../removal.ts';
import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';

/** Number of failures, and their minimum duration, after which the venue of a website is believed closed. */
const WEBSITE_FAILURES_MIN = 3;
const WEBSITE_FAILING_HOURS_MIN = 48;
/** Period during which a person's confirmation that a place is open is not doubted because of its website. */
const WEBSITE_REST_DAYS = 30;

export interface Closure {
  placeId: string;
  kind: 'website_dead' | 'published_report' | 'venue_said';
  source_url: string | null;
  note: string;
  observed_at: Date;
}

export interface Reopening {
  placeId: string;
  note: string;
  /** A website that answers withdraws only website evidence; a person withdraws all evidence. */
  source: 'staff' | 'venue' | 'website';
}

/**
 * `closed`: search no longer returns the place. `suspected`: recorded, but the place was confirmed after that date.
 * `answered`: already refuted by later information. `unproven`: the website has not failed often or long enough.
 */
type ClosureOutcome = 'closed' | 'suspected' | 'answered' | 'unproven';
type ReopeningOutcome = 'open' | 'still_closed' | 'unchanged';

interface ClosureState extends RemovalColumns {
  closed_at: Date | null;
  verified_at: Date | null;
}

/** Records evidence that a place has closed, and closes it when the evidence is sufficient. */
export async function recordClosure(tx: Db, now: Date, closure: Closure): Promise<ClosureOutcome> {
  const { placeId, kind, source_url, observed_at } = closure;
  const note = closure.note.trim();
  if (note === '')
    throw new AppError('validation_failed', 'A closure needs a note that describes what was seen.');
  if (source_url !== null && !(/^https?:\/\//i.test(source_url) && URL.canParse(source_url)))
    throw new AppError('validation_failed', 'The source of a closure must be an http or https address.');
  if (kind === 'published_report' && source_url === null)
    throw new AppError('validation_failed', 'Enter the web address of the published report.');
  const place = await lockPlace(tx, placeId);
  refuseRemoved(place);
  const { closed_at, verified_at } = place;
  if (kind === 'website_dead' && !(await websiteIsDead(tx, placeId))) return 'unproven';
  const isRecorded = await hasEvidence(tx, closure);
  if (closed_at !== null && isRecorded) return 'closed';
  if (await isAnswered(tx, closure)) return 'answered';
  await tx`
    insert into closure_evidence (place_id, kind, source_url, note, observed_at, noted_at)
    values (${placeId}, ${kind}, ${source_url}, ${note}, ${observed_at}, ${now})
    on conflict (place_id, kind, observed_at) do nothing`;
  const proves = verified_at === null || observed_at >= verified_at;
  const closing = closed_at ?? (proves ? observed_at : null);
  await tx`update place set closed_at = ${closing}, updated_at = ${now} where id = ${placeId}`;
  return closing === null ? 'suspected' : 'closed';
}

/** Reopens a place. The evidence of its closure moves to closure_ended. */
export async function recordReopening(tx: Db, now: Date, reopening: Reopening): Promise<ReopeningOutcome> {
  const { placeId, source } = reopening;
  const note = reopening.note.trim();
  if (note === '')
    throw new AppError('validation_failed', 'A reopening needs a note that describes what was seen.');
  const { closed_at, removed_at } = await lockPlace(tx, placeId);
  // Only a lead can restore a listing that was removed as not a real place.
  if (removed_at !== null) return 'unchanged';
  const byPerson = source !== 'website';
  const ended = await tx`
    with gone as (
      delete from closure_evidence where place_id = ${placeId} and (${byPerson} or kind = 'website_dead') returning *)
    insert into closure_ended (place_id, kind, source_url, note, observed_at, ended_at, ended_by, ended_note)
    select place_id, kind, source_url, note, observed_at, ${now}, ${source}, ${note} from gone`;
  if (ended.count === 0 && (closed_at === null || !byPerson)) return 'unchanged';
  if (byPerson) await restWebsite(tx, placeId, now);
  const [place] = await tx<{ closed: boolean }[]>`
    update place p set updated_at = ${now},
      verified_at = case when ${byPerson} then greatest(p.verified_at, ${now}) else p.verified_at end,
      closed_at = case when p.closed_at is null then null else (
        select min(e.observed_at) from closure_evidence e
        where e.place_id = p.id and (p.verified_at is null or e.observed_at >= p.verified_at)) end
    where id = ${placeId} returning closed_at is not null as closed`;
  return place?.closed === true ? 'still_closed' : 'open';
}

/** Applies the rule of three failures over 48 hours, to the place's current address. */
async function websiteIsDead(tx: Db, placeId: string): Promise<boolean> {
  const rows = await tx`
    select 1 from website_probe w join place p on p.id = w.place_id and p.website = w.website
    where w.place_id = ${placeId} and w.last_result = 'failed' and w.failures >= ${WEBSITE_FAILURES_MIN}
      and w.last_probe_at - w.first_failure_at >= make_interval(hours => ${WEBSITE_FAILING_HOURS_MIN})`;
  return rows.length > 0;
}

async function hasEvidence(tx: Db, { placeId, kind, source_url }: Closure): Promise<boolean> {
  const rows = await tx`
    select 1 from closure_evidence
    where place_id = ${placeId} and kind = ${kind} and source_url is not distinct from ${source_url}`;
  return rows.length > 0;
}

/** True when the evidence was refuted later: an old report that is read again must not close the place. */
async function isAnswered(tx: Db, { placeId, kind, source_url, observed_at }: Closure): Promise<boolean> {
  const rows = await tx`
    select 1 from closure_ended
    where place_id = ${placeId} and ended_at > ${observed_at}
      and (ended_by in ('staff', 'venue') or (kind = ${kind} and source_url is not distinct from ${source_url}))`;
  return rows.length > 0;
}

/** Postpones the website check, because the next failure would close the place again at once. */
async function restWebsite(tx: Db, placeId: string, now: Date): Promise<void> {
  await tx`
    update website_probe set failures = 0, first_failure_at = null,
      next_probe_at = ${now}::timestamptz + make_interval(days => ${WEBSITE_REST_DAYS})
    where place_id = ${placeId}`;
}

/** Locks the place, so that evidence and closure stay consistent under concurrent writes. */
async function lockPlace(tx: Db, placeId: string): Promise<ClosureState> {
  const [place] = await tx<
    ClosureState[]
  >`select closed_at, verified_at, removed_at, removal_reason from place where id = ${placeId} for update`;
  if (place === undefined) throw new AppError('place_not_found', 'There is no place with this id.');
  return place;
}
