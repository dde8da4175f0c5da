import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';

/** A position in the directory's changes: a transaction, and the id of its sequence unless that is the first. */
export const POSITION = '[0-9]{1,19}(?:_[0-9a-z]{8})?';

const COMPARE_AGAIN_MS = 250;
const COMPARISONS = 20;

/**
 * Returns the oldest running transaction: a reader that continues from here misses nothing. After a promotion, positions
 * wait until a node has compared the new server with what it had noted.
 */
export async function currentPosition(db: Db): Promise<string> {
  for (let comparison = 0; comparison < COMPARISONS; comparison++) {
    if (comparison > 0) await pause(COMPARE_AGAIN_MS);
    const position = await comparedPosition(db);
    if (position !== undefined) return position;
  }
  throw new AppError(
    'maintenance',
    'The database has moved to another server, and this node is checking that no change was lost.',
    { retryAfterSeconds: 2 },
  );
}

async function comparedPosition(db: Db): Promise<string | undefined> {
  const [row] = await db<{ transaction: string; id: string; is_compared: boolean }[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as transaction, id, history = change_history() as is_compared
    from change_sequence`;
  if (row === undefined) throw new Error('PostgreSQL returned no snapshot.');
  if (!row.is_compared) return undefined;
  return row.id === '' ? row.transaction : `${row.transaction}_${row.id}`;
}

export function transactionOf(position: string): string {
  return position.split('_', 1)[0] ?? '';
}

export function sequenceOf(position: string): string {
  return position.slice(transactionOf(position).length);
}

/** True when a position was reached. A position in the future or in another sequence would hide changes. */
export function isReached(position: string, current: string): boolean {
  return (
    sequenceOf(position) === sequenceOf(current) &&
    BigInt(transactionOf(position)) <= BigInt(transactionOf(current))
  );
}

/** Excludes transactions that this server has not reached, which rows from another server may carry. */
export const REACHED_SQL = `changed_xid < pg_snapshot_xmax(pg_current_snapshot())`;

/**
 * Continues the sequence on a promoted server. The caller has proof that nothing was lost: the server has what the index
 * noted last, on the history that the sequence has until now.
 */
export async function continueSequence(db: Db, since: string): Promise<void> {
  await db`update change_sequence set history = change_history() where history = ${since}`;
}

/** Begins a new sequence when the database is a different one, or has lost part of its history. */
export async function renewSequence(db: Db, hasForgotten: boolean): Promise<void> {
  await db`
    update change_sequence set id = substr(md5(gen_random_uuid()::text), 1, 8), history = change_history()
    where ${hasForgotten} or history <> change_history()`;
}
