import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { connect, queriesSent, type Db, type Pool } from '../../core/db.ts';
import { PLACE_ROW_SQL, type PlaceRow } from './document.ts';
import { RowMaker, type IndexedDestination, type IndexRow } from './index-row.ts';
import { PLACE_TEXT_SQL, placeOf } from './place-text.ts';
import { SCORE_SQL } from './rank.ts';
import { packRows, type RowBatch } from './row-batch.ts';
import type { SortedTerms } from './terms.ts';

export interface BuildTask {
  databaseUrl: string;
  file: string;
  nowMs: number;
  verifiedSinceMs: number;
}

/** What an index is made from: one moment of the record. */
export interface Snapshot {
  position: string;
  system: string;
  total: number;
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
      await sql`set local work_mem = '256MB'`;
      const [shared] = await sql<{ id: string }[]>`select pg_export_snapshot() as id`;
      await readPlaces({ pool, sql, snapshot: shared?.id ?? '' }, task, snapshot, sink);
    });
  } finally {
    await pool.end();
  }
}

async function takeSnapshot(sql: Db): Promise<Snapshot> {
  const [snapshot] = await sql<Omit<Snapshot, 'destinations'>[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as position,
           (select system_identifier::text from pg_control_system()) || '/' || current_database() as system,
           (select count(*)::int from place where closed_at is null) as total`;
  if (snapshot === undefined) throw new Error('The database gave no snapshot.');
  const rows = await sql<Omit<IndexedDestination, 'number'>[]>`
    select id, slug, timezone from destination order by id`;
  return { ...snapshot, destinations: rows.map((row, i) => ({ ...row, number: i + 1 })) };
}

/** A transaction, the name of its snapshot, and where others can be had that share it. */
interface Reading {
  pool: Pool;
  sql: Db;
  snapshot: string;
}

async function readPlaces(
  reading: Reading,
  task: BuildTask,
  { destinations }: Snapshot,
  sink: RowSink,
): Promise<void> {
  const byId = new Map(destinations.map((destination) => [destination.id, destination]));
  const maker = new RowMaker(new Date(task.nowMs), 1);
  const verifiedSince = new Date(task.verifiedSinceMs);
  const texts = orderedTexts(reading.sql, verifiedSince)[Symbol.asyncIterator]();
  // The next rows are asked for before these are worked on, so that the database does not wait for us.
  for (let coming = texts.next(); ;) {
    const read = await coming;
    if (read.done === true) break;
    coming = texts.next();
    await queriesSent();
    const made: IndexRow[] = [];
    for (const place of await placesOf(reading, read.value, verifiedSince)) {
      const destination = byId.get(place.destination_id);
      if (destination !== undefined) made.push(maker.make(place, destination));
    }
    await sink.write(packRows(made, maker.takeTerms(), maker.takeNewHours()));
  }
  await sink.end();
  await sink.finish(maker.terms.sorted());
}

/**
 * The order is found over positions alone: to sort whole places would write gigabytes to the disk. Each place is then
 * looked up by its position: without the inner "offset 0" the planner may join by a hash and lose the order.
 */
function orderedTexts(sql: Db, verifiedSince: Date): AsyncIterable<[string][]> {
  return sql
    .unsafe(
      `select ${PLACE_TEXT_SQL}
       from (select ctid as stands_at from place where closed_at is null order by ${SCORE_SQL} desc, id offset 0) ranked
       cross join lateral (select * from place where ctid = stands_at offset 0) one`,
      [verifiedSince],
    )
    .values()
    .cursor(ROWS_AT_ONCE) as unknown as AsyncIterable<[string][]>;
}

/**
 * In the same order. The few whose text does not tell are asked for by their columns, over another connection with the
 * same snapshot: this one is in the middle of an answer.
 */
async function placesOf(
  { pool, snapshot }: Reading,
  texts: readonly [string][],
  verifiedSince: Date,
): Promise<readonly PlaceRow[]> {
  const places = texts.map(([text]) => placeOf(text));
  const untold = places.filter((place) => typeof place === 'string');
  if (untold.length === 0) return places as PlaceRow[];
  const rows = await pool.begin('isolation level repeatable read read only', async (sql) => {
    await sql.unsafe(`set transaction snapshot '${snapshot}'`);
    return sql.unsafe<PlaceRow[]>(`select ${PLACE_ROW_SQL} from place where id = any($2)`, [
      verifiedSince,
      untold,
    ]);
  });
  const told = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap((place) => (typeof place === 'string' ? (told.get(place) ?? []) : place));
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
    write: (batch) => send({ batch }, [batch.numbers.buffer, batch.terms.buffer]),
    end: () => send({ ended: true }),
    finish: (terms) => send({ terms }, [terms.bytes.buffer, terms.ends.buffer, terms.order.buffer]),
  });
  port.close();
}
