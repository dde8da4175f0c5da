import type { Db } from '../../core/postgres/db.ts';
import type { Progress } from '../../core/progress.ts';
import { fetchBatches } from '../fetch-batches.ts';
import { findMatch } from '../match/find-match.ts';
import { matchSide, type MatchSide, matchRecord } from '../match/match-side.ts';
import type { EnrichmentRow } from './enrichment-row.ts';

export interface MatchCounts {
  matched: number;
  unmatched: number;
  /** Rows that fit two places equally well, or a place that another row fits better. */
  ambiguous: number;
}

interface Candidates {
  n: number;
  said: EnrichmentRow;
  nearby: (MatchSide & { id: string })[];
}

const FETCHED_ROWS = 200;
const CELLS_PER_DEGREE = 200;

// Cells of half a kilometre, including their neighbours. The easternmost cell is adjacent to the westernmost.
const cell = (alias: string) =>
  `floor(${alias}.lat * ${CELLS_PER_DEGREE})::int as y, floor(${alias}.lng * ${CELLS_PER_DEGREE})::int as x`;
const CELLS_ROUND = 360 * CELLS_PER_DEGREE;

const PREPARE = [
  `create temp table enrich_cell on commit drop as
    select r.n, r.y + dy as y, mod(r.x + dx + ${CELLS_ROUND}, ${CELLS_ROUND}) as x
    from (select n, ${cell('e')} from enrich_row e) r
    cross join generate_series(-1, 1) as dy cross join generate_series(-1, 1) as dx`,
  'analyze enrich_cell',
  // Makes one pass over all places, regardless of the number of rows.
  `create temp table enrich_pair on commit drop as
    select c.n, p.id as place_id
    from (select id, y, mod(x + ${CELLS_ROUND}, ${CELLS_ROUND}) as x
          from (select p.id, ${cell('p')} from place p where p.closed_at is null) cells) p
    join enrich_cell c using (y, x)`,
  'create index on enrich_pair (n)',
  'analyze enrich_pair',
];

const CANDIDATES = `
  select r.n, r.said, coalesce(
    (select jsonb_agg(${matchSide('p')} || jsonb_build_object('id', p.id))
     from enrich_pair c join place p on p.id = c.place_id where c.n = r.n), '[]') as nearby
  from enrich_row r order by r.n`;

export async function matchRows(tx: Db, rows: number, progress: Progress): Promise<MatchCounts> {
  for (const statement of PREPARE) await tx.unsafe(statement);
  const counts: MatchCounts = { matched: 0, unmatched: 0, ambiguous: 0 };
  const best = new Map<string, { n: number; score: number }>();
  let done = 0;
  const cursor = { cursor: 'candidates', query: CANDIDATES, rows: FETCHED_ROWS };
  for await (const some of fetchBatches<Candidates>(tx, cursor)) {
    for (const { n, said: row, nearby } of some) {
      const { match, ambiguous, score } = findMatch(
        matchRecord({ ...row, names: {}, latin_name: null }),
        nearby.map((side) => ({ ...matchRecord(side), id: side.id })),
      );
      const previous = match === null ? undefined : best.get(match.id);
      if (ambiguous || previous !== undefined) counts.ambiguous++;
      else if (match === null) counts.unmatched++;
      if (match !== null && (previous === undefined || score > previous.score))
        best.set(match.id, { n, score });
    }
    progress((done += some.length), rows);
  }
  counts.matched = best.size;
  const matches = [...best].map(([place_id, { n, score }]) => ({ n, place_id, score }));
  await tx`
    update enrich_row r set place_id = f.place_id, score = f.score
    from jsonb_to_recordset(${tx.json(matches)}) as f (n integer, place_id text, score float8) where f.n = r.n`;
  return counts;
}
