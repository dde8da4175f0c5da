const LMDB_FULL = 28;

/** True for errors caused by a full disk. LMDB reports the errno. */
export function isFull(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return code === LMDB_FULL || code === 'ENOSPC' || code === 'EDQUOT';
}
