import type { Db } from '../../../src/core/postgres/db.ts';

/** Every row of every table that holds a character that nobody sees, as text. */
export async function hiddenRows(db: Db, unseen: RegExp): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`);
    found.push(...rows.filter(({ row }) => unseen.test(row)).map(({ row }) => `${name}: ${row}`));
  }
  return found;
}
