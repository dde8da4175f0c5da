import type { Db } from '../../core/postgres/db.ts';
import { ImportFileError } from '../import-file-error.ts';

/** About 300 metres. A place that is corrected keeps its name or stays within it. */
const SAME_PLACE_DEGREES = 0.0027;

/** Rejects a table whose ids are those of another table: its rows would overwrite the places of that one. */
export async function rejectOtherTable(tx: Db, file: string): Promise<void> {
  const [found] = await tx<{ known: number; other: number; example: string | null }[]>`
    with known as (
      select d.source_ref, p.name as stored, d.name as given, lower(d.name) <> lower(p.name)
        and power(p.lat - d.lat, 2) + power((p.lng - d.lng) * cosd(d.lat), 2) > ${SAME_PLACE_DEGREES ** 2} as other
      from import_draft d join place p on p.source = d.source and p.source_ref = d.source_ref)
    select count(*)::int as known, (count(*) filter (where other))::int as other,
      (select format('%s was "%s" and is "%s" elsewhere', source_ref, stored, given)
        from known where other order by source_ref limit 1) as example
    from known`;
  if (found === undefined || found.other * 2 <= found.known) return;
  throw new ImportFileError(
    `${file} gives the ids of stored places to others: ${found.example ?? ''}. If it is another table than the one that brought those places, import it without its ids: --map "id=". Nothing was changed.`,
  );
}
