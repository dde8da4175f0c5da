import type { Db } from '../../../core/postgres/db.ts';
import { fetchBatches } from '../../fetch-batches.ts';
import { findMatch } from '../../match/find-match.ts';
import { metresApart } from '../../match/metres-apart.ts';
import { matchSide, type MatchSide, matchRecord } from '../../match/match-side.ts';

interface Candidate {
  source_ref: string;
  draft: MatchSide;
}

interface Gone {
  place_id: string;
  place: MatchSide;
  candidates: Candidate[];
}

const FETCHED_PLACES = 200;

// A hundredth of a degree is a kilometre at most; a redrawn place is in the same cell or an adjacent one.
const cell = (alias: string) => `floor(${alias}.lat * 100)::int as y, floor(${alias}.lng * 100)::int as x`;

// A table with statistics of its own: with guessed sizes, the planner would compare everything with everything.
const LIST_FRESH = [
  `create temp table import_fresh on commit drop as
    select d.source_ref, ${cell('d')} from import_draft d
    where d.destination_id is not null and not d.disused and d.belongs_to is null
      and not exists (select 1 from place p where p.source = d.source and p.source_ref = d.source_ref)`,
  'create index on import_fresh (y, x)',
  'analyze import_fresh',
];

const CANDIDATES = `
  select p.id as place_id, ${matchSide('p')} as place, jsonb_agg(
    jsonb_build_object('source_ref', d.source_ref, 'draft', ${matchSide('d')}) order by d.source_ref) as candidates
  from (select v.place_id, ${cell('p')} from import_vanished v join place p on p.id = v.place_id and p.removed_at is null) gone
  cross join generate_series(-1, 1) as dy cross join generate_series(-1, 1) as dx
  join import_fresh f on f.y = gone.y + dy and f.x = gone.x + dx
  join place p on p.id = gone.place_id
  join import_draft d on d.source_ref = f.source_ref
  where abs(d.lat - p.lat) < 0.003 and abs(d.lng - p.lng) < 0.005
  group by p.id order by p.id`;

/** Follows places whose map object was redrawn, so that they keep id, claim, menu and photos. Returns their number. */
export async function followRedrawn(tx: Db): Promise<number> {
  for (const statement of LIST_FRESH) await tx.unsafe(statement);
  const usedRefs = new Set<string>();
  const moves: { place_id: string; source_ref: string }[] = [];
  const cursor = { cursor: 'redrawn', query: CANDIDATES, rows: FETCHED_PLACES };
  for await (const some of fetchBatches<Gone>(tx, cursor)) {
    for (const { place_id, place, candidates } of some) {
      const nearby = candidates
        .filter(({ source_ref }) => !usedRefs.has(source_ref))
        .map(({ draft, source_ref }) => ({ ...matchRecord(draft), source_ref }));
      const match = place.name_generated
        ? redrawnWithoutName(place, candidates)
        : findMatch(matchRecord(place), nearby).match;
      if (match === null || usedRefs.has(match.source_ref)) continue;
      usedRefs.add(match.source_ref);
      moves.push({ place_id, source_ref: match.source_ref });
    }
  }
  if (moves.length === 0) return 0;
  const { count } = await tx`
    update place p set source_ref = moved.source_ref
    from jsonb_to_recordset(${tx.json(moves)}) as moved (place_id text, source_ref text)
    where p.id = moved.place_id`;
  await tx`delete from import_vanished where place_id = any(${moves.map(({ place_id }) => place_id)})`;
  return count;
}

const UNNAMED_METRES_MAX = 30;

/** Returns the only object of the same kind and name beside a place without a name of its own; null if there are more. */
function redrawnWithoutName(place: MatchSide, candidates: readonly Candidate[]): Candidate | null {
  const beside = candidates.filter(
    ({ draft }) =>
      draft.name_generated &&
      draft.category === place.category &&
      (draft.nameless ? place.nameless : draft.name === place.name) &&
      (metresApart(matchRecord(place), matchRecord(draft)) ?? Infinity) <= UNNAMED_METRES_MAX,
  );
  return beside.length === 1 ? (beside[0] ?? null) : null;
}
