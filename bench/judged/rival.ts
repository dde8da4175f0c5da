import type { Pool } from '../../src/core/postgres/db.ts';

const FIRST = 3;

/**
 * What somebody would make of PostgreSQL in an afternoon: full text over names, kinds, kitchens, areas and cities,
 * without accents where it knows how, and trigrams for what that does not find.
 */
export async function makeRival(pool: Pool): Promise<void> {
  await pool.unsafe(`
    create extension if not exists pg_trgm;
    create extension if not exists unaccent;
    create table judged_rival as
      select p.id, d.slug as destination, lower(unaccent(concat_ws(' ', p.name, p.latin_name, others))) as names,
        setweight(to_tsvector('simple', unaccent(concat_ws(' ', p.name, p.latin_name, others))), 'A')
          || setweight(to_tsvector('simple', unaccent(concat_ws(' ', replace(concat_ws(' ', p.vertical, p.category,
            array_to_string(p.categories || p.cuisine, ' ')), '_', ' '), p.area, array_to_string(p.areas, ' '), p.city,
            p.address, d.name))), 'C') as words
      from (select *, (select string_agg(value, ' ') from jsonb_each_text(names)) as others
            from place where closed_at is null) p
        join destination d on d.id = p.destination_id;
    create index on judged_rival using gin (words);
    create index on judged_rival using gin (names gin_trgm_ops);
    analyze judged_rival`);
}

/** All words, the last one perhaps unfinished; then the likest names; then any of the words. */
export async function askRival(
  pool: Pool,
  text: string,
  destination: string | undefined,
  count = FIRST,
): Promise<string[]> {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const within = destination === undefined ? pool`` : pool`and destination = ${destination}`;
  const fullText = (join: string) => pool<{ id: string }[]>`
    select id from judged_rival, to_tsquery('simple', unaccent(${`${words.join(join)}:*`})) as query
    where words @@ query ${within} order by ts_rank(words, query) desc, id limit ${count}`;
  const found = words.length === 0 ? [] : [...(await fullText(' & '))];
  if (found.length < count)
    found.push(
      ...(await pool<{ id: string }[]>`
        select id from judged_rival, lower(unaccent(${text})) as typed
        where typed <% names ${within} order by word_similarity(typed, names) desc, similarity(typed, names) desc, id
        limit ${count}`),
    );
  if (found.length < count && words.length > 1) found.push(...(await fullText(' | ')));
  return [...new Set(found.map(({ id }) => id))].slice(0, count);
}
