import type { Db } from '../../core/postgres/db.ts';
import { mergeClaims } from '../provenance/merge-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../provenance/stored-claims.ts';

export interface Merge {
  /** The record that is kept. */
  placeId: string;
  /** The record that is deleted. */
  mergedId: string;
  /** Staff member who merged them; null for an import. */
  staffId: string | null;
}

/** `claimed`: the record to delete has been claimed by its venue, so that it must be the one that is kept. */
type MergeOutcome = 'merged' | 'not_found' | 'same_place' | 'claimed';

/** Columns that are copied to the kept record where it has no value. The other fields are merged by their claims. */
const FILLED = ['area', 'price_line', 'rating'] as const;
const LISTS = ['categories', 'cuisine'] as const;

const FILL = `
  update place k set updated_at = $3,
    ${FILLED.map((column) => `${column} = coalesce(k.${column}, g.${column})`).join(', ')},
    ${LISTS.map((column) => `${column} = case when k.${column} = '{}' then g.${column} else k.${column} end`).join(', ')},
    review_count = case when k.rating is null then g.review_count else k.review_count end,
    (lat, lng, destination_id) = row (coalesce(k.lat, g.lat), coalesce(k.lng, g.lng),
      case when k.lat is null and g.lat is not null then g.destination_id else k.destination_id end),
    verified_at = greatest(k.verified_at, g.verified_at)
  from place g where k.id = $1 and g.id = $2`;

/** Merges two records of one place. Call it in a transaction. */
export async function mergePlaces(tx: Db, now: Date, merge: Merge): Promise<MergeOutcome> {
  const { placeId, mergedId, staffId } = merge;
  if (placeId === mergedId) return 'same_place';
  const rows = await tx<{ id: string; claimed: boolean }[]>`
    select p.id, p.badge = 'claimed' or exists (select 1 from venue_claim c where c.place_id = p.id) as claimed
    from place p where p.id in (${placeId}, ${mergedId}) and p.removed_at is null order by p.id for update`;
  if (rows.length < 2) return 'not_found';
  if (rows.find(({ id }) => id === mergedId)?.claimed === true) return 'claimed';
  const places = await lockPlaceClaims(tx, [placeId, mergedId]);
  const [kept, gone] = [placeId, mergedId].map((id) => places.find((place) => place.id === id));
  if (kept === undefined || gone === undefined) return 'not_found';
  await writePlaceClaims(tx, now, [mergeClaims(kept, gone, { vanished: staffId === null })]);
  await tx.unsafe(FILL, [placeId, mergedId, now]);
  await moveBelongings(tx, merge);
  await tx`update place_merged set place_id = ${placeId} where place_id = ${mergedId}`;
  await tx`
    insert into place_merged (merged_id, place_id, source, source_ref, merged_by, merged_at)
    select id, ${placeId}, source, source_ref, ${staffId}, ${now} from place where id = ${mergedId}`;
  await tx`update place_reference set place_id = ${placeId} where place_id = ${mergedId}`;
  if (staffId === null) await rememberReference(tx, merge);
  await tx`delete from place where id = ${mergedId}`;
  await tx`update place_removed set reason = 'merged' where place_id = ${mergedId}`;
  return 'merged';
}

/**
 * Maps the source reference of the merged record to the kept one, because the next import file may contain it again.
 */
async function rememberReference(tx: Db, { placeId, mergedId }: Merge): Promise<void> {
  await tx`
    insert into place_reference (source, source_ref, place_id)
    select source, source_ref, ${placeId} from place where id = ${mergedId}
    on conflict (source, source_ref) do update set place_id = excluded.place_id`;
}

async function moveBelongings(tx: Db, { placeId, mergedId }: Merge): Promise<void> {
  await tx`
    insert into accolade (place_id, title, year, source_name, source_url)
    select ${placeId}, title, year, source_name, source_url from accolade where place_id = ${mergedId}
    on conflict (place_id, title) do nothing`;
  await tx`
    update menu set place_id = ${placeId} where place_id = ${mergedId}
      and not exists (select 1 from menu m where m.place_id = ${placeId})`;
  await tx`
    update venue_rule r set place_id = ${placeId} where place_id = ${mergedId}
      and not exists (select 1 from venue_rule o where o.place_id = ${placeId} and o.kind = r.kind)`;
  await tx`
    update table_term t set place_id = ${placeId} where place_id = ${mergedId}
      and not exists (select 1 from table_term o where o.place_id = ${placeId} and o.term = t.term and o.source = t.source)`;
  await tx`update submission set place_id = ${placeId} where place_id = ${mergedId}`;
  await tx`update booking set place_id = ${placeId} where place_id = ${mergedId}`;
  await tx`update place_rating set place_id = ${placeId} where place_id = ${mergedId}`;
  await tx`update photo set place_id = ${placeId} where place_id = ${mergedId}`;
}

/** Returns the place that a merged record became part of. */
export async function findMergedInto(db: Db, mergedId: string): Promise<string | undefined> {
  const [row] = await db<
    { place_id: string }[]
  >`select place_id from place_merged where merged_id = ${mergedId}`;
  return row?.place_id;
}
