import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import type { Db } from '../../core/postgres/db.ts';
import { SOURCE_URL_SQL } from './source-url.ts';

/** A place that is believed closed, or that was and has reopened. */
export interface ListedClosure {
  place_id: string;
  name: string;
  vertical: string;
  category: string;
  country: string;
  destination: { slug: string; name: string };
  lat: number | null;
  lng: number | null;
  position_known: boolean;
  source: string;
  source_ref: string;
  source_url: string | null;
  state: 'closed' | 'reopened';
  closed_at: string;
  noted_at: string;
  evidence: ClosureEvidence[];
  reopened: { at: string; by: 'staff' | 'venue' | 'website' | 'import' } | null;
}

interface ClosureEvidence {
  kind: 'website_dead' | 'published_report' | 'venue_said';
  source_url: string | null;
  note: string;
  observed_at: string;
}

export interface ClosuresRequest {
  /** Closed or reopened on or after this day. */
  since?: string | undefined;
  /** Recorded by the directory since this time. */
  noted_since?: string | undefined;
  destinationId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface ClosuresPage {
  closures: ListedClosure[];
  next_cursor: string | null;
}

interface Position {
  at: string;
  id: string;
}

const CURSOR = 'closures';

const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const evidenceOf = (rows: string) => `(
  select jsonb_agg(jsonb_build_object('kind', o.kind, 'source_url', o.source_url, 'note', o.note,
    'observed_at', ${moment('o.observed_at')}) order by o.observed_at desc, o.kind) from ${rows})`;

// A place has one entry: its latest evidence, or the reopening after it. Demonstration places are excluded.
const CLOSURES = `
  with news as (
    select e.place_id, max(e.noted_at) as at, false as ended from closure_evidence e group by e.place_id
    union all
    select e.place_id, max(e.ended_at), true from closure_ended e group by e.place_id)
  select p.id as place_id, p.name, p.vertical, p.category, p.country, p.lat, p.lng, p.lat is not null as position_known, p.source, p.source_ref,
    ${SOURCE_URL_SQL} as source_url, jsonb_build_object('slug', d.slug, 'name', d.name) as destination,
    case when n.ended then 'reopened' else 'closed' end as state, n.at::text as exact,
    case when n.ended then (select ${moment('min(o.observed_at)')} from closure_ended o where o.place_id = p.id and o.ended_at = n.at)
      else ${moment('p.closed_at')} end as closed_at,
    ${moment('n.at')} as noted_at,
    case when n.ended then ${evidenceOf('closure_ended o where o.place_id = p.id and o.ended_at = n.at')}
      else ${evidenceOf('closure_evidence o where o.place_id = p.id')} end as evidence,
    case when n.ended then jsonb_build_object('at', ${moment('n.at')}, 'by',
      (select o.ended_by from closure_ended o where o.place_id = p.id and o.ended_at = n.at limit 1)) end as reopened
  from news n join place p on p.id = n.place_id join destination d on d.id = p.destination_id
  where p.source <> 'demo' and p.removed_at is null and n.ended = (p.closed_at is null)
    and ($1::timestamptz is null or coalesce(p.closed_at, n.at) >= $1)
    and ($2::timestamptz is null or n.at >= $2)
    and ($3::text is null or p.destination_id = $3)
    and ($4::text is null or (n.at, p.id) < ($4::text::timestamptz, $5::text))
  order by n.at desc, p.id desc limit $6`;

/** Lists closed and reopened places, most recently recorded first. */
export async function listClosuresOf(
  db: Db,
  secret: Buffer,
  { since, noted_since, destinationId, limit, cursor }: ClosuresRequest,
): Promise<ClosuresPage> {
  const after = cursor === undefined ? undefined : (decodeCursor(secret, CURSOR, cursor) as Position);
  const rows = await db.unsafe<(ListedClosure & { exact: string })[]>(
    CLOSURES,
    [
      dayOf(since),
      dayOf(noted_since),
      destinationId ?? null,
      after?.at ?? null,
      after?.id ?? null,
      limit + 1,
    ],
    { prepare: true },
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    closures: page.map(({ exact: _, ...closure }) => closure),
    next_cursor:
      rows.length > limit && last !== undefined
        ? encodeCursor(secret, CURSOR, { at: last.exact, id: last.place_id } satisfies Position)
        : null,
  };
}

const LAST_MS = Date.UTC(9999, 11, 31);

/** Clamps a time to 1970 to 9999: PostgreSQL has no year 0, and does not parse later years. */
function dayOf(text: string | undefined): string | null {
  return text === undefined ? null : new Date(Math.min(Math.max(0, Date.parse(text)), LAST_MS)).toISOString();
}
