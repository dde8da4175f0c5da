import type { Db } from '../../../core/postgres/db.ts';

// The place whose own object is gone or out of use, and another object of it that the file holds: the two change places.
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

/** A place that a map holds as several objects lives on in any of them. What staff merged away stays away. */
export async function followReferences(tx: Db): Promise<void> {
  await tx.unsafe(swap('place_reference'));
  await tx.unsafe(swap('place_merged'));
  await tx`
    delete from import_draft d using place_merged m
    where m.source = d.source and m.source_ref = d.source_ref and m.merged_by is not null`;
}

/** Remembers which objects belong to a place that has another reference, and of when the file is that holds them. */
export async function noteReferences(tx: Db, asOf: Date): Promise<void> {
  await tx`
    insert into place_reference as held (source, source_ref, place_id, held_at, speaks)
    select source, source_ref, belongs_to, ${asOf}::timestamptz, speaks
    from import_draft where belongs_to is not null
    on conflict (source, source_ref) do update
      set place_id = excluded.place_id, held_at = excluded.held_at, speaks = excluded.speaks
      where (held.place_id, held.held_at, held.speaks) is distinct from (excluded.place_id, excluded.held_at, excluded.speaks)`;
}
