import type { Db } from '../../core/postgres/db.ts';

/**
 * Tries to lock the venue's system until the transaction ends. Only one job on all nodes calls it at a time, so that a
 * system that does not answer occupies one job slot and not all of them. Cancellations do not take this lock, because a
 * guest waits for them.
 */
export async function tryLockVenueSystem(tx: Db, placeId: string): Promise<boolean> {
  const [row] = await tx<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock(7016, hashtext(${placeId})) as free`;
  return row?.free === true;
}

/** Waits for the same lock. */
export async function lockVenueSystem(tx: Db, placeId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(7016, hashtext(${placeId}))`;
}
