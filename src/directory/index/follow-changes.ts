import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';
import type { Pool } from '../../core/db.ts';
import { PLACE_ROW_SQL, type PlaceRow } from './document.ts';
import { FreshPlaces } from './fresh-places.ts';
import type { Generation } from './generation.ts';

export interface Follower {
  /** Applies what changed, unless that is more than so many places. */
  catchUp(limit: number): Promise<CaughtUp>;
}

/** Behind: so much changed that only a new build takes it in. Due: what changed was taken in, and a new build pays. */
export type CaughtUp = 'settled' | 'due' | 'behind';

interface Changed extends PlaceRow {
  closed: boolean;
}

interface Changes {
  next: string;
  imports: string;
  places: Changed[];
  removed: { place_id: string }[];
}

/** So many places are taken in between two turns of the event loop, because requests wait meanwhile. */
const PLACES_PER_TURN = 100;
/** So many changes since the build make a new one worth its while, in a small directory and in a large one. */
const DUE_MIN = 2_000;
const DUE_SHARE = 0.1;

/**
 * Follows the record by the transactions that wrote it. Everything written by a transaction that was still open at
 * the last look is read again: a place that comes twice replaces itself.
 */
export function followChanges(
  pool: Pool,
  generation: Generation,
  clock: Clock,
  verifiedMs: number,
): Follower {
  const { built, fresh } = generation;
  const places = new FreshPlaces(generation, clock.now());
  let position = built.segment.meta('position') ?? '0';
  const dueAfter = Math.max(DUE_MIN, Number(built.segment.meta('places') ?? 0) * DUE_SHARE);

  /** Many places are taken in part by part; each part is whole, so that searches may come in between. */
  const takeIn = async ({ places: changed, removed }: Changes) => {
    const all = [
      ...removed.map(({ place_id }) => ({ id: place_id, place: undefined })),
      ...changed.map((place) => ({ id: place.id, place: place.closed ? undefined : place })),
    ];
    for (let at = 0; at < all.length; at += PLACES_PER_TURN) {
      if (at > 0) await setImmediate();
      places.takeIn(all.slice(at, at + PLACES_PER_TURN));
      fresh.changed();
      generation.changes++;
    }
  };

  return {
    async catchUp(limit) {
      const since = new Date(clock.now().getTime() - verifiedMs);
      const changes = await readChanges(pool, position, since, limit);
      if (changes === undefined) return 'behind';
      await places.learnDestinations(pool, changes.places);
      await takeIn(changes);
      position = changes.next;
      const isNew = changes.imports === built.segment.meta('imports');
      return isNew && places.changed <= dueAfter ? 'settled' : 'due';
    },
  };
}

/** What changed since a position, or undefined where it is more than the limit. */
function readChanges(pool: Pool, position: string, since: Date, limit: number): Promise<Changes | undefined> {
  return pool.begin('isolation level repeatable read read only', async (sql) => {
    const [look] = await sql<{ next: string; imports: string; many: number }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as next,
             (select imports::text from directory_import) as imports,
             (select count(*)::int from (select 1 from place where changed_by >= ${position}::xid8 limit ${Math.min(limit, 2e9) + 1}) few) as many`;
    if (look === undefined || look.many > limit) return undefined;
    // In the order of a build, which tells equals apart by their ids.
    const places = await sql.unsafe<Changed[]>(
      `select ${PLACE_ROW_SQL}, closed_at is not null as closed from place where changed_by >= $2::xid8 order by id`,
      [since, position],
    );
    const removed = await sql<{ place_id: string }[]>`
      select place_id from place_removed r where changed_by >= ${position}::xid8
      and not exists (select 1 from place p where p.id = r.place_id)`;
    return { next: look.next, imports: look.imports, places, removed };
  });
}
