/**
 * Waits for checks that were sent one behind the other, and throws what the first of them says that does not hold. What a
 * later one has done by then is undone with the transaction.
 */
export async function allHold(checks: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(checks))
    if (outcome.status === 'rejected') throw outcome.reason;
}
