import type { Db } from '../../core/postgres/db.ts';
import { ImportFileError } from '../import-file-error.ts';
import type { PlaceDraft } from '../place-draft.ts';

interface CoveredArea {
  id: string;
  extracted_at: Date | null;
  seen: number;
}

/** Returns the areas of earlier imports that this file covers again: it contains half of their open places. */
export async function coveredAreas(tx: Db, source: PlaceDraft['source']): Promise<CoveredArea[]> {
  return tx<CoveredArea[]>`
    select a.id, a.extracted_at, count(d.source_ref)::int as seen
    from import_area a
    join import_area_place m on m.area_id = a.id
    join place p on p.id = m.place_id and p.source = a.source and p.closed_at is null
    left join import_draft d on d.source_ref = p.source_ref
    where a.source = ${source}
    group by a.id
    having count(d.source_ref) * 2 >= count(*)
    order by seen desc, a.id`;
}

/** Rejects a file older than the stored extract: it would undo newer data and close places that have opened since. */
export function rejectOlderFile(file: string, extractedAt: Date | null, areas: readonly CoveredArea[]): void {
  const newer = areas.find(
    ({ extracted_at }) => extractedAt !== null && extracted_at !== null && extracted_at > extractedAt,
  );
  if (extractedAt === null || newer?.extracted_at == null) return;
  const [fileDay, storedDay] = [extractedAt, newer.extracted_at].map((date) =>
    date.toISOString().slice(0, 10),
  );
  throw new ImportFileError(
    `${file} is of ${fileDay ?? ''}, but the directory already has the extract of ${storedDay ?? ''}. Nothing was changed.`,
  );
}

/** Lists the open places of the covered areas that are not in the file, and returns their number. */
export async function listVanished(tx: Db, areas: readonly CoveredArea[]): Promise<number> {
  await tx`create temp table import_vanished (place_id text primary key, disused boolean not null default false) on commit drop`;
  if (areas.length === 0) return 0;
  const { count } = await tx`
    insert into import_vanished (place_id)
    select p.id from place p
    join import_area_place m on m.place_id = p.id and m.area_id = any(${areas.map(({ id }) => id)})
    where p.closed_at is null
      and not exists (select 1 from import_draft d where d.source = p.source and d.source_ref = p.source_ref)`;
  await tx`analyze import_vanished`;
  return count;
}

/** Stores the area of the new places and the new date of the covered areas. */
export async function storeImportAreas(
  tx: Db,
  source: PlaceDraft['source'],
  asOf: Date,
  now: Date,
  areas: readonly CoveredArea[],
): Promise<void> {
  const covered = areas.map(({ id }) => id);
  await tx`
    update import_area set extracted_at = greatest(extracted_at, ${asOf}), imported_at = ${now}
    where id = any(${covered})`;
  // An area is created only when a place needs one: a file without new places leaves no area.
  await tx`
    with homeless as (
      select p.id from import_draft d
      join place p on p.source = d.source and p.source_ref = d.source_ref
      where not exists (select 1 from import_area_place m where m.place_id = p.id)),
    made as (
      insert into import_area (source, extracted_at, imported_at)
      select ${source}, ${asOf}, ${now}
      where ${covered.length === 0} and exists (select 1 from homeless)
      returning id)
    insert into import_area_place (place_id, area_id)
    select homeless.id, coalesce(${covered[0] ?? null}::bigint, made.id) from homeless left join made on true`;
  await tx`analyze import_area_place`;
}
