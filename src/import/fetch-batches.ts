import type { Db } from '../core/postgres/db.ts';

/** Reads the rows of a query in batches, through a cursor of this name. */
export async function* fetchBatches<Row extends object>(
  tx: Db,
  { cursor, query, rows }: { cursor: string; query: string; rows: number },
): AsyncGenerator<Row[]> {
  // All rows are read, so the plan must not favour the first ones.
  await tx`set local cursor_tuple_fraction = 1`;
  await tx.unsafe(`declare ${cursor} no scroll cursor for ${query}`);
  const next = () => tx.unsafe<Row[]>(`fetch ${rows} from ${cursor}`);
  for (let batch = await next(); batch.length > 0; batch = await next()) yield batch;
  await tx.unsafe(`close ${cursor}`);
}
