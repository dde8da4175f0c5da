import type { Db } from '../../../core/postgres/db.ts';
import { mergePlaces } from '../../../directory/place/merge-places.ts';
import { fetchBatches } from '../../fetch-batches.ts';
import { matchSide } from '../../match/match-side.ts';
import type { DuplicateSide } from './duplicate.ts';

interface Ranked {
  seq: number;
  place_id: string | null;
  claimed: boolean;
  told: number;
}

type DraftSide = DuplicateSide & Ranked;

interface Pair {
  a: DraftSide;
  b: DraftSide;
  chain: boolean;
  known: boolean;
}

type Twins = Record<'a' | 'b', Ranked>;

const FETCHED_PAIRS = 1_000;

const DUPLICATE_COLUMNS = ['source_ref', 'vertical', 'categories', 'facts'];

const LIST_KEYS = [
  `create temp table import_key on commit drop as
    select d.seq, key, floor(d.lat * 1000)::int as y, floor(d.lng * 1000)::int as x
    from import_draft d cross join lateral unnest(d.name_keys) key
    where d.destination_id is not null and not d.disused`,
  'analyze import_key',
];

/** SQL for the number of filled fields of a draft. */
const filledCount = (
  d: string,
) => `num_nonnulls(${d}.phone, ${d}.email, ${d}.website, ${d}.hours, ${d}.address, ${d}.booking_url)
  + cardinality(${d}.cuisine) + (select count(*) from jsonb_object_keys(${d}.names))
  + (select count(*) from jsonb_object_keys(${d}.facts))`;

/** SQL for a draft d with its existing place p, if there is one. */
const side = (d: string, p: string) => `
  ${matchSide(d)} || jsonb_build_object('seq', ${d}.seq, 'told', ${filledCount(d)}, 'place_id', ${p}.id,
    'claimed', coalesce(${p}.badge = 'claimed', false) or exists (select 1 from venue_claim c where c.place_id = ${p}.id),
    ${DUPLICATE_COLUMNS.map((column) => `'${column}', ${d}.${column}`).join(', ')})`;
const itsPlace = (d: string, p: string) =>
  `left join place ${p} on ${p}.source = ${d}.source and ${p}.source_ref = ${d}.source_ref`;

// Half of the neighbouring cells suffice, because every pair would otherwise be found from both sides.
const PAIRS = `
  with named as (select key, count(*) as times from import_key group by key having count(*) > 1),
  pairs as (
    select a.seq as a, b.seq as b, bool_or(n.times > 2) as chain
    from named n join import_key a using (key)
    cross join (values (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)) step (dy, dx)
    join import_key b on b.key = a.key and b.y = a.y + dy and b.x = a.x + dx
    where (dy, dx) <> (0, 0) or a.seq < b.seq
    group by a.seq, b.seq)
  select ${side('da', 'pa')} as a, ${side('db', 'pb')} as b,
    chain or da.facts ? 'brand' or da.facts ? 'brand_wikidata' as chain,
    exists (
      select 1 from place_reference r join place p on p.id = r.place_id and p.source = r.source
      where r.source = da.source and ((r.source_ref, p.source_ref) = (da.source_ref, db.source_ref)
        or (r.source_ref, p.source_ref) = (db.source_ref, da.source_ref))) as known
  from pairs join import_draft da on da.seq = pairs.a join import_draft db on db.seq = pairs.b
  ${itsPlace('da', 'pa')} ${itsPlace('db', 'pb')}
  where da.vertical = db.vertical and da.destination_id = db.destination_id and abs(da.lat - db.lat) < 0.001`;

const FILLED = ['latin_name', 'city', 'area', 'address', 'phone', 'email', 'website', 'hours'];
const LISTS = ['cuisine', 'languages', 'accolades'];

