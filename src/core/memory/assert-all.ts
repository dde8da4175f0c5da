/** Waits for pipelined checks and throws the first error. The transaction rolls back the effects of later ones. */
export async function assertAll(checks: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(checks))
    if (outcome.status === 'rejected') throw outcome.reason;
}
