-- A living node says in its sign of life which of its kinds of jobs stand still, so that the console of any node shows it.

alter table job_runner
  add column node          text,
  add column kind          text,
  add column stalled_since timestamptz;
