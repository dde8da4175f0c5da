import type { TransactionSql } from 'postgres';
import { findMatch } from '../match/find-match.ts';
import { matchSide, type MatchSide, recordOf } from '../match-side.ts';
import { VANISHED_PLACES } from './note-closures.ts';

interface Sides {
  place_id: string;
  source_ref: string;
  place: MatchSide;
  draft: MatchSide;
}

// A hundredth of a degree is a kilometre at most; a place that was drawn anew is found in its cell or the next.
const CANDIDATES = `
  with gone as (
    select p.*, floor(p.lat * 100)::int as y, floor(p.lng * 100)::int as x ${VANISHED_PLACES}),
  fresh as (
    select d.*, floor(d.lat * 100)::int as y, floor(d.lng * 100)::int as x from import_draft d
    where d.destination_id is not null and not d.disused
      and not exists (select 1 from place p where p.source = d.source and p.source_ref = d.source_ref))
  select gone.id as place_id, fresh.source_ref, ${matchSide('gone')} as place, ${matchSide('fresh')} as draft
  from gone
  cross join generate_series(-1, 1) as dy cross join generate_series(-1, 1) as dx
  join fresh on fresh.y = gone.y + dy and fresh.x = gone.x + dx
  where abs(fresh.lat - gone.lat) < 0.003 and abs(fresh.lng - gone.lng) < 0.005
  order by gone.id, fresh.source_ref`;

/**
 * A mapper who draws a house where a point was gives the place a new reference. It is the same place, so it keeps its
 * id, claim, menu and photos. Returns how many were followed.
 */
export async function followRedrawn(tx: TransactionSql, areaIds: readonly string[]): Promise<number> {
  const taken = new Set<string>();
  const moves: { place_id: string; source_ref: string }[] = [];
  const pairs = await tx.unsafe<Sides[]>(CANDIDATES, [[...areaIds]]);
  for (const [place_id, candidates] of Map.groupBy(pairs, (pair) => pair.place_id)) {
    const [first] = candidates;
    if (first === undefined) continue;
    const nearby = candidates
      .filter(({ source_ref }) => !taken.has(source_ref))
      .map(({ draft, source_ref }) => ({ ...recordOf(draft), source_ref }));
    const { match } = findMatch(recordOf(first.place), nearby);
    if (match === null) continue;
    taken.add(match.source_ref);
    moves.push({ place_id, source_ref: match.source_ref });
  }
  if (moves.length === 0) return 0;
  const { count } = await tx`
    update place p set source_ref = moved.source_ref
    from jsonb_to_recordset(${tx.json(moves)}) as moved (place_id text, source_ref text)
    where p.id = moved.place_id`;
  return count;
}
