import type { Db } from '../../../core/postgres/db.ts';
import { listSources } from '../../../directory/place/list-sources.ts';
import { fetchBatches } from '../../fetch-batches.ts';
import { matchSide } from '../../match/match-side.ts';
import { surroundingNames } from './surrounding-names.ts';
import type { MatchCandidate, DraftToMatch } from './choose-match.ts';

interface SourceMatchCounts {
  /** Objects that are places of other sources. */
  matched: number;
  /** Matched objects whose match is too uncertain to apply their data. */
  silent: number;
}

interface Near extends DraftToMatch {
  seq: number;
  nearby: MatchCandidate[];
}

// Comparing more at a time could take longer than the database lets a transaction idle.
const FETCHED_DRAFTS = 100;
const CANDIDATES_MAX = 100;
// Cells of two hundred metres and their neighbours: two sources place the same door closer together than that.
const cell = (alias: string) => `floor(${alias}.lat * 500)::int as y, floor(${alias}.lng * 500)::int as x`;

const APPLY_REFERENCES = [
  // Two objects of one map that are no longer duplicates become two places.
  `delete from place_reference r using import_draft d, place p
    where d.source = r.source and d.source_ref = r.source_ref and p.id = r.place_id
      and p.source = r.source and d.belongs_to is null and not d.disused`,
  `update import_draft d set belongs_to = r.place_id, contributes = r.contributes
    from place_reference r join place p on p.id = r.place_id
    where r.source = d.source and r.source_ref = d.source_ref and p.source <> d.source`,
];

const PREPARE = [
  `create temp table import_fresh_cell on commit drop as
    select d.seq, d.y + dy as y, d.x + dx as x
    from (
      select d.seq, ${cell('d')} from import_draft d
      where d.destination_id is not null and not d.disused and d.belongs_to is null
        and not exists (select 1 from place p where p.source = d.source and p.source_ref = d.source_ref)) d
    cross join generate_series(-1, 1) as dy cross join generate_series(-1, 1) as dx`,
  'analyze import_fresh_cell',
];

const PAIRS = `
  create temp table import_pair on commit drop as
    select c.seq, p.id as place_id
    from (select p.id, ${cell('p')} from place p
          where p.source = any($1) and p.destination_id = any($2) and p.removed_at is null) p
    join import_fresh_cell c using (y, x)
    union
    -- A place without a position is matched by its phone number or website.
    select d.seq, p.id
    from (select id, country, phone as contact from place where lat is null and removed_at is null and source = any($1)
          union
          select id, country, website from place where lat is null and removed_at is null and source = any($1)) p
    join (select seq, country, phone as contact from import_draft
          union select seq, country, website from import_draft) d using (country, contact)
    where d.seq in (select seq from import_fresh_cell)`;

const NEAR = `
  select d.seq::int as seq, ${matchSide('d')} as side, d.source_ref, d.facts ? 'brand' or (
      select count(*) from import_key k where k.key = d.name_keys[1]) > 1 as chain, n.nearby
  from (
    select c.seq, (
      select jsonb_agg(near.side order by near.metres) from (
        select ${matchSide('p')} || jsonb_build_object('id', p.id, 'source', p.source, 'source_ref', p.source_ref,
            'closed', p.closed_at is not null) as side,
          power(p.lat - own.lat, 2) + power((p.lng - own.lng) * cosd(own.lat), 2) as metres
        from import_pair i join place p on p.id = i.place_id where i.seq = c.seq
        order by metres limit ${CANDIDATES_MAX}) near) as nearby
    from (select distinct seq from import_pair) c join import_draft own on own.seq = c.seq) n
  join import_draft d on d.seq = n.seq
  order by d.seq`;

// Only the best of several objects for one place contributes data, unless another one did so before; $1 is the source.
const APPLY_MATCHES = `
  update import_draft d set belongs_to = m.place_id,
    contributes = m.contributes and m.turn = 1 and not exists (
      select 1 from place_reference r where r.place_id = m.place_id and r.source = $1 and r.contributes)
  from (
    select *, row_number() over (partition by place_id, contributes order by score desc, seq) as turn
    from import_match) m
  where d.seq = m.seq`;

/** Finds objects of this file that other sources have already imported, so that places are not stored twice. */
export async function matchSources(
  tx: Db,
  source: string,
  destinations: readonly string[],
): Promise<SourceMatchCounts> {
  await tx`alter table import_draft add column contributes boolean not null default false`;
  const otherSources = [...(await listSources(tx))].filter(
    (candidate) => candidate !== source && candidate !== 'demo',
  );
  if (otherSources.length === 0) return { matched: 0, silent: 0 };
  for (const statement of [...APPLY_REFERENCES, ...PREPARE]) await tx.unsafe(statement);
  await tx.unsafe(PAIRS, [otherSources, destinations]);
  await tx`create index on import_pair (seq)`;
  await tx`create index on import_key (key)`;
  await tx`analyze import_pair`;
  await storeMatches(tx);
  await tx.unsafe(APPLY_MATCHES, [source]);
  const [counts] = await tx<SourceMatchCounts[]>`
    select count(*)::int as matched, (count(*) filter (where not d.contributes))::int as silent
    from import_draft d join place p on p.id = d.belongs_to and p.source <> d.source`;
  return counts ?? { matched: 0, silent: 0 };
}

async function storeMatches(tx: Db): Promise<void> {
  const { chooseMatch } = await import('./choose-match.ts');
  const named = await surroundingNames(tx);
  await tx`
    create temp table import_match (seq bigint, place_id text, score float8, contributes boolean) on commit drop`;
  const cursor = { cursor: 'near', query: NEAR, rows: FETCHED_DRAFTS };
  for await (const some of fetchBatches<Near>(tx, cursor)) {
    const matches = some.flatMap(({ seq, nearby, side, ...draft }) => {
      const match = chooseMatch({ ...draft, side: named(side) }, nearby.map(named));
      return match === undefined ? [] : [{ seq, ...match }];
    });
    await tx`
      insert into import_match
      select * from jsonb_populate_recordset(null::import_match, ${tx.json(matches)})`;
  }
}
