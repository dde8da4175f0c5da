import type { Db } from '../../../core/postgres/db.ts';

// When a place's own object is gone or disused, but the file contains another of its objects, swaps the two references.
const swap = (references: 'place_reference' | 'place_merged') => `
  with held as (
    select distinct on (p.id) p.id, r.source, p.source_ref as own_ref, r.source_ref
    from ${references} r
    join import_draft d on d.source = r.source and d.source_ref = r.source_ref and not d.disused
    join place p on p.id = r.place_id and p.source = r.source
    where not exists (
      select 1 from import_draft o where o.source = p.source and o.source_ref = p.source_ref and not o.disused)
    order by p.id, r.source_ref),
  moved as (update place p set source_ref = held.source_ref from held where p.id = held.id)
  update ${references} r set source_ref = held.own_ref from held
  where r.source = held.source and r.source_ref = held.source_ref`;

/** Keeps a place while one of its map objects is in the file. Drafts of places that staff merged are deleted. */
export async function followReferences(tx: Db): Promise<void> {
  await tx.unsafe(swap('place_reference'));
  await tx.unsafe(swap('place_merged'));
  await tx`
    delete from import_draft d using place_merged m
    where m.source = d.source and m.source_ref = d.source_ref and m.merged_by is not null`;
}

/** Stores which objects belong to a place with another reference, and the date of the file that contains them. */
export async function storeReferences(tx: Db, asOf: Date): Promise<void> {
  await tx`
    insert into place_reference as held (source, source_ref, place_id, last_seen_at, contributes)
    select source, source_ref, belongs_to, ${asOf}::timestamptz, contributes
    from import_draft where belongs_to is not null
    on conflict (source, source_ref) do update
      set place_id = excluded.place_id, last_seen_at = excluded.last_seen_at, contributes = excluded.contributes
      where (held.place_id, held.last_seen_at, held.contributes) is distinct from (excluded.place_id, excluded.last_seen_at, excluded.contributes)`;
}
