-- Every change is taken in by itself, however many come at once: nobody needs to be told of imports any more.
drop table directory_import;
