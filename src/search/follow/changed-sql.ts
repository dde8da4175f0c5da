import { REACHED_SQL } from '../../directory/change-sequence.ts';

/** Selects rows written by transactions that a snapshot, the first parameter, did not see as completed. */
export const CHANGED_SQL = `changed_xid >= pg_snapshot_xmin($1::pg_snapshot)
  and not pg_visible_in_snapshot(changed_xid, $1::pg_snapshot)
  and ${REACHED_SQL}`;
