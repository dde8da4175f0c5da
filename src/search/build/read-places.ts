import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { copyOut } from '../../core/postgres/copy-out.ts';
import { connect, type Db, type Pool } from '../../core/postgres/db.ts';
import { PLACE_ROW_SQL, type PlaceRow } from './document.ts';
import type { IndexedDestination } from './index-row.ts';
import { SOURCE_SQL } from './index-source.ts';
import { Lexicon, type RowHours } from '../query/lexicon.ts';
import { PLACE_TEXT_SQL, placeOf } from './place-text.ts';
import { SCORE_SQL } from '../query/rank.ts';
import { packHours, type RowBatch } from './row-batch.ts';
import type { SortedTerms } from '../query/terms.ts';

export interface BuildTask {
  databaseUrl: string;
  /** Where the file goes; its checksum and its ending are added. */
  file: string;
  /** Under which the database knows of this build. */
  buildId: string;
  nowMs: number;
  verifiedSinceMs: number;
}

/** What an index is made from: one moment of the record. */
export interface Snapshot {
  /** Which transactions were over, as PostgreSQL writes it. */
  snapshot: string;
  /** Which tables, see SOURCE_SQL. */
  source: string;
  /** How many imports had been noted, see noteImport. */
  imports: string;
  destinations: IndexedDestination[];
}

/** Whoever takes the rows, in this order. What it returns is awaited, so that it is never overrun. */
export interface RowSink {
  begin(snapshot: Snapshot): Promise<void> | void;
  write(batch: RowBatch): Promise<void> | void;
  /** All rows were written; their terms are being put in order meanwhile. */
  end(): Promise<void> | void;
  finish(terms: SortedTerms): Promise<void> | void;
}

const ROWS_AT_ONCE = 1_000;

/** Reads one snapshot of the record, best places first, as rows of the index. */
export async function readDirectory(task: BuildTask, sink: RowSink): Promise<void> {
  const pool = connect(task.databaseUrl, { max: 2, statementTimeoutMs: 0 });
  try {
    await pool.begin('isolation level repeatable read read only', async (sql) => {
      const snapshot = await takeSnapshot(sql);
      await sink.begin(snapshot);
      await sql.unsafe(`set local work_mem = '64MB'; set local parallel_tuple_cost = 0`);
      const [shared] = await sql<{ id: string }[]>`select pg_export_snapshot() as id`;
      await readPlaces({ pool, sql, snapshot: shared?.id ?? '' }, task, snapshot, sink);
    });
  } finally {
    await pool.end();
  }
}

async function takeSnapshot(sql: Db): Promise<Snapshot> {
  const [snapshot] = await sql.unsafe<Omit<Snapshot, 'destinations'>[]>(
    `select pg_current_snapshot()::text as snapshot, ${SOURCE_SQL} as source,
            (select imports::text from directory_import) as imports`,
  );
  if (snapshot === undefined) throw new Error('The database gave no snapshot.');
  const rows = await sql<Omit<IndexedDestination, 'number'>[]>`
    select id, slug, timezone from destination order by id`;
  return { ...snapshot, destinations: rows.map((row, i) => ({ ...row, number: i + 1 })) };
}

/** A transaction, the name of its snapshot, and where others can be had that share it. */
interface SnapshotRead {
  pool: Pool;
  sql: Db;
  snapshot: string;
}

async function readPlaces(
  reading: SnapshotRead,
  task: BuildTask,
  { destinations }: Snapshot,
  sink: RowSink,
): Promise<void> {
  const byId = new Map(destinations.map((destination) => [destination.id, destination]));
  const lexicon = new Lexicon(new Date(task.nowMs));
  const verifiedSince = new Date(task.verifiedSinceMs);
  await takeOrdered(reading.sql, verifiedSince, async (all) => {
    const places = all.map(placeOf);
    const incomplete = await readIncomplete(reading, places, verifiedSince);
    const texts: string[] = [];
    const hours: RowHours[] = [];
    for (const [i, told] of places.entries()) {
      const place = typeof told === 'string' ? incomplete.get(told) : told;
      const destination = place === undefined ? undefined : byId.get(place.destination_id);
      if (place === undefined || destination === undefined) continue;
      texts.push(all[i] ?? '');
      hours.push(lexicon.add(place, destination.number));
    }
    const [terms, newHours] = [lexicon.takeTerms(), lexicon.takeNewHours()];
    await sink.write({ texts, incomplete, hours: packHours(hours), terms, newHours });
  });
  await sink.end();
  await sink.finish(lexicon.terms.sorted());
}

/**
 * The places are sorted whole, by as many processes as the database has for it. To sort their positions and look each up
 * after that spares it a gigabyte on the disk for some millions of places, and costs it twice the time.
 */
function takeOrdered(sql: Db, verifiedSince: Date, take: (texts: string[]) => Promise<void>): Promise<void> {
  const query = `select ${PLACE_TEXT_SQL} from place where closed_at is null order by ${SCORE_SQL} desc, id`;
  const since = `timestamptz '${verifiedSince.toISOString()}'`;
  return copyOut(sql, query.replaceAll('$1', since), ROWS_AT_ONCE, take);
}

/**
 * The few places whose texts do not tell, by their ids. Their columns are asked for over another connection with the same
 * snapshot: this one is in the middle of an answer.
 */
async function readIncomplete(
  { pool, snapshot }: SnapshotRead,
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

const BATCHES_AHEAD = 8;

/** As a thread it sends the rows to the one that writes them, and stays only a few batches ahead. */
if (!isMainThread && parentPort !== null && (workerData as { role?: string }).role === 'reader') {
  const port = parentPort;
  let ahead = 0;
  let wake: (() => void) | undefined;
  port.on('message', () => {
    ahead--;
    wake?.();
  });
  const send = async (message: object, moved: ArrayBuffer[] = []) => {
    port.postMessage(message, moved);
    ahead++;
    while (ahead >= BATCHES_AHEAD) await new Promise<void>((resolve) => (wake = resolve));
  };
  await readDirectory((workerData as { task: BuildTask }).task, {
    begin: (snapshot) => send({ snapshot }),
    write: (batch) => send({ batch }, [batch.hours.buffer, batch.terms.buffer]),
    end: () => send({ ended: true }),
    finish: (terms) => send({ terms }, [terms.bytes.buffer, terms.ends.buffer, terms.order.buffer]),
  });
  port.close();
}
