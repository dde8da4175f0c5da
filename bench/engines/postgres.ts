import type { Pool } from '../../src/core/postgres/db.ts';
import { askAll, type Doc, type Engine, LIMIT, type Query, type Run } from './engine.ts';

const BATCH = 5_000;

/** The same documents in a table of PostgreSQL, with the weights that its manual gives names and the rest. */
export async function makePostgresDocs(pool: Pool, docs: readonly Doc[]): Promise<number> {
  const startedAt = performance.now();
  await pool.unsafe(`
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create table engine_doc (id int primary key, destination text not null, rank int not null, words tsvector not null,
      text text not null)`);
  for (let at = 0; at < docs.length; at += BATCH) {
    const part = JSON.stringify(docs.slice(at, at + BATCH));
    await pool`
      insert into engine_doc
      select id, destination, rank,
        setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', other_names), 'B')
          || setweight(to_tsvector('simple', kinds), 'C') || setweight(to_tsvector('simple', area), 'D'),
        concat_ws(' ', name, other_names, kinds, area)
      from jsonb_to_recordset(${part}::text::jsonb)
        as d (id int, destination text, name text, other_names text, kinds text, area text, rank int)`;
  }
  await pool.unsafe(`
    create index engine_words on engine_doc using gin (destination, words);
    create index engine_trigrams on engine_doc using gin (destination, text gin_trgm_ops);
    analyze engine_doc`);
  return (performance.now() - startedAt) / 1000;
}

/** All words, the last one may be unfinished; any of them where all find nothing. */
function fullText(pool: Pool): Engine {
  const ask = (words: readonly string[], join: string, destination: string | undefined) => pool<
    { id: number }[]
  >`
    select id from engine_doc, to_tsquery('simple', ${`${words.join(join)}:*`}) as query
    where words @@ query ${destination === undefined ? pool`` : pool`and destination = ${destination}`}
    order by ts_rank(words, query) desc, rank desc limit ${LIMIT}`;
  return {
    search: async ({ words, destination }) => {
      let rows: readonly { id: number }[] = await ask(words, ' & ', destination);
      if (rows.length === 0) rows = await ask(words, ' | ', destination);
      return rows.map(({ id }) => id);
    },
  };
}

function trigrams(pool: Pool): Engine {
  return {
    search: async ({ words, destination }) => {
      const typed = words.join(' ');
      const rows = await pool<{ id: number }[]>`
        select id from engine_doc
        where ${typed} <% text ${destination === undefined ? pool`` : pool`and destination = ${destination}`}
        order by word_similarity(${typed}, text) desc, rank desc limit ${LIMIT}`;
      return rows.map(({ id }) => id);
    },
  };
}

export async function runPostgres(
  pool: Pool,
  way: 'full text' | 'trigrams',
  { judged, drawn }: { judged: readonly Query[]; drawn: readonly Query[] },
  build_seconds: number,
): Promise<Run> {
  const [size] = await pool<{ mb: number }[]>`
    select (pg_relation_size('engine_doc')
      + pg_relation_size(${way === 'full text' ? 'engine_words' : 'engine_trigrams'}::text::regclass)) / 2.0 ^ 20 as mb`;
  const asked = await askAll(way === 'full text' ? fullText(pool) : trigrams(pool), judged, drawn);
  return { ...asked, build_seconds, size_mb: Number(size?.mb), size_of: 'table and index' };
}
