import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { continueSequence, renewSequence } from '../../directory/change-sequence.ts';
import { addAreaNames, type NamedArea } from '../areas/area-names.ts';
import { IndexChange, type PlaceChange } from './change-index.ts';
import { CHANGED_SQL } from './changed-sql.ts';
import type { IndexedDestination, OpenIndex } from '../store/open-index.ts';
import { PLACE_ROW_SQL, type PlaceRow } from '../store/place-row.ts';

/**
 * behind: so much changed that a rebuild is faster. foreign: the database is not the one that the index was built from,
 * or was restored to a state before the last change that the index has.
 */
export type CatchUpState = 'settled' | 'behind' | 'foreign';

interface FollowOptions {
  clock: Clock;
  verifiedMs: number;
  /** Maximum number of changed places that are applied one by one. */
  limit: number;
  /** True when a mark should be written even if nothing changed. */
  isMarkDue: boolean;
}

interface Changed extends PlaceRow {
  closed: boolean;
}

interface Changes {
  /** Changed areas with their current names. */
  areas: NamedArea[];
  places: Changed[];
  removed: { place_id: string }[];
}

/** State of the database. */
interface DatabaseState {
  /** Snapshot of this read, which lists the completed transactions. */
  snapshot: string;
  source: string;
  history: string;
  /** The history that tokens refer to. */
  sequence_history: string;
  /** True when it has every change that the index has ever applied. */
  known: boolean;
  many: number;
}

/** Position up to which the index has followed the database. */
interface FollowPosition {
  snapshot: string;
  /** Id of the transaction that recorded it, see index_build. */
  mark: string;
  history: string;
}

function continues({ history, sequence_history }: DatabaseState): boolean {
  return history === sequence_history;
}

/** Number of places written per turn of the event loop, because requests wait meanwhile. */
const PLACES_PER_TURN = 20;
const AREAS_PER_TURN = 50;

/**
 * Applies changes from the database, unless they exceed the limit. Changes are tracked by transaction: everything
 * written by a transaction that the last snapshot did not see as completed is new.
 */
export async function catchUp(
  index: OpenIndex,
  pool: Pool,
  { clock, verifiedMs, limit, isMarkDue }: FollowOptions,
  mayWrite: () => boolean,
): Promise<CatchUpState> {
  const now = clock.now();
  const since = new Date(now.getTime() - verifiedMs);
  const { state, changes, mark } = await readChanges(index, pool, { since, limit, isMarkDue });
  const isSame = state.source === index.store.meta('source');
  const wasRestored = isSame && !state.known;
  if (wasRestored || !continues(state)) {
    // An index that noted its position after the promotion proves nothing about what came before.
    const hasProof = isSame && state.known && index.store.meta('history') === state.sequence_history;
    await (hasProof ? continueSequence(pool, state.sequence_history) : renewSequence(pool, wasRestored));
  }
  if (!isSame || !state.known) return 'foreign';
  if (changes === undefined) return 'behind';
  const position =
    mark === undefined ? undefined : { snapshot: state.snapshot, mark, history: state.history };
  const { areas, places, removed } = changes;
  if (!(await applyAreas(index, areas, mayWrite))) return 'settled';
  const all: PlaceChange[] = [
    ...removed.map(({ place_id }) => ({ id: place_id, place: undefined })),
    ...places.map((place) => ({ id: place.id, place: place.closed ? undefined : place })),
  ];
  if (all.length === 0) {
    if (position !== undefined && mayWrite())
      index.store.change(() => {
        recordPosition(index, position);
      });
    return 'settled';
  }
  const destinations = await readDestinations(index, pool, places);
  for (let at = 0; at < all.length; at += PLACES_PER_TURN) {
    if (at > 0) await setImmediate();
    if (!mayWrite()) return 'settled';
    index.store.change(() => {
      const { store } = index;
      for (const { number, ...rest } of destinations.values())
        if (store.meta(`destination/${number}`) === undefined)
          store.setMeta(`destination/${number}`, JSON.stringify(rest));
      new IndexChange(index, destinations, now).apply(all.slice(at, at + PLACES_PER_TURN));
      store.setMeta('changes', String(Number(store.meta('changes') ?? 0) + 1));
      // Record the changes and the position in one transaction.
      if (at + PLACES_PER_TURN >= all.length) recordPosition(index, position);
    });
  }
  return 'settled';
}

function recordPosition({ store }: OpenIndex, position: FollowPosition | undefined): void {
  if (position === undefined) return;
  store.setMeta('snapshot', position.snapshot);
  store.setMeta('mark', position.mark);
  store.setMeta('history', position.history);
}

/** Applies area names before the places that lie in them. Applying them twice is harmless. */
async function applyAreas(
  { store }: OpenIndex,
  areas: readonly NamedArea[],
  mayWrite: () => boolean,
): Promise<boolean> {
  for (let at = 0; at < areas.length; at += AREAS_PER_TURN) {
    if (at > 0) await setImmediate();
    if (!mayWrite()) return false;
    store.change(() => {
      addAreaNames(store, areas.slice(at, at + AREAS_PER_TURN));
      store.setMeta('changes', String(Number(store.meta('changes') ?? 0) + 1));
    });
  }
  return true;
}

async function readDestinations(
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
 * Reads the state of the database and the changes since the last snapshot; changes are undefined when they exceed the
 * limit.
 */
function readChanges(
  { store }: OpenIndex,
  pool: Pool,
  { since, limit, isMarkDue }: { since: Date; limit: number; isMarkDue: boolean },
): Promise<{ state: DatabaseState; changes?: Changes; mark?: string }> {
  const snapshot = store.meta('snapshot') ?? '';
  const build = store.meta('build') ?? null;
  const mark = store.meta('mark') ?? null;
  return pool.begin('isolation level repeatable read', async (sql) => {
    const [state] = await sql.unsafe<DatabaseState[]>(
      `select pg_current_snapshot()::text as snapshot, change_source() as source,
              change_history() as history, (select history from change_sequence) as sequence_history,
              exists (select 1 from index_build where id = $2
                and ($4::text is null or (followed_xid >= $4::xid8 and xmin = followed_xid::xid))) as known,
              (select count(*)::int from (select 1 from place where ${CHANGED_SQL} union all
                select 1 from area where ${CHANGED_SQL} limit $3) few) as many`,
      [snapshot, build, Math.min(limit, 2e9) + 1, mark],
    );
    if (state === undefined) throw new Error('PostgreSQL returned no snapshot.');
    if (!state.known || state.many > limit) return { state };
    // In the order of a build, which breaks ties by id.
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
    if (!isNew && !isMarkDue && mark !== null && continues(state)) return { state, changes };
    // This transaction id is higher than those of the snapshot: a database that has it has all of them and will not
    // assign their ids again.
    const [marked] = await sql.unsafe<{ mark: string }[]>(
      'update index_build set followed_xid = pg_current_xact_id() where id = $1 returning followed_xid::text as mark',
      [build],
    );
    return { state, changes, ...marked };
  });
}
