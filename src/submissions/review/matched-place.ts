import type { Db } from '../../core/postgres/db.ts';
import type { BusinessSubmission } from '../submission.ts';

/** Returns the place that an approval would change: the live one, the match, or that of another submission. */
export async function matchedPlace(db: Db, submission: BusinessSubmission): Promise<string | null> {
  const { id, place_id, matched_place, content } = submission;
  if (place_id !== null) return place_id;
  if (matched_place !== null) {
    const [existing] = await db`select 1 from place where id = ${matched_place} and removed_at is null`;
    if (existing !== undefined) return matched_place;
  }
  const [same] = await db<{ place_id: string }[]>`
    select o.place_id from submission o
    join submission_revision r on r.submission_id = o.id and r.revision = o.live_revision
    where o.kind = 'business' and o.id <> ${id} and o.place_id is not null
      and lower(r.content->>'name') = ${content.name.toLowerCase()}
      and r.content->>'country' = ${content.country} and lower(r.content->>'city') = ${content.city.toLowerCase()}
    order by o.created_at limit 1`;
  return same?.place_id ?? null;
}
