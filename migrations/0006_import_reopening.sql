-- An import takes back its own evidence when a place is in the map again.
alter table closure_ended drop constraint closure_ended_by_known;
alter table closure_ended add constraint closure_ended_by_known
  check (ended_by in ('staff','venue','website','import'));
