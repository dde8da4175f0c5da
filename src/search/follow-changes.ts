import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import type { Pool } from '../core/postgres/db.ts';
import { PLACE_ROW_SQL, type PlaceRow } from './build/document.ts';
import { FreshPlaces } from './fresh-places.ts';
import type { Generation } from './store/generation.ts';
import { SOURCE_SQL } from './build/index-source.ts';

export interface Follower {
  readonly generation: Generation;
  /** Applies what changed, unless that is more than so many places. */
  catchUp(limit: number): Promise<CaughtUp>;
}

/**
 * Behind: so much changed that only a new build takes it in. Due: what changed was taken in, and a new build pays.
 * Foreign: the database is not the one that the index was built from, or was put back to a moment before. Restarted: it
 * may have been put back to a moment after the build, so that what was taken in since cannot be relied upon.
 */
export type CaughtUp = 'settled' | 'due' | 'behind' | 'foreign' | 'restarted';

interface Changed extends PlaceRow {
  closed: boolean;
}

interface Changes {
  places: Changed[];
  removed: { place_id: string }[];
}

/** What the database says of itself. */
interface Look {
  /** Its state at this look: which transactions are over. */
  snapshot: string;
  imports: string;
  source: string;
  /** Whether it knows of the build. */
  known: boolean;
  started: string;
  many: number;
}

/** So many places are taken in between two turns of the event loop, because requests wait meanwhile. */
const PLACES_PER_TURN = 100;
/** So many changes since the build make a new one worth its while, in a small directory and in a large one. */
const DUE_MIN = 2_000;
const DUE_SHARE = 0.1;

/**
 * Follows the record by the transactions that wrote it: what was written by one that the last look did not see the end of
 * is new. Nothing comes twice, because a place that is taken in anew moves to another rank among its equals.
 */
export function followChanges(
  pool: Pool,
  generation: Generation,
  clock: Clock,
  verifiedMs: number,
): Follower {
  const { built, fresh } = generation;
  const places = new FreshPlaces(generation, clock.now());
  const [build, source, imports] = ['build', 'source', 'imports'].map((name) => built.segment.meta(name));
  const dueAfter = Math.max(DUE_MIN, Number(built.segment.meta('places') ?? 0) * DUE_SHARE);
  let snapshot = built.segment.meta('snapshot') ?? '';
  let started: string | undefined;

  /** Many places are taken in part by part; each part is whole, so that searches may come in between. */
  const takeIn = async ({ places: changed, removed }: Changes) => {
    const all = [
      ...removed.map(({ place_id }) => ({ id: place_id, place: undefined })),
      ...changed.map((place) => ({ id: place.id, place: place.closed ? undefined : place })),
    ];
    for (let at = 0; at < all.length; at += PLACES_PER_TURN) {
      if (at > 0) await setImmediate();
      if (generation.closed) return;
      places.takeIn(all.slice(at, at + PLACES_PER_TURN));
      fresh.changed();
      generation.changes++;
    }
  };

  return {
    generation,
    async catchUp(limit) {
      const since = new Date(clock.now().getTime() - verifiedMs);
      const { look, changes } = await readChanges(pool, { build: build ?? '', snapshot, since, limit });
      if (generation.closed) return 'settled';
      if (look.source !== source || !look.known) return 'foreign';
      if ((started ??= look.started) !== look.started) return 'restarted';
      if (changes === undefined) return 'behind';
      await places.learnDestinations(pool, changes.places);
      await takeIn(changes);
      snapshot = look.snapshot;
      return look.imports === imports && places.changed <= dueAfter ? 'settled' : 'due';
    },
  };
}

interface ChangeQuery {
  build: string;
  snapshot: string;
  since: Date;
  limit: number;
}

/**
 * How far the database is, and what changed since a snapshot; undefined where that is more than the limit. Rows that
 * came from another server may name transactions that this one has not reached: they tell of no change.
 */
function readChanges(
  pool: Pool,
  { build, snapshot, since, limit }: ChangeQuery,
): Promise<{ look: Look; changes: Changes | undefined }> {
  return pool.begin('isolation level repeatable read read only', async (sql) => {
    const [look] = await sql.unsafe<Look[]>(
      `select pg_current_snapshot()::text as snapshot, (select imports::text from directory_import) as imports,
              ${SOURCE_SQL} as source, exists (select 1 from index_build where id = $2) as known,
              pg_postmaster_start_time()::text as started,
              (select count(*)::int from (select 1 from place where ${CHANGED_SQL} limit $3) few) as many`,
      [snapshot, build, Math.min(limit, 2e9) + 1],
    );
    if (look === undefined) throw new Error('PostgreSQL gave no snapshot.');
    if (look.many > limit) return { look, changes: undefined };
    // In the order of a build, which tells equals apart by their ids.
    const places = await sql.unsafe<Changed[]>(
      `select ${PLACE_ROW_SQL}, closed_at is not null as closed from place
       where ${CHANGED_SQL.replaceAll('$1', '$2')} order by id`,
      [since, snapshot],
    );
    const removed = await sql.unsafe<{ place_id: string }[]>(
      `select place_id from place_removed r where ${CHANGED_SQL}
       and not exists (select 1 from place p where p.id = r.place_id)`,
      [snapshot],
    );
    return { look, changes: { places, removed } };
  });
}

const CHANGED_SQL = `changed_by >= pg_snapshot_xmin($1::pg_snapshot)
  and not pg_visible_in_snapshot(changed_by, $1::pg_snapshot)
  and changed_by < pg_snapshot_xmax(pg_current_snapshot())`;
