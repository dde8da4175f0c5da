/**
 * Waits for checks that were sent in a pipeline, and throws the error of the first one that failed. The effects of
 * later ones are rolled back with the transaction.
 */
export async function assertAll(checks: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(checks))
    if (outcome.status === 'rejected') throw outcome.reason;
}
