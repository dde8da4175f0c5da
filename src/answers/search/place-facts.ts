import type { Db } from '../../core/postgres/db.ts';
import { runningPromotions, type Promotion } from '../../directory/place/place.ts';
import { DAY_MS } from '../../core/time.ts';

/** What the record says about a place beside what the index holds. */
export interface PlaceFacts {
  id: string;
  verified: boolean;
  /** When a person or the source last confirmed the place: by the date of that word, never of its import. */
  observed_at: string;
  hours_observed_at: string | null;
  promotions: Promotion[];
}

interface Row {
  id: string;
  source_at: Date | null;
  verified_at: Date | null;
  updated_at: Date;
  hours_observed_at: string | null;
  promotions: Promotion[];
}

const VERIFIED_MS = 365 * DAY_MS;

/** The facts of places that have not closed meanwhile. */
export async function readFacts(db: Db, ids: readonly string[], now: Date): Promise<Map<string, PlaceFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await db<Row[]>`
    select p.id, p.observed_at as source_at, p.verified_at, p.updated_at, p.hours ->> 'observed_at' as hours_observed_at,
      coalesce((select jsonb_agg(jsonb_build_object('promo_id', o.id, 'title', r.content->>'title',
          'kind', r.content->>'kind', 'detail', r.content->>'detail', 'terms', r.content->>'terms',
          'discount_pct', r.content->'discount_pct', 'starts_at', r.content->>'starts_at',
          'ends_at', r.content->>'ends_at') order by o.created_at)
        from submission b join submission o on o.business_id = b.id and o.live_revision is not null
        join submission_revision r on r.submission_id = o.id and r.revision = o.live_revision
        where b.place_id = p.id and b.live_revision is not null), '[]') as promotions
    from place p where p.id = any(${ids}) and p.closed_at is null`;
  return new Map(rows.map((row) => [row.id, factsOf(row, now)]));
}

function factsOf(row: Row, now: Date): PlaceFacts {
  const { id, source_at, verified_at, updated_at, hours_observed_at, promotions } = row;
  const confirmed = Math.max(source_at?.getTime() ?? 0, verified_at?.getTime() ?? 0);
  return {
    id,
    verified: verified_at !== null && verified_at.getTime() > now.getTime() - VERIFIED_MS,
    observed_at: (confirmed === 0 ? updated_at : new Date(confirmed)).toISOString(),
    hours_observed_at: hours_observed_at === null ? null : new Date(hours_observed_at).toISOString(),
    promotions: runningPromotions({ promotions }, now),
  };
}
