/**
 * Which tables an index is made from: those of another server, another database or a dump that was put in their place
 * are others, although they have the same names. A copy of the server's files is told by index_build and by its start.
 */
export const SOURCE_SQL = `(select system_identifier from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database()) || '/' || to_regclass('place')::oid`;
