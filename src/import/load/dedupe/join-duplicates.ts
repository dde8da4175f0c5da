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

/** A pair of duplicates, as it is stored until all are known. Ranks are compared from left to right. */
interface Twins {
  kept: number;
  gone: number;
  kept_place: string | null;
  gone_place: string | null;
  gone_claimed: boolean;
  rank: number[];
}

const FETCHED_PAIRS = 1_000;

// A large file has very many duplicates, so they are kept in the database.
const TABLES = [
  `create temp table import_twins (kept bigint, gone bigint, kept_place text, gone_place text, gone_claimed boolean,
    rank bigint[]) on commit drop`,
  'create temp table import_joined (kept bigint, gone bigint, turn integer) on commit drop',
];

const STORE_TWINS = `
  insert into import_twins select * from jsonb_populate_recordset(null::import_twins, $1::text::jsonb)`;
const STORE_JOINED = `
  insert into import_joined select * from jsonb_populate_recordset(null::import_joined, $1::text::jsonb)`;
const TWINS = `
  select kept::int as kept, gone::int as gone, kept_place, gone_place, gone_claimed from import_twins order by rank`;

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
  from import_joined t join import_draft g on g.seq = t.gone
  where k.seq = t.kept and t.turn = $1`;

const BELONG = `
  update import_draft g set belongs_to = coalesce(p.id, k.id)
  from import_joined t
  join import_draft k on k.seq = t.kept left join place p on p.source = k.source and p.source_ref = k.source_ref
  where g.seq = t.gone`;

/**
 * Merges objects of one file that are the same place. It keeps the one that is already in the directory, or else the
 * one with more data. The other's reference then leads to it, and it fills the empty fields. Returns the number of
 * merged objects.
 */
export async function joinDuplicates(tx: Db, now: Date): Promise<number> {
  for (const statement of [...LIST_KEYS, ...TABLES]) await tx.unsafe(statement);
  await storeTwins(tx);
  const { joined, turns } = await chooseKept(tx, now);
  if (joined === 0) return 0;
  for (let turn = 1; turn <= turns; turn++) await tx.unsafe(FILL, [turn]);
  await tx.unsafe(BELONG);
  return joined;
}

async function storeTwins(tx: Db): Promise<void> {
  const cursor = { cursor: 'pairs', query: PAIRS, rows: FETCHED_PAIRS };
  for await (const pairs of fetchBatches<Pair>(tx, cursor)) {
    const { areDuplicates } = await import('./duplicate.ts');
    // Two existing places get the stricter rules for chains, because merging them cannot be undone.
    const twins = pairs.filter(({ a, b, chain, known }) =>
      areDuplicates(a, b, { known, chain: chain || (a.place_id !== null && b.place_id !== null) }),
    );
    await tx.unsafe(STORE_TWINS, [JSON.stringify(twins.map(twinsOf))]);
  }
}

function twinsOf({ a, b }: Pair): Twins {
  const [kept, gone] = isKept(a, b) ? [a, b] : [b, a];
  return {
    ...{ kept: kept.seq, gone: gone.seq, kept_place: kept.place_id, gone_place: gone.place_id },
    ...{ gone_claimed: gone.claimed, rank: [...rankOf(kept), ...rankOf(gone)] },
  };
}

/**
 * Chooses which of two objects to keep, the best pairs first, and merges those that are stored already. Each duplicate
 * of one place has a turn, in which it fills what the earlier ones left empty.
 */
async function chooseKept(tx: Db, now: Date): Promise<{ joined: number; turns: number }> {
  const gone = new Set<number>();
  const turnOf = new Map<number, number>();
  let turns = 0;
  for await (const some of fetchBatches<Twins>(tx, { cursor: 'twins', query: TWINS, rows: FETCHED_PAIRS })) {
    const joined: { kept: number; gone: number; turn: number }[] = [];
    for (const pair of some) {
      // Two records claimed by two venues are two places.
      if (pair.gone_claimed || gone.has(pair.kept) || gone.has(pair.gone)) continue;
      const turn = (turnOf.get(pair.kept) ?? 0) + 1;
      turnOf.set(pair.kept, turn);
      turns = Math.max(turns, turn);
      gone.add(pair.gone);
      joined.push({ kept: pair.kept, gone: pair.gone, turn });
      if (pair.gone_place !== null && pair.kept_place !== null)
        await mergePlaces(tx, now, { placeId: pair.kept_place, mergedId: pair.gone_place, staffId: null });
    }
    await tx.unsafe(STORE_JOINED, [JSON.stringify(joined)]);
  }
  return { joined: gone.size, turns };
}

function isKept(a: Ranked, b: Ranked): boolean {
  const [ranksA, ranksB] = [rankOf(a), rankOf(b)];
  const at = ranksA.findIndex((rank, index) => rank !== ranksB[index]);
  return (ranksA[at] ?? 0) <= (ranksB[at] ?? 0);
}

/** The lower one is the one to keep, compared from left to right. */
function rankOf({ claimed, place_id, told, seq }: Ranked): number[] {
  return [claimed ? 0 : 1, place_id === null ? 1 : 0, -told, seq];
}
