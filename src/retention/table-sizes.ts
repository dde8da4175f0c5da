import type { Db } from '../core/postgres/db.ts';

export interface TableSize {
  table: string;
  /** As the server last estimated it. */
  rows: number;
  bytes: number;
}

/** Lists all tables with their rows, as the server estimates them, and their bytes with indexes. */
export async function readTableSizes(db: Db): Promise<TableSize[]> {
  return db<TableSize[]>`
    select relname as table, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::float8 as bytes
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by relname`;
}
