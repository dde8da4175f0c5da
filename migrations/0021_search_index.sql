-- What the search indexes of the nodes are held against.

-- How often much of the directory was changed at once. An index of an earlier count is built anew.
create table directory_import (
  one_row boolean primary key default true constraint directory_import_one_row check (one_row),
  imports bigint not null
);
insert into directory_import (imports) values (0);

-- Every build of an index notes itself before it reads. A database that does not know the build of an index was put
-- back to a moment before it, so the index tells of what never was.
create table index_build (
  id       uuid primary key default gen_random_uuid(),
  begun_at timestamptz not null default now()
);
