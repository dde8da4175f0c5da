import type { Db } from '../core/postgres/db.ts';
import { REACHED_SQL, transactionOf } from '../directory/change-sequence.ts';
import { RECORD_SQL, RECORD_TEXT_SQL, rowOfText, type VersionedRow } from '../directory/place/record-row.ts';

/** Scope of a sync: everything, or the changes since a time or an earlier sync. */
export type Since = { kind: 'ever' } | { kind: 'time'; time: string } | { kind: 'transaction'; id: string };

export interface Removed {
  place_id: string;
  removed_at: Date;
  reason: string;
}

export interface FeedRange {
  destinationId: string;
  after: string;
  since: Since;
  limit: number;
}

const VERSIONED_SQL = `${RECORD_SQL}, p.changed_xid::text as version`;

/** Places by id. An id never changes, so that a place is listed exactly once, however the others change. */
export async function listFeedPlaces(db: Db, stretch: FeedRange): Promise<VersionedRow[]> {
  const { query, values } = stretchQuery(`${RECORD_TEXT_SQL} as text`, stretch);
  const texts = await db.unsafe<{ text: string }[]>(query, values, { prepare: true });
  const rows = texts.map(({ text }) => rowOfText(text));
  return rows.every((row) => row !== undefined)
    ? rows
    : listStretch<VersionedRow>(db, VERSIONED_SQL, stretch);
}

/** Ids and versions only. */
export function listFeedKeys(db: Db, stretch: FeedRange): Promise<{ id: string; version: string }[]> {
  return listStretch(db, 'p.id, p.changed_xid::text as version', stretch);
}

/** Reads places by id. One that was removed meanwhile is missing here and listed as a removal. */
export function listFeedPlacesById(
  db: Db,
  destinationId: string,
  ids: readonly string[],
): Promise<VersionedRow[]> {
  return db.unsafe<VersionedRow[]>(
    `select ${VERSIONED_SQL} from place p where p.destination_id = $1 and p.id = any($2) and p.closed_at is null`,
    [destinationId, [...ids]],
    { prepare: true },
  );
}

function listStretch<Row extends object>(db: Db, columns: string, stretch: FeedRange): Promise<Row[]> {
  const { query, values } = stretchQuery(columns, stretch);
  return db.unsafe<Row[]>(query, values, { prepare: true });
}

function stretchQuery(
  columns: string,
  { destinationId, after, since, limit }: FeedRange,
): { query: string; values: (string | number)[] } {
  const changed =
    since.kind === 'ever'
      ? ''
      : since.kind === 'time'
        ? 'and p.updated_at >= $4::timestamptz'
        : `and p.changed_xid >= $4::xid8 and p.${REACHED_SQL}`;
  const moment = since.kind === 'ever' ? [] : [since.kind === 'time' ? since.time : transactionOf(since.id)];
  const query = `select ${columns} from place p
     where p.destination_id = $1 and p.id > $2 and p.closed_at is null ${changed} order by p.id limit $3`;
  return { query, values: [destinationId, after, limit, ...moment] };
}

export interface RemovedSince {
  everything: boolean;
  transaction: string;
  time: string | null;
}

/** Places that closed, moved to another destination or were removed, by id. */
export function listRemoved(
  db: Db,
  options: { destinationId: string; after: string; since: RemovedSince; limit: number },
): Promise<Removed[]> {
  const { destinationId, after, limit } = options;
  const { everything, transaction, time } = options.since;
  return db<Removed[]>`
    select place_id, removed_at, reason from (
      select p.id as place_id, coalesce(p.removed_at, p.closed_at) as removed_at,
             coalesce(case when p.removed_at is not null then 'removed' end,
                      (select e.kind from closure_evidence e where e.place_id = p.id
                       order by e.observed_at desc limit 1), 'closed') as reason
      from place p
      where p.destination_id = ${destinationId} and p.id > ${after} and p.closed_at is not null
        and (${everything}
             or (p.changed_xid >= ${transaction}::xid8 and p.changed_xid < pg_snapshot_xmax(pg_current_snapshot()))
             or greatest(p.closed_at, p.updated_at) >= ${time}::timestamptz)
      union all
      select r.place_id, r.removed_at, r.reason
      from place_removed r
      where r.destination_id = ${destinationId} and r.place_id > ${after}
        and (${everything}
             or (r.changed_xid >= ${transaction}::xid8 and r.changed_xid < pg_snapshot_xmax(pg_current_snapshot()))
             or r.removed_at >= ${time}::timestamptz)
        -- It may exist again under the same id: an import restored it, or it moved away and back.
        and not exists (select 1 from place p where p.id = r.place_id and p.destination_id = r.destination_id)
    ) gone
    order by place_id limit ${limit}`;
}
