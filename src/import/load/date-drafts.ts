import type { Db } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';
import { ImportFileError } from '../import-file-error.ts';

/** Returns the date from the file's header or from the operator; null when neither is given. */
export function statedDate(file: string, extractedAt: Date | null, asOf: Date | undefined): Date | null {
  if (extractedAt === null || asOf === undefined) return extractedAt ?? asOf ?? null;
  throw new ImportFileError(
    `${file} has a date of its own, ${dayOf(extractedAt)}: leave out --as-of. Nothing was changed.`,
  );
}

/** Returns the stated date or the newest edit, never the time of the import. Objects without a date get it. */
export async function dateDrafts(tx: Db, file: string, statedDay: Date | null): Promise<Date> {
  const [row] = await tx<{ newest: Date | null }[]>`select max(observed_at) as newest from import_draft`;
  const newest = row?.newest ?? null;
  const asOf = statedDay ?? newest;
  if (asOf === null) {
    throw new ImportFileError(
      `${file} has no date, neither in the file nor on its objects. Nothing was changed. Repeat the import with --as-of YYYY-MM-DD, the day on which the file was made.`,
    );
  }
  if (newest !== null && newest.getTime() > asOf.getTime() + DAY_MS) {
    throw new ImportFileError(
      `${file} contains an edit of ${dayOf(newest)}, so it cannot date from ${dayOf(asOf)}. Nothing was changed.`,
    );
  }
  await tx`update import_draft set observed_at = ${asOf} where observed_at is null`;
  return asOf;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
