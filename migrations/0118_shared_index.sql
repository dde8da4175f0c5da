-- Copies of the search index in the storage that all nodes see. A node fetches one instead of building its own. The
-- parts of a file are the objects index/{id}/0, 1, …
create table shared_index (
  id          uuid primary key default gen_random_uuid(),
  -- Version of the file and type of machine. Only nodes of the same format can use it.
  format      text not null,
  -- The tables that it was built from, see change_source.
  source      text not null default change_source(),
  begun_at    timestamptz not null default now(),
  bytes       bigint not null constraint shared_index_bytes check (bytes > 0),
  -- The rest is known when every part is stored.
  finished_at timestamptz,
  places      integer,
  -- The transactions that it contains.
  position    pg_snapshot,
  -- SHA-256 of each part.
  part_sums   text[],
  constraint shared_index_finished check (
    case when finished_at is null then num_nulls(places, position, part_sums) = 3
         else num_nulls(places, position, part_sums) = 0 and cardinality(part_sums) > 0 end)
);

-- The node that builds or shares the index of a format. Others wait until it has ended, or has not renewed its lease.
create table index_lease (
  format text primary key,
  holder uuid not null,
  until  timestamptz not null
);
