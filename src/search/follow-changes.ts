import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import type { Pool } from '../core/postgres/db.ts';
import { noteAreaNames, type NamedArea } from './areas/area-names.ts';
import { IndexChange, type PlaceChange } from './change-index.ts';
import { SOURCE_SQL } from './store/index-source.ts';
import type { IndexedDestination, OpenIndex } from './store/open-index.ts';
import { PLACE_ROW_SQL, type PlaceRow } from './store/place-row.ts';

/**
 * Behind: so much changed that a new build is quicker. Foreign: the database is not the one that the index was built from,
 * or was put back to a moment before the last change that the index has.
 */
export type CaughtUp = 'settled' | 'behind' | 'foreign';

interface Changed extends PlaceRow {
  closed: boolean;
  changed_by: string;
}

interface Changes {
  /** Whatever they are called now. */
  areas: NamedArea[];
  places: Changed[];
  removed: { place_id: string; changed_by: string }[];
}

/** What the database says of itself. */
interface Look {
  /** Its state at this look: which transactions are over. */
  snapshot: string;
  source: string;
  /** Whether it knows of the build and of the last change that the index has. */
  known: boolean;
  many: number;
}

/** So many places are written between two turns of the event loop, because requests wait meanwhile. */
const PLACES_PER_TURN = 20;
const AREAS_PER_TURN = 50;

/**
 * Takes in what changed in the record, unless that is more than so many places. The record is followed by the
 * transactions that wrote it: what was written by one that the last look did not see the end of is new.
 */
export async function catchUp(
  index: OpenIndex,
  pool: Pool,
  { clock, verifiedMs, limit }: { clock: Clock; verifiedMs: number; limit: number },
  isWanted: () => boolean,
): Promise<CaughtUp> {
  const now = clock.now();
  const { look, changes } = await readChanges(index, pool, new Date(now.getTime() - verifiedMs), limit);
  if (look.source !== index.store.meta('source') || !look.known) return 'foreign';
  if (changes === undefined) return 'behind';
  const { areas, places, removed } = changes;
  if (!(await takeAreas(index, areas, isWanted))) return 'settled';
  const all: PlaceChange[] = [
    ...removed.map(({ place_id }) => ({ id: place_id, place: undefined })),
    ...places.map((place) => ({ id: place.id, place: place.closed ? undefined : place })),
  ];
  if (all.length === 0) {
    if (areas.length > 0)
      index.store.change(() => {
        index.store.setMeta('snapshot', look.snapshot);
      });
    return 'settled';
  }
  const destinations = await learnDestinations(index, pool, places);
  for (let at = 0; at < all.length; at += PLACES_PER_TURN) {
    if (at > 0) await setImmediate();
    if (!isWanted()) return 'settled';
    index.store.change(() => {
      const { store } = index;
      for (const { number, ...rest } of destinations.values())
        if (store.meta(`destination/${number}`) === undefined)
          store.setMeta(`destination/${number}`, JSON.stringify(rest));
      new IndexChange(index, destinations, now).apply(all.slice(at, at + PLACES_PER_TURN));
      store.setMeta('changes', String(Number(store.meta('changes') ?? 0) + 1));
      if (at + PLACES_PER_TURN < all.length) return;
      // What was taken in and how far the record was followed are told in one transaction.
      store.setMeta('snapshot', look.snapshot);
      store.setMeta('witness', JSON.stringify(newest(changes)));
    });
  }
  return 'settled';
}

/** Takes in what areas are called. It is known before the places that lie in them; to take it in again does no harm. */
async function takeAreas(
  { store }: OpenIndex,
  areas: readonly NamedArea[],
  isWanted: () => boolean,
): Promise<boolean> {
  for (let at = 0; at < areas.length; at += AREAS_PER_TURN) {
    if (at > 0) await setImmediate();
    if (!isWanted()) return false;
    store.change(() => {
      noteAreaNames(store, areas.slice(at, at + AREAS_PER_TURN));
      store.setMeta('changes', String(Number(store.meta('changes') ?? 0) + 1));
    });
  }
  return true;
}

/** The change by the latest transaction: a database that does not have it was put back. */
function newest({ places, removed }: Changes): [id: string, by: string] {
  const all = [
    ...places.map(({ id, changed_by }): [string, string] => [id, changed_by]),
    ...removed.map(({ place_id, changed_by }): [string, string] => [place_id, changed_by]),
  ];
  return all.reduce((last, one) => (BigInt(one[1]) > BigInt(last[1]) ? one : last));
}

async function learnDestinations(
  index: OpenIndex,
  pool: Pool,
  places: readonly PlaceRow[],
): Promise<ReadonlyMap<string, IndexedDestination>> {
  const { destinations } = index;
  if (places.every(({ destination_id }) => destinations.has(destination_id))) return destinations;
  const all = new Map(destinations);
  const rows = await pool<Omit<IndexedDestination, 'number'>[]>`
    select id, slug, timezone from destination order by id`;
  for (const row of rows) if (!all.has(row.id)) all.set(row.id, { ...row, number: all.size + 1 });
  return all;
}

/**
 * How far the database is, and what changed since the index last looked; undefined where that is more than the limit.
 * Rows that came from another server may name transactions that this one has not reached: they tell of no change.
 */
function readChanges(
  { store }: OpenIndex,
  pool: Pool,
  since: Date,
  limit: number,
): Promise<{ look: Look; changes: Changes | undefined }> {
  const snapshot = store.meta('snapshot') ?? '';
  const [id, by] = JSON.parse(store.meta('witness') ?? '[null,null]') as [string | null, string | null];
  return pool.begin('isolation level repeatable read read only', async (sql) => {
    const [look] = await sql.unsafe<Look[]>(
      `select pg_current_snapshot()::text as snapshot, ${SOURCE_SQL} as source,
              exists (select 1 from index_build where id = $2) and ($4::text is null
                or exists (select 1 from place where id = $4 and changed_by >= $5::xid8)
                or exists (select 1 from place_removed where place_id = $4 and changed_by >= $5::xid8)) as known,
              (select count(*)::int from (select 1 from place where ${CHANGED_SQL} union all
                select 1 from area where ${CHANGED_SQL} limit $3) few) as many`,
      [snapshot, store.meta('build') ?? null, Math.min(limit, 2e9) + 1, id, by],
    );
    if (look === undefined) throw new Error('PostgreSQL gave no snapshot.');
    if (look.many > limit) return { look, changes: undefined };
    // In the order of a build, which tells equals apart by their ids.
    const places = await sql.unsafe<Changed[]>(
      `select ${PLACE_ROW_SQL}, closed_at is not null as closed, changed_by::text from place
       where ${CHANGED_SQL.replaceAll('$1', '$2')} order by id`,
      [since, snapshot],
    );
    const removed = await sql.unsafe<Changes['removed']>(
      `select place_id, changed_by::text from place_removed r where ${CHANGED_SQL}
       and not exists (select 1 from place p where p.id = r.place_id)`,
      [snapshot],
    );
    const areas = await sql.unsafe<NamedArea[]>(`select name, names from area where ${CHANGED_SQL}`, [
      snapshot,
    ]);
    return { look, changes: { areas, places, removed } };
  });
}

const CHANGED_SQL = `changed_by >= pg_snapshot_xmin($1::pg_snapshot)
  and not pg_visible_in_snapshot(changed_by, $1::pg_snapshot)
  and changed_by < pg_snapshot_xmax(pg_current_snapshot())`;
