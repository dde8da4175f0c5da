import type { Db } from '../core/postgres/db.ts';

/**
 * Notes, in the transaction of an import, that much of the directory changed at once. A node takes the changes in as it
 * takes in any other, and then builds a new index: one that is running does so now, another at its next start.
 */
export async function noteImport(db: Db): Promise<void> {
  await db`update directory_import set imports = imports + 1`;
}

/** What a person who has imported something wants to know. */
export const IMPORT_NOTED =
  'Searches find it within seconds. Each running node now builds a new search index beside the old one, and its log says "new index in use" when that is done; a stopped node does so after its next start.';
