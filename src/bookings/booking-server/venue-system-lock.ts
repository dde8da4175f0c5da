import type { Db } from '../../core/postgres/db.ts';

/**
 * Tries to lock the venue's system, so that one that does not answer occupies one job slot. Cancellations do not take
 * this lock, because a guest waits for them.
 */
export async function tryLockVenueSystem(tx: Db, placeId: string): Promise<boolean> {
  const [row] = await tx<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock(7016, hashtext(${placeId})) as free`;
  return row?.free === true;
}

export async function lockVenueSystem(tx: Db, placeId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(7016, hashtext(${placeId}))`;
}
