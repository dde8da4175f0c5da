import type { Db } from '../core/postgres/db.ts';

/** A position in the changes of the directory: a transaction, and the sequence that it is of, unless that is the first. */
export const POSITION = '[0-9]{1,19}(?:_[0-9a-z]{8})?';

/**
 * The oldest transaction that is still running. What it and later ones write may be missing from what is read now, and all
 * that they write carries a number at or above it: who asks from there the next time misses nothing.
 */
export async function currentPosition(db: Db): Promise<string> {
  const [row] = await db<{ transaction: string; id: string }[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as transaction, id from change_sequence`;
  if (row === undefined) throw new Error('PostgreSQL gave no snapshot.');
  return row.id === '' ? row.transaction : `${row.transaction}_${row.id}`;
}

export function transactionOf(position: string): string {
  return position.split('_', 1)[0] ?? '';
}

export function sequenceOf(position: string): string {
  return position.slice(transactionOf(position).length);
}

/** Whether a position was reached. One of the future or of another sequence would hide what changed. */
export function isReached(position: string, current: string): boolean {
  return (
    sequenceOf(position) === sequenceOf(current) &&
    BigInt(transactionOf(position)) <= BigInt(transactionOf(current))
  );
}

/** Rows that came from another server may name transactions that this one has not reached: they tell of no change. */
export const REACHED_SQL = `changed_by < pg_snapshot_xmax(pg_current_snapshot())`;

/** Begins another sequence where the database is not the one that the last was of, or has forgotten a part of it. */
export async function renewSequence(db: Db, hasForgotten: boolean): Promise<void> {
  await db`
    update change_sequence set id = substr(md5(gen_random_uuid()::text), 1, 8), history = change_history()
    where ${hasForgotten} or history <> change_history()`;
}
