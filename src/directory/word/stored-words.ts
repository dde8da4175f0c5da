import type { Db } from '../../core/postgres/db.ts';
import type { Field } from './field.ts';
import type { SpokenPlace } from './speak.ts';
import { MARKED_FIELDS } from './word.ts';

/** The columns that words decide about, and the words themselves. */
export const SPOKEN_COLUMNS = [
  'name',
  'latin_name',
  'vertical',
  'category',
  'city',
  'address',
  'phone',
  'email',
  'website',
  'about',
  'languages',
  'price_range',
  'hours',
  'booking_method',
  'booking_url',
  'booking_platform',
  'chosen_by_venue',
  'words',
] as const satisfies (keyof SpokenPlace)[];

/** The columns of a SpokenPlace, for a table named p. */
export const SPOKEN_SQL = `p.id, p.badge, p.source, p.source_ref, p.verified_at, p.updated_at, ${SPOKEN_COLUMNS.map((column) => `p.${column}`).join(', ')}`;

/** Places as far as words go, so that nobody else speaks of them before this transaction ends. */
export function lockSpoken(tx: Db, ids: readonly string[]): Promise<SpokenPlace[]> {
  return tx.unsafe<SpokenPlace[]>(
    `select ${SPOKEN_SQL} from place p where p.id = any($1) order by p.id for update`,
    [ids],
    { prepare: true },
  );
}

const list = (prefix: string) => SPOKEN_COLUMNS.map((column) => `${prefix}.${column}`).join(', ');
const WRITE = `
  update place p set (${SPOKEN_COLUMNS.join(', ')}, updated_at) = row (${list('r')}, $2)
  from jsonb_populate_recordset(null::place, $1::jsonb) r
  where p.id = r.id and (${list('p')}) is distinct from (${list('r')})
  returning p.id`;

/** Writes what words have made of places, and says which of them changed by it. */
export async function writeSpoken(tx: Db, now: Date, places: readonly SpokenPlace[]): Promise<string[]> {
  if (places.length === 0) return [];
  const changed = await tx.unsafe<{ id: string }[]>(WRITE, [JSON.stringify(places), now]);
  return changed.map(({ id }) => id);
}

/** Whose word a field shows, for a table named p. */
export const shownBySql = (field: Field) =>
  `coalesce(p.words #>> '{${field},0,by}', case p.source when 'submission' then 'agent' else 'map' end)`;

/** What submittedFields gives, for a table named p. Most places come from a map alone, and nothing is looked up for them. */
export const SUBMITTED_FIELDS_SQL = `case when p.words = '{}' and p.source <> 'submission' then '{}'::text[]
  else array_remove(array[${MARKED_FIELDS.map((field) => `case when p.${field} is not null and ${shownBySql(field)} = 'agent' then '${field}' end`).join(', ')}], null) end`;
