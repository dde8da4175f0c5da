-- The name of a file that the first node has put into the photo store. A node that does not find it there looks at another
-- store than the others do. It belongs to a store and not to the record: no backup holds it.
create table photo_store (
  one   boolean primary key default true constraint photo_store_one_row check (one),
  probe text not null constraint photo_store_probe_form check (probe ~ '^[0-9a-f]{32}$')
);
