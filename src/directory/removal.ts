import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';

/** Reasons for removing a listing: the code for programs, and the public text. */
export const REMOVAL_REASONS = {
  invented: { label: 'Invented', text: 'The business that it names does not exist.' },
  not_a_place: { label: 'Not a place', text: 'It is not a place that anybody can visit.' },
} as const satisfies Record<string, { label: string; text: string }>;
export type RemovalReason = keyof typeof REMOVAL_REASONS;
export const REMOVAL_REASON_CODES = Object.keys(REMOVAL_REASONS) as [RemovalReason, ...RemovalReason[]];

/** Columns for the removal of a place. Both are null where it was not removed. */
export interface RemovalColumns {
  removed_at: Date | null;
  removal_reason: RemovalReason | null;
}

/** Throws `place_removed`, with reason and date, for a listing that was removed. */
export function refuseRemoved({ removed_at, removal_reason }: RemovalColumns): void {
  if (removed_at === null || removal_reason === null) return;
  const { text } = REMOVAL_REASONS[removal_reason];
  const day = removed_at.toISOString().slice(0, 10);
  throw new AppError('place_removed', `This listing was removed on ${day}. ${text} Do not send anyone.`, {
    hint: 'Delete your copy of it. The place_id is never reused for another place.',
    members: { reason: removal_reason, removed_at: removed_at.toISOString() },
  });
}

interface Removal {
  placeId: string;
  reason: RemovalReason;
  /** Text by the person who removes it. */
  note: string;
  staffId: string;
}

/** Hides a listing everywhere except under its id and in the feed's tombstones. False if it was removed already. */
export async function removePlace(tx: Db, now: Date, removal: Removal): Promise<boolean> {
  const { placeId, reason, note, staffId } = removal;
  const [place] = await tx<{ closed_at: Date | null; removed_at: Date | null }[]>`
    select closed_at, removed_at from place where id = ${placeId} for update`;
  if (place === undefined || place.removed_at !== null) return false;
  await tx`
    insert into listing_removal (place_id, reason, note, removed_by, removed_at, closed_before)
    values (${placeId}, ${reason}, ${note}, ${staffId}, ${now}, ${place.closed_at})`;
  await tx`
    update place set removed_at = ${now}, removal_reason = ${reason}, closed_at = coalesce(closed_at, ${now}),
      updated_at = ${now}
    where id = ${placeId}`;
  return true;
}

export async function restorePlace(
  tx: Db,
  now: Date,
  { placeId, staffId }: Pick<Removal, 'placeId' | 'staffId'>,
): Promise<boolean> {
  await tx`select 1 from place where id = ${placeId} for update`;
  const [removal] = await tx<{ closed_before: Date | null }[]>`
    update listing_removal set restored_at = ${now}, restored_by = ${staffId}
    where place_id = ${placeId} and restored_at is null returning closed_before`;
  if (removal === undefined) return false;
  await tx`
    update place set removed_at = null, removal_reason = null, closed_at = ${removal.closed_before}, updated_at = ${now}
    where id = ${placeId}`;
  return true;
}

export async function findRemoval(
  db: Db,
  placeId: string,
): Promise<{ reason: RemovalReason; note: string; removed_at: Date; by: string } | undefined> {
  const [removal] = await db<{ reason: RemovalReason; note: string; removed_at: Date; by: string }[]>`
    select r.reason, r.note, r.removed_at, s.email as by
    from listing_removal r join staff s on s.id = r.removed_by
    where r.place_id = ${placeId} and r.restored_at is null`;
  return removal;
}

/** Version that changes with every removal and restoration, for caches that must not show a removed listing. */
export async function removalsVersion(db: Db): Promise<string> {
  const [row] = await db<{ version: string }[]>`
    select count(*) || '/' || count(restored_at) as version from listing_removal`;
  return row?.version ?? '';
}
