const LMDB_FULL = 28;

/** Whether something failed for want of room on the disk of the index. LMDB gives the number of the system's error. */
export function isFull(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return code === LMDB_FULL || code === 'ENOSPC' || code === 'EDQUOT';
}
