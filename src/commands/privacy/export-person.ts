import type { Db } from '../../core/postgres/db.ts';
import type { Person } from './person.ts';

type Row = Record<string, unknown>;

export interface PersonExport {
  kind: Person['kind'];
  contact: string;
  exported_at: string;
  /** Rows by table. Keys, codes and hashes are left out. */
  tables: Record<string, Row[]>;
}

/** Columns that hold the contact of a person beside a table of accounts. */
const CONTACT_COLUMNS: Readonly<Record<string, string>> = {
  message: 'recipient',
  sign_in_code: 'email',
  operator_session: 'email',
  review_account: 'email',
};
const VENUE_COLUMNS: Readonly<Record<string, string>> = {
  message: 'recipient',
  claim_code: 'contact',
  venue_claim: 'contact',
  vouched_contact: 'contact',
  business_confirmation: 'contact',
};

/** Collects every row about a person: the account, what refers to it, what refers to that, and the audit trail. */
export async function exportPerson(db: Db, person: Person, now: Date): Promise<PersonExport> {
  const tables: Record<string, Row[]> = {};
  const add = (table: string, rows: readonly Row[]) => {
    if (rows.length === 0) return;
    const known = new Set(tables[table]?.map((row) => JSON.stringify(row)));
    tables[table] = [...(tables[table] ?? []), ...rows.filter((row) => !known.has(JSON.stringify(row)))];
  };
  if (person.kind === 'venue') {
    for (const [table, column] of Object.entries(VENUE_COLUMNS))
      add(table, await readRows(db, table, column, [person.contact]));
    for (const column of ['email', 'phone'])
      add('place', await readRows(db, 'place', column, [person.contact]));
  } else {
    const { table, id, contact } = person;
    add(table, await readRows(db, table, 'id', [id]));
    for (const one of await listReferences(db, table)) {
      const rows = await readRows(db, one.table, one.column, [id]);
      add(one.table, rows);
      const ids = rows.flatMap((row) => (typeof row['id'] === 'string' ? [row['id']] : []));
      if (ids.length === 0) continue;
      for (const inner of await listReferences(db, one.table))
        add(inner.table, await readRows(db, inner.table, inner.column, ids));
    }
    for (const [name, column] of Object.entries(CONTACT_COLUMNS))
      add(name, await readRows(db, name, column, [contact]));
    for (const column of ['actor', 'subject'])
      add('audit_log', await readRows(db, 'audit_log', column, [id]));
  }
  return { kind: person.kind, contact: person.contact, exported_at: now.toISOString(), tables };
}

interface Reference {
  table: string;
  column: string;
}

/** Lists the columns that refer to the id of a table, so that a new table is never forgotten. */
async function listReferences(db: Db, table: string): Promise<readonly Reference[]> {
  return db<Reference[]>`
    select c.conrelid::regclass::text as table, a.attname::text as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute f on f.attrelid = c.confrelid and f.attnum = c.confkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass and c.conparentid = 0 and f.attname = 'id'
    order by 1, 2`;
}

/** Bytes are hashes and encrypted secrets; transaction ids mean nothing to anybody. */
async function readRows(db: Db, table: string, column: string, values: string[]): Promise<readonly Row[]> {
  const [hidden] = await db<{ names: string[] }[]>`
    select coalesce(array_agg(attname::text), '{}') as names from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and (atttypid in ('bytea'::regtype, 'xid8'::regtype) or attgenerated <> '')`;
  const rows = await db<{ row: Row }[]>`
    select to_jsonb(t) - ${hidden?.names ?? []}::text[] as row from ${db(table)} t
    where t.${db(column)} = any(${values}::text[])`;
  return rows.map(({ row }) => row);
}
