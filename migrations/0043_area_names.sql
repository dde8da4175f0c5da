-- A question names an area: whether it has a boundary tells what may be said about what lies in it.
create index area_names on area (name);
