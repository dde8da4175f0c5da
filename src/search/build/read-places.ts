import { copyOut } from '../../core/postgres/copy-out.ts';
import { connect, type Db, type Pool } from '../../core/postgres/db.ts';
import { firstField } from '../../core/postgres/row-text.ts';
import type { NamedArea } from '../areas/area-names.ts';
import { SCORE_SQL } from '../store/rank.ts';
import { parsePlaceText, PLACE_ROW_SQL, PLACE_TEXT_SQL, type PlaceRow } from '../store/place-row.ts';

/** Input of an index build: one database snapshot. */
export interface Snapshot {
  /** The snapshot in PostgreSQL's text form. */
  snapshot: string;
  /** Identifies the tables, see change_source in the migrations. */
  source: string;
  destinations: { id: string; slug: string; timezone: string }[];
  /** Number of places for each score, best first. */
  scores: { score: number; places: number }[];
  areas: NamedArea[];
}

const ROWS_AT_ONCE = 1_000;
/** For two transactions at once. The third connection, for single statements, is never opened. */
const CONNECTIONS_MAX = 3;

/** Reads one database snapshot, one destination after another, the best places of each first. */
export async function readDirectory(
  databaseUrl: string,
  verifiedSince: Date,
  begin: (snapshot: Snapshot) => void,
  take: (places: PlaceRow[]) => void,
): Promise<void> {
  const pool = connect(databaseUrl, { max: CONNECTIONS_MAX, statementTimeoutMs: 0 });
  try {
    await pool.begin('isolation level repeatable read read only', async (sql) => {
      await sql.unsafe(`set local work_mem = '64MB'; set local parallel_tuple_cost = 0`);
      const [shared] = await sql<{ id: string }[]>`select pg_export_snapshot() as id`;
      const order = `destination_id, ${SCORE_SQL} desc, id`;
      const since = `timestamptz '${verifiedSince.toISOString()}'`;
      begin(await takeSnapshot(sql, since));
      const query = `select ${PLACE_TEXT_SQL} from place where closed_at is null order by ${order}`;
      await copyOut(sql, query.replaceAll('$1', since), ROWS_AT_ONCE, async (texts) => {
        // A place whose text cannot be parsed is read by columns, so only its id is kept.
        const places = texts.map((text) => parsePlaceText(text) ?? firstField(text));
        const incomplete = await readIncomplete(pool, shared?.id ?? '', places, verifiedSince);
        take(
          places
            .map((parsed) => (typeof parsed === 'string' ? incomplete.get(parsed) : parsed))
            .filter((place) => place !== undefined),
        );
      });
    });
  } finally {
    await pool.end();
  }
}

async function takeSnapshot(sql: Db, verifiedSince: string): Promise<Snapshot> {
  const [snapshot] = await sql.unsafe<Omit<Snapshot, 'destinations' | 'scores' | 'areas'>[]>(
    `select pg_current_snapshot()::text as snapshot, change_source() as source`,
  );
  if (snapshot === undefined) throw new Error('The database returned no snapshot.');
  const destinations = await sql<Snapshot['destinations']>`
    select id, slug, timezone from destination order by id`;
  const scores = await sql.unsafe<Snapshot['scores']>(
    `select ${SCORE_SQL.replaceAll('$1', verifiedSince)} as score, count(*)::int as places
     from place where closed_at is null group by 1 order by 1 desc`,
  );
  const areas = await sql<NamedArea[]>`select name, names from area order by source, source_ref`;
  return { ...snapshot, destinations, scores, areas };
}

/**
 * Reads the few places whose texts could not be parsed, by id. Uses another connection with the same snapshot, because
 * the first one is in the middle of a COPY.
 */
async function readIncomplete(
  pool: Pool,
  snapshot: string,
  places: readonly (PlaceRow | string)[],
  verifiedSince: Date,
): Promise<Map<string, PlaceRow>> {
  const ids = places.filter((place) => typeof place === 'string');
  if (ids.length === 0) return new Map();
  const rows = await pool.begin('isolation level repeatable read read only', async (sql) => {
    await sql.unsafe(`set transaction snapshot '${snapshot}'`);
    return sql.unsafe<PlaceRow[]>(`select ${PLACE_ROW_SQL} from place where id = any($2)`, [
      verifiedSince,
      ids,
    ]);
  });
  return new Map(rows.map((row) => [row.id, { ...row }]));
}
