import { totalmem } from 'node:os';
import { setStatementTimeout, type Pool } from '../../src/core/postgres/db.ts';

// A mean that starts from ten reviews of 3.8, as our own rank has it.
const RANK = `(case when verified_at > now() - interval '180 days' then 2048 else 0 end)
  + (case when rating is null then 3.8 else (rating * review_count + 38) / (review_count + 10) end) * 400`;

const CARD = `json_build_object('name', p.name, 'place_id', p.id, 'vertical', vertical, 'category', category,
  'cuisine', cuisine, 'country', country, 'city', city, 'area', area, 'address', address, 'lat', lat, 'lng', lng,
  'rating', rating, 'review_count', review_count, 'price_range', price_range, 'badge', badge)::text`;

/**
 * What somebody would make who has PostgreSQL and nothing else: one row a place with its card ready, in the order of
 * rank inside its destination, and an index for every way to ask.
 */
export async function makePostgresRival(pool: Pool): Promise<void> {
  const [made] = await pool<{ made: boolean }[]>`select to_regclass('bench_place') is not null as made`;
  if (made?.made === true) return;
  await pool.begin(async (tx) => {
    await setStatementTimeout(tx, 0);
    await tx.unsafe(`
      set local maintenance_work_mem = '1GB';
      set local work_mem = '512MB';
      create extension if not exists pg_trgm;
      create extension if not exists btree_gin;
      create extension if not exists unaccent;
      create table bench_place as
        select p.id, destination_id, country, vertical, category, area, rank::int as rank, card,
               array_prepend(vertical, array_prepend(category, categories || cuisine)) as kinds,
               lower(unaccent(p.name)) as name,
               to_tsvector('simple', unaccent(concat_ws(' ', p.name, latin_name, other_names, replace(vertical, '_', ' '),
                 replace(category, '_', ' '), replace(array_to_string(categories || cuisine, ' '), '_', ' '), area))) as words
        from (select *, ${RANK} as rank, ${CARD} as card,
                (select string_agg(value, ' ') from jsonb_each_text(names)) as other_names
              from place p where closed_at is null) p
        order by destination_id, rank desc;
      create index on bench_place using gin (destination_id, kinds, words);
      create index on bench_place using gin (destination_id, name gin_trgm_ops);
      create index on bench_place (destination_id, rank desc);
      create index on bench_place (destination_id, vertical, rank desc);
      create index on bench_place (destination_id, area, rank desc);
      create index on bench_place (rank desc);
      alter table bench_place alter column words set statistics 1000;
      alter table bench_place alter column kinds set statistics 1000;
      analyze bench_place;`);
  });
  await tune(pool);
}

/** As its manual advises: a quarter of the memory for its own buffers, which counts from the next start. */
async function tune(pool: Pool): Promise<void> {
  const quarterMb = Math.min(4096, Math.round(totalmem() / 2 ** 20 / 4));
  await pool.unsafe(`alter system set shared_buffers = '${quarterMb}MB'`);
  await pool.unsafe(`alter system set effective_cache_size = '${2 * quarterMb}MB'`);
  await pool.unsafe(`alter system set work_mem = '32MB'`);
}
