import type { Db } from '../../../core/postgres/db.ts';
import { mergePlaces } from '../../../directory/place/merge-places.ts';
import { metresBetween } from '../../match/metres-between.ts';
import { matchSide, type MatchSide, recordOf } from '../../match/match-side.ts';
import { nameKeys } from './name-key.ts';
import { TWIN_METRES_MAX } from './twin.ts';

interface Pair {
  gone_id: string;
  kept_id: string;
  gone: MatchSide;
  kept: MatchSide;
}

// A thousandth of a degree is longer than the distance of twins nearly everywhere; the cell and its neighbours do.
const cell = (alias: string) => `floor(${alias}.lat * 1000)::int as y, floor(${alias}.lng * 1000)::int as x`;

const PAIRS = `
  select p.id as gone_id, k.id as kept_id, ${matchSide('p')} as gone, ${matchSide('k')} as kept
  from (
    select v.place_id, y + dy as y, x + dx as x
    from (
      select v.place_id, ${cell('p')} from import_vanished v join place p on p.id = v.place_id and p.removed_at is null
      where not v.disused) v
    cross join generate_series(-1, 1) as dy cross join generate_series(-1, 1) as dx) near
  join (select d.source, d.source_ref, ${cell('d')} from import_draft d where not d.disused) held using (y, x)
  join place p on p.id = near.place_id
  join place k on k.source = held.source and k.source_ref = held.source_ref
  where k.vertical = p.vertical and k.closed_at is null
  order by p.id, k.id`;

/** A place beside which the file holds one of the same name and kind was there twice, and is now once. */
export async function mergeTwins(tx: Db, now: Date): Promise<number> {
  const twins = (await tx.unsafe<Pair[]>(PAIRS)).filter(areOne);
  const seen = new Set<string>();
  let merged = 0;
  for (const { gone_id, kept_id } of twins) {
    if (seen.has(gone_id)) continue;
    seen.add(gone_id);
    // A record that its venue has claimed is not merged away; it stays as it is, beside its twin.
    const outcome = await mergePlaces(tx, now, { placeId: kept_id, mergedId: gone_id, staffId: null });
    if (outcome === 'merged') merged++;
  }
  await tx`delete from import_vanished where place_id = any(${[...seen]})`;
  return merged;
}

/** One of the two has left the map: nothing else has to speak for their being one. */
function areOne({ gone, kept }: Pair): boolean {
  const metres = metresBetween(recordOf(gone), recordOf(kept));
  if (metres === null || metres > TWIN_METRES_MAX) return false;
  const names = new Set(nameKeys(recordOf(kept).names));
  return nameKeys(recordOf(gone).names).some((name) => names.has(name));
}
