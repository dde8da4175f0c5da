import type { Clock } from '../../core/clock.ts';
import type { Pool } from '../../core/db.ts';
import { PLACE_ROW_SQL, type PlaceRow } from './document.ts';
import type { Generation } from './generation.ts';
import { rowOf, type IndexedDestination } from './index-row.ts';
import { Lexicon } from './lexicon.ts';
import { FRESH_SERIAL } from './rank.ts';
import { SegmentWriter } from './segment-writer.ts';
import { TERM_NUMBER } from './term-list.ts';

export interface Follower {
  /** Applies what changed; true when so much did that a new build is better. */
  catchUp(limit: number): Promise<boolean>;
  destinationNumber(id: string): number | undefined;
}

interface Changed extends PlaceRow {
  closed: boolean;
}

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
  const { built, fresh, replaced } = generation;
  const writer = new SegmentWriter(fresh.segment);
  const lexicon = new Lexicon(clock.now());
  let serial = FRESH_SERIAL;
  const destinations = new Map<string, IndexedDestination>();
  let position = built.segment.meta('position') ?? '0';
  for (const row of built.segment.statement('select number, id, slug, timezone from destination').all()) {
    const destination = row as unknown as IndexedDestination;
    destinations.set(destination.id, destination);
    writer.addDestination(destination);
  }

  const add = (place: PlaceRow, destination: IndexedDestination) => {
    const row = rowOf(place, destination, lexicon.add(place, destination.number), serial++);
    writer.addHours(lexicon.takeNewHours());
    writer.add(row, 0);
    const tokens = Array.from(lexicon.takeTerms(), (term) => lexicon.terms.textOf(term & TERM_NUMBER));
    writer.addTokens(row.rowid, tokens.join(' '));
  };

  const forget = (placeId: string) => {
    const old = built.segment.rowidOfPlace(placeId);
    if (old !== undefined) replaced.add(old);
    const recent = fresh.segment.rowidOfPlace(placeId);
    if (recent !== undefined) writer.remove(recent);
  };

  const learnDestinations = async () => {
    for (const row of await pool<
      Omit<IndexedDestination, 'number'>[]
    >`select id, slug, timezone from destination order by id`) {
      if (destinations.has(row.id)) continue;
      const destination = { ...row, number: destinations.size + 1 };
      destinations.set(row.id, destination);
      writer.addDestination(destination);
    }
  };

  return {
    destinationNumber: (id) => destinations.get(id)?.number,
    async catchUp(limit) {
      const since = new Date(clock.now().getTime() - verifiedMs);
      const changes = await pool.begin('isolation level repeatable read read only', async (sql) => {
        const [look] = await sql<{ next: string; many: number }[]>`
          select pg_snapshot_xmin(pg_current_snapshot())::text as next,
                 (select count(*)::int from (select 1 from place where changed_by >= ${position}::xid8 limit ${Math.min(limit, 2e9) + 1}) few) as many`;
        if (look === undefined || look.many > limit) return undefined;
        const places = await sql.unsafe<Changed[]>(
          `select ${PLACE_ROW_SQL}, closed_at is not null as closed from place where changed_by >= $2::xid8`,
          [since, position],
        );
        const removed = await sql<{ place_id: string }[]>`
          select place_id from place_removed r where changed_by >= ${position}::xid8
          and not exists (select 1 from place p where p.id = r.place_id)`;
        return { next: look.next, places, removed };
      });
      if (changes === undefined) return true;
      if (changes.places.some((place) => !destinations.has(place.destination_id))) await learnDestinations();
      for (const { place_id } of changes.removed) forget(place_id);
      for (const place of changes.places) {
        forget(place.id);
        const destination = destinations.get(place.destination_id);
        if (!place.closed && destination !== undefined) add(place, destination);
      }
      if (changes.places.length > 0 || changes.removed.length > 0) generation.changes++;
      position = changes.next;
      return false;
    },
  };
}
