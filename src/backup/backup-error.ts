/** A backup cannot be made or restored; the message says why and what to do. */
export class BackupError extends Error {}

/** What the system and PostgreSQL call a full disk. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);

export function isDiskFull(thrown: unknown): boolean {
  return FULL.has((thrown as { code?: string } | undefined)?.code ?? '');
}
