import { renameSync, rmSync } from 'node:fs';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { connect } from '../../core/db.ts';
import { PLACE_ROW_SQL, type PlaceRow } from './document.ts';
import { SCORE_SQL } from './rank.ts';
import { INDEX_VERSION, Segment } from './segment.ts';
import { DestinationBits, SegmentWriter, type IndexedDestination } from './segment-writer.ts';
import { writeSpelling } from './spelling.ts';

export interface BuildTask {
  databaseUrl: string;
  file: string;
  nowMs: number;
  verifiedSinceMs: number;
}

export interface BuildReport {
  places: number;
  position: string;
  total: number;
}

const ROWS_AT_ONCE = 5000;
const PLACES_PER_TRANSACTION = 200_000;

/** Writes a new index file from one snapshot of the record, best places first. Runs in a worker thread. */
export async function buildIndex(
  task: BuildTask,
  progress: (done: number, total: number) => void,
): Promise<BuildReport> {
  const pool = connect(task.databaseUrl, { max: 1, statementTimeoutMs: 0 });
  const draft = `${task.file}.part`;
  rmSync(draft, { force: true });
  const segment = Segment.create(draft);
  try {
    const report = await pool.begin('isolation level repeatable read read only', async (sql) => {
      const [snapshot] = await sql<{ position: string; system: string; total: number }[]>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as position,
               (select system_identifier::text from pg_control_system()) || '/' || current_database() as system,
               (select count(*)::int from place where closed_at is null) as total`;
      if (snapshot === undefined) throw new Error('The database gave no snapshot.');
      const destinations = await sql<
        Omit<IndexedDestination, 'number'>[]
      >`select id, slug, timezone from destination order by id`;
      const writer = new SegmentWriter(segment, new Date(task.nowMs), 1);
      const byId = new Map(destinations.map((row, i) => [row.id, { ...row, number: i + 1 }]));
      for (const destination of byId.values()) writer.addDestination(destination);
      await sql`set local work_mem = '256MB'`;
      const rows = sql
        .unsafe<PlaceRow[]>(
          `select ${PLACE_ROW_SQL} from place where closed_at is null order by ${SCORE_SQL} desc, id`,
          [new Date(task.verifiedSinceMs)],
        )
        .cursor(ROWS_AT_ONCE);
      const places = await writePlaces(segment, writer, byId, rows, (done) => {
        progress(done, snapshot.total);
      });
      const { position, system, total } = snapshot;
      for (const [name, value] of Object.entries({
        version: String(INDEX_VERSION),
        position,
        system,
        places: String(places),
      })) {
        segment.statement('insert into meta values (?, ?)').run(name, value);
      }
      return { places, position, total };
    });
    segment.db.exec('create index doc_place on doc (place_id)');
    segment.close();
    renameSync(draft, task.file);
    return report;
  } finally {
    await pool.end();
  }
}

async function writePlaces(
  segment: Segment,
  writer: SegmentWriter,
  destinations: Map<string, IndexedDestination>,
  batches: AsyncIterable<PlaceRow[]>,
  progress: (done: number) => void,
): Promise<number> {
  const bits = new Map<number, DestinationBits>();
  const words = new Map<string, number>();
  let places = 0;
  segment.db.exec('begin');
  for await (const batch of batches) {
    for (const place of batch) {
      const destination = destinations.get(place.destination_id);
      if (destination === undefined) continue;
      let own = bits.get(destination.number);
      if (own === undefined) bits.set(destination.number, (own = new DestinationBits()));
      const added = writer.add(place, destination, own.rowids.length);
      own.add(added.rowid, added.open);
      for (const word of added.words) words.set(word, (words.get(word) ?? 0) + 1);
      if (++places % PLACES_PER_TRANSACTION === 0) segment.db.exec('commit; begin');
    }
    progress(places);
  }
  for (const [number, own] of bits) own.write(segment, number);
  writeSpelling(segment, words);
  segment.db.exec('commit');
  return places;
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const report = await buildIndex(workerData as BuildTask, (done, total) => {
    port.postMessage({ done, total });
  });
  port.postMessage({ report });
}
