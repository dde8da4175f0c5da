import type { Db } from '../../core/postgres/db.ts';
import { matchSide, matchRecord, type MatchSide } from '../../import/match/match-side.ts';
import { samePlace } from '../../import/match/same-place.ts';
import { boxAround } from '../../search/query/geo-cells.ts';
import { recordOfContent } from '../find-duplicates.ts';
import type { BusinessContent } from '../submission.ts';

interface Submitted {
  agentId: string;
  content: BusinessContent;
  /** The place that it is live as, or the match found at submission. */
  placeId: string | null;
}

const CANDIDATES = 50;
const NEARBY_M = 150;
/** From this score on, two records are more likely one place than two. */
const SCORE_MIN = 0.6;

/** Returns flags for the reviewer: a similar listing was removed, or the venue denied this operator. */
export async function historyFlags(db: Db, submitted: Submitted): Promise<string[]> {
  return [
    ...((await wasRemoved(db, submitted)) ? ['removed_before'] : []),
    ...((await wasDenied(db, submitted)) ? ['venue_denied'] : []),
  ];
}

async function wasRemoved(db: Db, { content, placeId }: Submitted): Promise<boolean> {
  const { name, country, lat, lng } = content;
  const box = lat === null || lng === null ? null : boxAround(lat, lng, NEARBY_M);
  const { south, north, west, east } = box ?? { south: null, north: null, west: null, east: null };
  const removed = await db.unsafe<{ id: string; side: MatchSide }[]>(
    `select p.id, ${matchSide('p')} as side from place p
     where p.removed_at is not null and (p.id = $1 or (p.country = $2
       and (lower(p.name) = lower($3) or (p.lat between $4 and $5 and p.lng between $6 and $7))))
     limit ${CANDIDATES}`,
    [placeId, country, name, south, north, west, east],
  );
  const record = recordOfContent(content);
  return removed.some(
    ({ id, side }) => id === placeId || samePlace(record, matchRecord(side)).score >= SCORE_MIN,
  );
}

async function wasDenied(db: Db, { agentId, placeId }: Submitted): Promise<boolean> {
  if (placeId === null) return false;
  const denied = await db`
    select 1 from submission_takedown t join submission s on s.id = t.submission_id
    where t.place_id = ${placeId} and t.reason_code = 'relationship_denied' and t.restored_at is null
      and s.agent_id = ${agentId} limit 1`;
  return denied.length > 0;
}
