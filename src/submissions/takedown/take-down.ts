import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { FIELD_NAMES } from '../../directory/provenance/field.ts';
import { withdrawClaims } from '../../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../directory/provenance/stored-claims.ts';
import { postMessage } from '../../messages/post-message.ts';
import { queueDecisionCallback } from '../review/decision-callback.ts';

export interface TakedownReason {
  code: 'relationship_denied' | 'not_a_real_place';
  text: string;
  fix: string;
}

interface Takedown {
  /** Businesses. Their promotions are taken down with them. */
  submissions: readonly string[];
  reason: TakedownReason;
  /** `venue`, or the staff id. */
  by: string;
  /** Keeps the claims, because the whole place is removed with them: a restoration then finds the record unchanged. */
  keepClaims?: boolean;
}

/** Maximum number of submissions listed in a message. */
const NAMED_MAX = 50;

interface TakenDown {
  id: string;
  kind: 'business' | 'promo';
  place_id: string | null;
  name: string;
  operator_email: string;
}

/** Rejects approved submissions with their claims, promotions and pending revisions, and notifies the operators. */
export async function takeDownSubmissions(
  tx: Db,
  { deps, now }: Pick<Ctx, 'deps' | 'now'>,
  { submissions, reason, by, keepClaims = false }: Takedown,
): Promise<number> {
  if (submissions.length === 0) return 0;
  await tx`
    select 1 from submission where id = any(${[...submissions]}) or business_id = any(${[...submissions]})
    order by id for update`;
  const takenDown = await tx<TakenDown[]>`
    with gone as (
      select s.id, s.kind, s.revision, s.live_revision, coalesce(b.place_id, s.place_id) as place_id,
             coalesce(r.content->>'title', r.content->>'name') as name, a.operator_email
      from submission s join agent a on a.id = s.agent_id
      join submission_revision r on r.submission_id = s.id and r.revision = s.revision
      left join submission b on b.id = s.business_id
      where (s.id = any(${[...submissions]}) or s.business_id = any(${[...submissions]}))
        and (s.live_revision is not null or s.status <> 'rejected')
        and not exists (select from submission_takedown t
                        where t.submission_id = s.id and t.revision = s.revision and t.restored_at is null)),
    noted as (
      insert into submission_takedown (submission_id, revision, live_revision, place_id, reason_code, reason_text,
        fix_hint, taken_down_by, taken_down_at)
      select id, revision, live_revision, place_id, ${reason.code}, ${reason.text}, ${reason.fix}, ${by}, ${now} from gone
      on conflict (submission_id, revision) do update set live_revision = excluded.live_revision,
        place_id = excluded.place_id, reason_code = excluded.reason_code, reason_text = excluded.reason_text,
        fix_hint = excluded.fix_hint, taken_down_by = excluded.taken_down_by,
        taken_down_at = excluded.taken_down_at, restored_at = null
      returning submission_id)
    select id, kind, place_id, name, operator_email from gone where id in (select submission_id from noted)
    order by kind, id`;
  const ids = takenDown.map(({ id }) => id);
  await tx`update submission set live_revision = null, live_blocked_by = null, updated_at = ${now} where id = any(${ids})`;
  if (by === 'venue') await tx`delete from desk_task where submission_id = any(${ids}) and done_at is null`;
  await tx`
    update desk_task set done_at = ${now}, done_by = ${by}, note = ${reason.text}
    where submission_id = any(${ids}) and done_at is null`;
  if (!keepClaims) await deleteClaims(tx, now, submissions);
  for (const { id } of takenDown) await queueDecisionCallback(deps, tx, id);
  const businesses = takenDown.filter(({ kind }) => kind === 'business');
  for (const list of Map.groupBy(businesses, ({ operator_email }) => operator_email).values())
    await notifyOperator(tx, { deps, now }, list, reason);
  return businesses.length;
}

async function notifyOperator(
  tx: Db,
  { deps, now }: Pick<Ctx, 'deps' | 'now'>,
  list: readonly TakenDown[],
  reason: TakedownReason,
): Promise<void> {
  const [first] = list;
  if (first === undefined) return;
  const { serviceName, contactEmail } = deps.config;
  const named = list.slice(0, NAMED_MAX).map(({ id, name }) => `- ${name} (${id})`);
  const more = list.length > NAMED_MAX ? [`- and ${list.length - NAMED_MAX} more`] : [];
  await postMessage(
    tx,
    { newId: deps.newId, now },
    {
      channel: 'mail',
      to: first.operator_email,
      subject: `${serviceName}: ${list.length === 1 ? 'a submission was' : 'submissions were'} rejected`,
      text: [
        `We no longer show what you submitted:\n${[...named, ...more].join('\n')}`,
        `Reason (${reason.code}): ${reason.text}`,
        reason.fix,
        `Write to ${contactEmail} if you think that this is wrong.`,
      ].join('\n\n'),
      purpose: 'submission_taken_down',
      subject_id: first.id,
    },
  );
}

/** Deletes the claims of submissions from every field of their places, and the accolades that only they mention. */
async function deleteClaims(tx: Db, now: Date, submissions: readonly string[]): Promise<void> {
  const places = await tx<{ id: string }[]>`
    select distinct place_id as id from submission where id = any(${[...submissions]}) and place_id is not null`;
  const locked = await lockPlaceClaims(
    tx,
    places.map(({ id }) => id),
  );
  const rest = locked.map((place) =>
    submissions.reduce((remaining, submission) => withdrawClaims(remaining, submission, FIELD_NAMES), place),
  );
  await writePlaceClaims(tx, now, rest);
  await tx`
    delete from accolade a using submission s
    join submission_revision r on r.submission_id = s.id
    cross join lateral jsonb_to_recordset(coalesce(r.content->'claims', '[]')) as c (text text, source_url text)
    where s.id = any(${[...submissions]}) and a.place_id = s.place_id and a.title = c.text and a.source_url = c.source_url
      and not exists (
        select from submission o join submission_revision l on l.submission_id = o.id and l.revision = o.live_revision
        cross join lateral jsonb_to_recordset(coalesce(l.content->'claims', '[]')) as k (text text)
        where o.place_id = a.place_id and k.text = a.title)`;
  // Only the submission that created the place can have set its position, which is unknown again.
  await tx`
    update place set lat = null, lng = null, updated_at = ${now}
    where source = 'submission' and source_ref = any(${[...submissions]}) and lat is not null
      and field_claims -> 'lat' is null`;
}
