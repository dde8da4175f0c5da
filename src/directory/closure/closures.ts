import { z } from 'zod';
import { closureEvidenceSchema, positionKnownField } from '../place/place-fields.ts';
import { closureStateSet, reopenedBySet } from '../sets/place-sets.ts';
import { placeSourceSet } from '../sets/source-sets.ts';
import { verticalSet } from '../sets/vertical.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import type { Db } from '../../core/postgres/db.ts';
import { SOURCE_URL_SQL } from './source-url.ts';

/** A place that is believed closed, or that was and has reopened. */
export const closureSchema = z.object({
  place_id: z.string(),
  name: z.string(),
  vertical: verticalSet.word.describe('The type of place.'),
  category: z.string().describe('The more specific type.'),
  country: z.string().describe('ISO 3166 alpha-2 code.'),
  destination: z.object({ slug: z.string(), name: z.string() }),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  position_known: positionKnownField,
  source: placeSourceSet.word.describe('Where the record comes from.'),
  source_ref: z.string().describe('The object in that source, such as node/123.'),
  source_url: z.string().nullable().describe('A page that shows the object, or else its position on a map.'),
  state: closureStateSet.schema,
  closed_at: z.string().describe('The date of the evidence. The place may have closed long before.'),
  noted_at: z.string().describe('When the directory recorded it.'),
  evidence: z.array(closureEvidenceSchema).describe('The evidence for the closure.'),
  reopened: z
    .object({ at: z.string(), by: reopenedBySet.schema })
    .nullable()
    .describe('When it was found to be open, and by which source.'),
});

export type ListedClosure = z.output<typeof closureSchema>;

interface ClosuresRequest {
  /** Closed or reopened on or after this day. */
  since?: string | undefined;
  /** Recorded by the directory since this time. */
  noted_since?: string | undefined;
  destinationId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  /** The latest date of closure first, as people read the list. Otherwise the latest recorded comes first, for polling. */
  byDate?: boolean;
  /** Also those of fictional places, for people; programs and editors of other maps never get them. */
  withDemonstration?: boolean;
}

export interface ClosuresPage {
  closures: ListedClosure[];
  next_cursor: string | null;
}

interface Position {
  at: string;
  id: string;
}

const CURSOR = { recorded: 'closures', date: 'closures by date' };

const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const evidenceOf = (rows: string) => `(
  select jsonb_agg(jsonb_build_object('kind', o.kind, 'source_url', o.source_url, 'note', o.note,
    'observed_at', ${moment('o.observed_at')}) order by o.observed_at desc, o.kind) from ${rows})`;

/** The time of the evidence; of a place that is open again, of the evidence that has ended. */
const CLOSED_AT = `case when n.ended
  then (select min(o.observed_at) from closure_ended o where o.place_id = p.id and o.ended_at = n.at) else p.closed_at end`;
const SORT_KEY = `case when $8 then ${CLOSED_AT} else n.at end`;

// A place has one entry: its latest evidence, or the reopening after it.
const CLOSURES = `
  with news as (
    select e.place_id, max(e.noted_at) as at, false as ended from closure_evidence e group by e.place_id
    union all
    select e.place_id, max(e.ended_at), true from closure_ended e group by e.place_id)
  select p.id as place_id, p.name, p.vertical, p.category, p.country, p.lat, p.lng, p.lat is not null as position_known, p.source, p.source_ref,
    ${SOURCE_URL_SQL} as source_url, jsonb_build_object('slug', d.slug, 'name', d.name) as destination,
    case when n.ended then 'reopened' else 'closed' end as state, (${SORT_KEY})::text as exact,
    ${moment(`(${CLOSED_AT})`)} as closed_at,
    ${moment('n.at')} as noted_at,
    case when n.ended then ${evidenceOf('closure_ended o where o.place_id = p.id and o.ended_at = n.at')}
      else ${evidenceOf('closure_evidence o where o.place_id = p.id')} end as evidence,
    case when n.ended then jsonb_build_object('at', ${moment('n.at')}, 'by',
      (select o.ended_by from closure_ended o where o.place_id = p.id and o.ended_at = n.at limit 1)) end as reopened
  from news n join place p on p.id = n.place_id join destination d on d.id = p.destination_id
  where (p.source <> 'demo' or $7) and p.removed_at is null and n.ended = (p.closed_at is null)
    and ($1::timestamptz is null or coalesce(p.closed_at, n.at) >= $1)
    and ($2::timestamptz is null or n.at >= $2)
    and ($3::text is null or p.destination_id = $3)
    and ($4::text is null or (${SORT_KEY}, p.id) < ($4::text::timestamptz, $5::text))
  order by ${SORT_KEY} desc, p.id desc limit $6`;

export async function listClosuresOf(
  db: Db,
  secret: Buffer,
  {
    since,
    noted_since,
    destinationId,
    limit,
    cursor,
    byDate = false,
    withDemonstration = false,
  }: ClosuresRequest,
): Promise<ClosuresPage> {
  const purpose = byDate ? CURSOR.date : CURSOR.recorded;
  const after = cursor === undefined ? undefined : (decodeCursor(secret, purpose, cursor) as Position);
  const rows = await db.unsafe<(ListedClosure & { exact: string })[]>(
    CLOSURES,
    [
      dayOf(since),
      dayOf(noted_since),
      destinationId ?? null,
      after?.at ?? null,
      after?.id ?? null,
      limit + 1,
      withDemonstration,
      byDate,
    ],
    { prepare: true },
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    closures: page.map(({ exact: _, ...closure }) => closure),
    next_cursor:
      rows.length > limit && last !== undefined
        ? encodeCursor(secret, purpose, { at: last.exact, id: last.place_id } satisfies Position)
        : null,
  };
}

const LAST_MS = Date.UTC(9999, 11, 31);

/** Clamps a time to 1970 to 9999: PostgreSQL has no year 0, and does not parse later years. */
function dayOf(text: string | undefined): string | null {
  return text === undefined ? null : new Date(Math.min(Math.max(0, Date.parse(text)), LAST_MS)).toISOString();
}