/** Fills empty fields of one object from the other, since both come from the same map. */
const FILL = `
  update import_draft k set
    ${FILLED.map((column) => `${column} = coalesce(k.${column}, g.${column})`).join(', ')},
    ${LISTS.map((column) => `${column} = case when k.${column}::text in ('{}', '[]') then g.${column} else k.${column} end`).join(', ')},
    booking_url = coalesce(k.booking_url, g.booking_url),
    booking_platform = case when k.booking_url is null then g.booking_platform else k.booking_platform end,
    names = g.names || k.names, facts = g.facts || k.facts,
    prominence = greatest(k.prominence, g.prominence),
    verified_at = greatest(k.verified_at, g.verified_at), observed_at = greatest(k.observed_at, g.observed_at)
  from jsonb_to_recordset($1::text::jsonb) as t (kept bigint, gone bigint)
  join import_draft g on g.seq = t.gone
  where k.seq = t.kept`;

const BELONG = `
  update import_draft g set belongs_to = coalesce(p.id, k.id)
  from jsonb_to_recordset($1::text::jsonb) as t (kept bigint, gone bigint)
  join import_draft k on k.seq = t.kept left join place p on p.source = k.source and p.source_ref = k.source_ref
  where g.seq = t.gone`;

/**
 * Merges objects of one file that are the same place. It keeps the one that is already in the directory, or else the
 * one with more data. The other's reference then leads to it, and it fills the empty fields. Returns the number of
 * merged objects.
 */
export async function joinDuplicates(tx: Db, now: Date): Promise<number> {
  for (const statement of LIST_KEYS) await tx.unsafe(statement);
  const joined = chooseKept(await readTwins(tx));
  if (joined.length === 0) return 0;
  for (const { kept, gone } of joined) {
    if (gone.place_id === null || kept.place_id === null) continue;
    await mergePlaces(tx, now, { placeId: kept.place_id, mergedId: gone.place_id, staffId: null });
  }
  const turns = Map.groupBy(joined, ({ turn }) => turn);
  for (const turn of turns.values()) await tx.unsafe(FILL, [asRows(turn)]);
  await tx.unsafe(BELONG, [asRows(joined)]);
  return joined.length;
}

/** Keeps only the order of the twins in memory, because a large file has very many pairs with long texts. */
async function readTwins(tx: Db): Promise<Twins[]> {
  const twins: Twins[] = [];
  const cursor = { cursor: 'pairs', query: PAIRS, rows: FETCHED_PAIRS };
  for await (const pairs of fetchBatches<Pair>(tx, cursor)) {
    const { areDuplicates: areTwins } = await import('./duplicate.ts');
    for (const { a, b, chain, known } of pairs) {
      // Two existing places get the stricter rules for chains, because merging them cannot be undone.
      const isChain = chain || (a.place_id !== null && b.place_id !== null);
      if (areTwins(a, b, { known, chain: isChain })) twins.push({ a: rankedOf(a), b: rankedOf(b) });
    }
  }
  return twins;
}

function rankedOf({ seq, place_id, claimed, told }: DraftSide): Ranked {
  return { seq, place_id, claimed, told };
}

interface Joined {
  kept: Ranked;
  gone: Ranked;
  /** Order among several duplicates of one place; each fills what the earlier ones left empty. */
  turn: number;
}

function chooseKept(pairs: readonly Twins[]): Joined[] {
  const ranked = pairs
    .map(({ a, b }) => (rankOf(a, b) <= 0 ? { kept: a, gone: b } : { kept: b, gone: a }))
    .sort((x, y) => rankOf(x.kept, y.kept) || rankOf(x.gone, y.gone));
  const gone = new Set<number>();
  const turns = new Map<number, number>();
  const joined: Joined[] = [];
  for (const pair of ranked) {
    // Two records claimed by two venues are two places.
    if (pair.gone.claimed || gone.has(pair.kept.seq) || gone.has(pair.gone.seq)) continue;
    const turn = (turns.get(pair.kept.seq) ?? 0) + 1;
    turns.set(pair.kept.seq, turn);
    gone.add(pair.gone.seq);
    joined.push({ ...pair, turn });
  }
  return joined;
}

/** Negative when a is the one to keep. */
function rankOf(a: Ranked, b: Ranked): number {
  return (
    Number(b.claimed) - Number(a.claimed) ||
    Number(b.place_id !== null) - Number(a.place_id !== null) ||
    b.told - a.told ||
    a.seq - b.seq
  );
}

function asRows(joined: readonly Joined[]): string {
  return JSON.stringify(joined.map(({ kept: keep, gone: drop }) => ({ kept: keep.seq, gone: drop.seq })));
}
