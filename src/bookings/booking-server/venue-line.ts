import type { Db } from '../../core/postgres/db.ts';

/**
 * A venue's system is called by one at a time, on all nodes together, so that one that does not answer keeps one of our
 * places and not all of them. Whoever gives a table back for a guest who waits does not stand in line.
 */
export async function isLineFree(tx: Db, placeId: string): Promise<boolean> {
  const [row] = await tx<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock(7016, hashtext(${placeId})) as free`;
  return row?.free === true;
}

/** Holds the line until the transaction ends. */
export async function holdLine(tx: Db, placeId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(7016, hashtext(${placeId}))`;
}
