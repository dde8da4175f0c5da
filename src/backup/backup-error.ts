/** Thrown when a backup cannot be made or restored. The message states the reason and what to do. */
export class BackupError extends Error {}

/** Error codes of the system and PostgreSQL for a full disk. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);

export function isDiskFull(thrown: unknown): boolean {
  return FULL.has((thrown as { code?: string } | undefined)?.code ?? '');
}
