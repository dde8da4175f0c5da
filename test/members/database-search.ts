import assert from 'node:assert/strict';
import type { Pool } from '../../src/core/postgres/db.ts';

/** Every table of every schema in which a text occurs, as text or as bytes. */
export async function tablesWith(pool: Pool, ...needles: string[]): Promise<string[]> {
  const forms = needles.flatMap((needle) => [needle, Buffer.from(needle).toString('hex')]);
  return tablesWhere(
    pool,
    (name) => pool`
      select from ${name} t
      where exists (select from unnest(${forms}::text[]) form where position(lower(form) in lower(t::text)) > 0)`,
  );
}

/** Every table in which a text is a whole value, in a column or anywhere within JSON: for names that are parts of words. */
export function tablesWithValue(pool: Pool, value: string): Promise<string[]> {
  return tablesWhere(
    pool,
    (name) => pool`
      select from ${name} t
      where exists (select from jsonb_path_query(to_jsonb(t), 'strict $.**') one where one = to_jsonb(${value}::text))`,
  );
}

async function tablesWhere(
  pool: Pool,
  find: (name: ReturnType<Pool>) => Promise<readonly unknown[]>,
): Promise<string[]> {
  const tables = await pool<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  assert.ok(tables.length > 40);
  const found: string[] = [];
  for (const { schema, name } of tables)
    if ((await find(pool`${pool(schema)}.${pool(name)}`)).length > 0) found.push(name);
  return found.sort();
}
