import type { Db } from '../../../core/postgres/db.ts';
import { mergePlaces } from '../../../directory/place/merge-places.ts';
import { fetchBatches } from '../../fetch-batches.ts';
import { metresApart } from '../../match/metres-apart.ts';
import { matchSide, type MatchSide, matchRecord } from '../../match/match-side.ts';
import { nameKeys } from './name-key.ts';
import { DUPLICATE_METRES_MAX } from './duplicate.ts';

interface Pair {
  gone_id: string;
  kept_id: string;
  gone: MatchSide;
  kept: MatchSide;
}

const FETCHED_PAIRS = 1_000;

// A thousandth of a degree exceeds the distance of duplicates, so the cell and its neighbours suffice.
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

/** Merges a vanished place into a nearby one of the same name and kind that is in the file. */
export async function mergeDuplicates(tx: Db, now: Date): Promise<number> {
  const handled = new Set<string>();
  let merged = 0;
  for await (const pairs of fetchBatches<Pair>(tx, { cursor: 'twins', query: PAIRS, rows: FETCHED_PAIRS })) {
    for (const { gone_id, kept_id } of pairs.filter(areSame)) {
      if (handled.has(gone_id)) continue;
      handled.add(gone_id);
      // A record claimed by its venue is not merged; it stays next to its duplicate.
      const outcome = await mergePlaces(tx, now, { placeId: kept_id, mergedId: gone_id, staffId: null });
      if (outcome === 'merged') merged++;
    }
  }
  await tx`delete from import_vanished where place_id = any(${[...handled]})`;
  return merged;
}

/** Compares only name and distance: since one of the two has left the map, no other evidence is needed. */
function areSame({ gone, kept }: Pair): boolean {
  if (gone.name_generated || kept.name_generated) return false;
  const metres = metresApart(matchRecord(gone), matchRecord(kept));
  if (metres === null || metres > DUPLICATE_METRES_MAX) return false;
  const names = new Set(nameKeys(matchRecord(kept).names));
  return nameKeys(matchRecord(gone).names).some((name) => names.has(name));
}
