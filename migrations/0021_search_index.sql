-- What the search indexes of the nodes are held against.

-- How often much of the directory was changed at once. An index of an earlier count is built anew.
create table directory_import (
  one_row boolean primary key default true constraint directory_import_one_row check (one_row),
  imports bigint not null
);
insert into directory_import (imports) values (0);
