import type { Db } from '../../core/postgres/db.ts';
import { joinWords } from '../word/join-words.ts';
import { lockSpoken, writeSpoken } from '../word/stored-words.ts';

export interface Merge {
  /** The record that stays. */
  placeId: string;
  /** The record that goes. */
  mergedId: string;
  /** Who found that the two are one; null when an import did. */
  staffId: string | null;
}

/** `claimed`: the record that would go is the one that its venue has claimed, so it must be the one that stays. */
export type MergeOutcome = 'merged' | 'not_found' | 'same_place' | 'claimed';

/** What the record that stays takes from the other where it has nothing itself. About the rest there are words. */
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

/** Makes two records of one place into one. Call it in a transaction. */
export async function mergePlaces(tx: Db, now: Date, merge: Merge): Promise<MergeOutcome> {
  const { placeId, mergedId, staffId } = merge;
  if (placeId === mergedId) return 'same_place';
  const rows = await tx<{ id: string; claimed: boolean }[]>`
    select p.id, p.badge = 'claimed' or exists (select 1 from venue_claim c where c.place_id = p.id) as claimed
    from place p where p.id in (${placeId}, ${mergedId}) and p.removed_at is null order by p.id for update`;
  if (rows.length < 2) return 'not_found';
  if (rows.find(({ id }) => id === mergedId)?.claimed === true) return 'claimed';
  const spoken = await lockSpoken(tx, [placeId, mergedId]);
  const [kept, gone] = [placeId, mergedId].map((id) => spoken.find((place) => place.id === id));
  if (kept === undefined || gone === undefined) return 'not_found';
  await writeSpoken(tx, now, [joinWords(kept, gone, { vanished: staffId === null })]);
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

/** What an import merged may stand in the next file again: it is the place that it was merged into. */
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
  await tx`update submission set place_id = ${placeId} where place_id = ${mergedId}`;
  await tx`update booking set place_id = ${placeId} where place_id = ${mergedId}`;
  await tx`update place_rating set place_id = ${placeId} where place_id = ${mergedId}`;
  await tx`update photo set place_id = ${placeId} where place_id = ${mergedId}`;
}

/** The place that a merged record has become part of. */
export async function findMergedInto(db: Db, mergedId: string): Promise<string | undefined> {
  const [row] = await db<
    { place_id: string }[]
  >`select place_id from place_merged where merged_id = ${mergedId}`;
  return row?.place_id;
}
