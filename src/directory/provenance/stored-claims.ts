import type { Db } from '../../core/postgres/db.ts';
import type { ClaimField } from './field.ts';
import type { PlaceWithClaims } from './apply-field-claims.ts';
import { MARKED_FIELDS } from './field-claim.ts';

/** The columns that are decided by claims, and the claims themselves. */
export const CLAIMED_COLUMNS = (
  'name name_generated latin_name vertical category city address lat lng phone email website about languages price_range hours ' +
  'booking_method booking_url booking_platform chosen_by_venue field_claims'
).split(' ') as (keyof PlaceWithClaims)[];

/** The columns of a PlaceWithClaims, for a table named p. */
export const CLAIMED_SQL = `p.id, p.badge, p.source, p.source_ref, p.verified_at, p.updated_at, ${CLAIMED_COLUMNS.map((column) => `p.${column}`).join(', ')}`;

export function lockPlaceClaims(tx: Db, ids: readonly string[]): Promise<PlaceWithClaims[]> {
  return tx.unsafe<PlaceWithClaims[]>(
    `select ${CLAIMED_SQL} from place p where p.id = any($1) order by p.id for update`,
    [ids],
    { prepare: true },
  );
}

const list = (prefix: string) => CLAIMED_COLUMNS.map((column) => `${prefix}.${column}`).join(', ');
const WRITE = `
  update place p set (${CLAIMED_COLUMNS.join(', ')}, updated_at) = row (${list('r')}, $2)
  from jsonb_populate_recordset(null::place, $1::jsonb) r
  where p.id = r.id and (${list('p')}) is distinct from (${list('r')})
  returning p.id`;

/** Writes places after their claims changed, and returns the ids of those whose columns changed. */
export async function writePlaceClaims(
  tx: Db,
  now: Date,
  places: readonly PlaceWithClaims[],
): Promise<string[]> {
  if (places.length === 0) return [];
  const changed = await tx.unsafe<{ id: string }[]>(WRITE, [JSON.stringify(places), now]);
  return changed.map(({ id }) => id);
}

/** SQL for the origin of the displayed value of a field, for a table named p. */
export const shownBySql = (field: ClaimField) =>
  `coalesce(p.field_claims #>> '{${field},0,by}', case p.source when 'submission' then 'agent' else 'map' end)`;

/** SQL for `fieldsFromAgents`, for a table named p. Most places come from a map alone and need no lookup. */
export const SUBMITTED_FIELDS_SQL = `case when p.field_claims = '{}' and p.source <> 'submission' then '{}'::text[]
  else array_remove(array[${MARKED_FIELDS.map((field) => `case when p.${field} is not null and ${shownBySql(field)} = 'agent' then '${field}' end`).join(', ')}], null) end`;
