import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { REACHED_SQL, renewSequence } from '../../directory/change-sequence.ts';
import { noteAreaNames, type NamedArea } from '../areas/area-names.ts';
import { IndexChange, type PlaceChange } from './change-index.ts';
import type { IndexedDestination, OpenIndex } from '../store/open-index.ts';
import { PLACE_ROW_SQL, type PlaceRow } from '../store/place-row.ts';

/**
 * Behind: so much changed that a new build is quicker. Foreign: the database is not the one that the index was built from,
 * or was put back to a moment before the last change that the index has.
 */
export type CaughtUp = 'settled' | 'behind' | 'foreign';

interface FollowOptions {
  clock: Clock;
  verifiedMs: number;
  /** How many changed places are taken in one by one. */
  limit: number;
  /** Whether to note how far the record was followed even if nothing changed. */
  isMarkDue: boolean;
}

interface Changed extends PlaceRow {
  closed: boolean;
}

interface Changes {
  /** Whatever they are called now. */
  areas: NamedArea[];
  places: Changed[];
  removed: { place_id: string }[];
}

/** What the database says of itself. */
interface Look {
  /** Its state at this look: which transactions are over. */
  snapshot: string;
  source: string;
  /** Whether its history is the one that tokens are of. */
  continues: boolean;
  /** Whether it has all that the index was ever told. */
  known: boolean;
  many: number;
}

/** How far the record was followed, as the index keeps it. */
interface Reached {
  snapshot: string;
  /** The transaction that noted it, see index_build. */
  mark: string;
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
  { clock, verifiedMs, limit, isMarkDue }: FollowOptions,
  isWanted: () => boolean,
): Promise<CaughtUp> {
  const now = clock.now();
  const since = new Date(now.getTime() - verifiedMs);
  const { look, changes, mark } = await readChanges(index, pool, { since, limit, isMarkDue });
  const isSame = look.source === index.store.meta('source');
  const hasForgotten = isSame && !look.known;
  if (hasForgotten || !look.continues) await renewSequence(pool, hasForgotten);
  if (!isSame || !look.known) return 'foreign';
  if (changes === undefined) return 'behind';
  const reached = mark === undefined ? undefined : { snapshot: look.snapshot, mark };
  const { areas, places, removed } = changes;
  if (!(await takeAreas(index, areas, isWanted))) return 'settled';
  const all: PlaceChange[] = [
    ...removed.map(({ place_id }) => ({ id: place_id, place: undefined })),
    ...places.map((place) => ({ id: place.id, place: place.closed ? undefined : place })),
  ];
  if (all.length === 0) {
    if (reached !== undefined && isWanted())
      index.store.change(() => {
        noteReached(index, reached);
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
      // What was taken in and how far the record was followed are told in one transaction.
      if (at + PLACES_PER_TURN >= all.length) noteReached(index, reached);
    });
  }
  return 'settled';
}

function noteReached({ store }: OpenIndex, reached: Reached | undefined): void {
  if (reached === undefined) return;
  store.setMeta('snapshot', reached.snapshot);
  store.setMeta('mark', reached.mark);
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

/** How far the database is, and what changed since the index last looked; undefined where that is more than the limit. */
function readChanges(
  { store }: OpenIndex,
  pool: Pool,
  { since, limit, isMarkDue }: { since: Date; limit: number; isMarkDue: boolean },
): Promise<{ look: Look; changes?: Changes; mark?: string }> {
  const snapshot = store.meta('snapshot') ?? '';
  const build = store.meta('build') ?? null;
  const mark = store.meta('mark') ?? null;
  return pool.begin('isolation level repeatable read', async (sql) => {
    const [look] = await sql.unsafe<Look[]>(
      `select pg_current_snapshot()::text as snapshot, change_source() as source,
              (select history from change_sequence) = change_history() as continues,
              exists (select 1 from index_build where id = $2
                and ($4::text is null or (followed_by >= $4::xid8 and xmin = followed_by::xid))) as known,
              (select count(*)::int from (select 1 from place where ${CHANGED_SQL} union all
                select 1 from area where ${CHANGED_SQL} limit $3) few) as many`,
      [snapshot, build, Math.min(limit, 2e9) + 1, mark],
    );
    if (look === undefined) throw new Error('PostgreSQL gave no snapshot.');
    if (!look.known || look.many > limit) return { look };
    // In the order of a build, which tells equals apart by their ids.
    const places = await sql.unsafe<Changed[]>(
      `select ${PLACE_ROW_SQL}, closed_at is not null as closed from place
       where ${CHANGED_SQL.replaceAll('$1', '$2')} order by id`,
      [since, snapshot],
    );
    const removed = await sql.unsafe<Changes['removed']>(
      `select place_id from place_removed r where ${CHANGED_SQL}
       and not exists (select 1 from place p where p.id = r.place_id)`,
      [snapshot],
    );
    const areas = await sql.unsafe<NamedArea[]>(`select name, names from area where ${CHANGED_SQL}`, [
      snapshot,
    ]);
    const changes = { areas, places, removed };
    const isNew = places.length > 0 || removed.length > 0 || areas.length > 0;
    if (!isNew && !isMarkDue && mark !== null) return { look, changes };
    // Its number is behind every transaction of the snapshot: whoever has it has all of those, and gives none of them again.
    const [marked] = await sql.unsafe<{ mark: string }[]>(
      'update index_build set followed_by = pg_current_xact_id() where id = $1 returning followed_by::text as mark',
      [build],
    );
    return { look, changes, ...marked };
  });
}

const CHANGED_SQL = `changed_by >= pg_snapshot_xmin($1::pg_snapshot)
  and not pg_visible_in_snapshot(changed_by, $1::pg_snapshot)
  and ${REACHED_SQL}`;
