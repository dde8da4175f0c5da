import type { Db } from '../../core/postgres/db.ts';

/** Lists the sources of places and of second sources' data, by a few index lookups instead of reading every place. */
export async function listSources(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db<{ source: string }[]>`
    with recursive own as (
      select min(source) as source from place
      union all
      select (select min(p.source) from place p where p.source > own.source) from own where own.source is not null),
    second as (
      select min(source) as source from place_reference
      union all
      select (select min(r.source) from place_reference r where r.source > second.source)
      from second where second.source is not null)
    select source from own where source is not null
    union select source from second where source is not null`;
  return new Set(rows.map(({ source }) => source));
}
