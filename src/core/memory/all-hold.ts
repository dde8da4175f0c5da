import { AppError } from '../errors.ts';

/**
 * Waits for checks that were sent one behind the other, and throws what the first of them says that does not hold. What a
 * later one has done by then is undone with the transaction.
 */
export async function allHold(checks: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(checks))
    if (outcome.status === 'rejected') throw outcome.reason;
}

/**
 * The same with work that was sent behind the checks and is undone where one does not hold. Where both fail, the first
 * refusal in our own words tells why: what PostgreSQL says of the others only follows from it.
 */
export async function doneIfAllHold<Result>(
  checks: readonly Promise<void>[],
  work: Promise<Result>,
): Promise<Result> {
  const [held, done] = await Promise.allSettled([allHold(checks), work]);
  if (held.status === 'fulfilled') return work;
  throw done.status === 'rejected' && done.reason instanceof AppError && !(held.reason instanceof AppError)
    ? done.reason
    : held.reason;
}
