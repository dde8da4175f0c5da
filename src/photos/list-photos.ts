import type { Db } from '../core/postgres/db.ts';
import { PHOTO_SQL, type Photo } from './photo.ts';

export interface ListedPhoto extends Photo {
  place: { id: string; name: string; city: string | null } | null;
}

const LISTED_SQL = `${PHOTO_SQL},
  (select jsonb_build_object('id', p.id, 'name', p.name, 'city', coalesce(p.city, d.name))
   from place p join destination d on d.id = p.destination_id where p.id = f.place_id) as place`;

export function listMemberPhotos(
  db: Db,
  memberId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<ListedPhoto[]> {
  // Ids begin with the upload time, so they sort by it.
  return db.unsafe<ListedPhoto[]>(
    `select ${LISTED_SQL} from photo f where f.member_id = $1 and ($2::text is null or f.id < $2)
     order by f.id desc limit $3`,
    [memberId, after ?? null, limit],
  );
}

/** Finds one photo of a photographer; undefined when it belongs to somebody else. */
export async function findMemberPhoto(
  db: Db,
  memberId: string,
  photoId: string,
): Promise<ListedPhoto | undefined> {
  const [photo] = await db.unsafe<ListedPhoto[]>(
    `select ${LISTED_SQL} from photo f where f.member_id = $1 and f.id = $2`,
    [memberId, photoId],
  );
  return photo;
}

export interface CheckedPhoto extends ListedPhoto {
  photographer: string;
  check: { decision: string; reason: string | null; by: string | null; at: string } | null;
}

const CHECKED_SQL = `${LISTED_SQL}, m.display_name as photographer,
  (select jsonb_build_object('decision', c.decision, 'reason', c.reason, 'by', s.email, 'at', c.decided_at)
   from photo_check c left join staff s on s.id = c.decided_by where c.photo_id = f.id) as check`;

export async function listPhotosToCheck(
  db: Db,
  limit: number,
): Promise<{ photos: CheckedPhoto[]; total: number }> {
  const photos = await db.unsafe<CheckedPhoto[]>(
    `select ${CHECKED_SQL} from photo f join member m on m.id = f.member_id where f.state = 'to_check'
     order by f.created_at, f.id limit $1`,
    [limit],
  );
  const [row] = await db<{ total: number }[]>`
    select count(*)::int as total from photo where state = 'to_check'`;
  return { photos, total: row?.total ?? 0 };
}

export function listCheckedPhotos(db: Db, limit: number): Promise<CheckedPhoto[]> {
  return db.unsafe<CheckedPhoto[]>(
    `select ${CHECKED_SQL} from photo_check d join photo f on f.id = d.photo_id join member m on m.id = f.member_id
     where not d.generated order by d.decided_at desc, d.photo_id desc limit $1`,
    [limit],
  );
}

export async function findCheckedPhoto(db: Db, photoId: string): Promise<CheckedPhoto | undefined> {
  const [photo] = await db.unsafe<CheckedPhoto[]>(
    `select ${CHECKED_SQL} from photo f join member m on m.id = f.member_id where f.id = $1`,
    [photoId],
  );
  return photo;
}

export interface LookAlike {
  id: string;
  state: string;
  place: string | null;
  photographer: string | null;
  /** True for identical pixels, not only a similar look. */
  same: boolean;
}

/** Maximum Hamming distance of two 64-bit hashes of pictures that look alike to a person. */
const ALIKE_BITS_MAX = 8;
const ALIKE_MAX = 6;

/** Finds photos that look like this one, from any photographer, most similar first. */
export function findLookAlikes(db: Db, photoId: string): Promise<LookAlike[]> {
  return db<LookAlike[]>`
    select o.id, o.state, p.name as place, m.display_name as photographer, o.sha256 = f.sha256 as same
    from photo f join photo o on o.id <> f.id and o.phash is not null and o.has_files
      and bit_count(o.phash # f.phash) <= ${ALIKE_BITS_MAX}
    left join place p on p.id = o.place_id left join member m on m.id = o.member_id
    where f.id = ${photoId}
    order by bit_count(o.phash # f.phash), o.id limit ${ALIKE_MAX}`;
}
