import { renameSync, rmSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { SharedHours } from './index-row.ts';
import { readDirectory, type BuildTask, type RowSink, type Snapshot } from './read-places.ts';
import { unpackRows, type RowBatch } from './row-batch.ts';
import { INDEX_VERSION, Segment } from './segment.ts';
import { DestinationBits, SegmentWriter } from './segment-writer.ts';
import { writeSpelling } from './spelling.ts';

export interface BuildReport {
  places: number;
  position: string;
  total: number;
}

const PLACES_PER_TRANSACTION = 200_000;

/** A new index file while it is written. It gets its name when it is whole. */
class IndexFile implements RowSink {
  readonly #file: string;
  readonly #draft: string;
  readonly #segment: Segment;
  readonly #writer: SegmentWriter;
  readonly #progress: (done: number, total: number) => void;
  readonly #bits = new Map<number, DestinationBits>();
  readonly #openIn = new Map<number, SharedHours['open']>();
  #snapshot: Snapshot | undefined;
  #places = 0;

  constructor(file: string, progress: (done: number, total: number) => void) {
    this.#file = file;
    this.#draft = `${file}.part`;
    rmSync(this.#draft, { force: true });
    this.#segment = Segment.create(this.#draft);
    this.#writer = new SegmentWriter(this.#segment);
    this.#progress = progress;
  }

  begin(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#segment.db.exec('begin');
    for (const destination of snapshot.destinations) this.#writer.addDestination(destination);
  }

  write(batch: RowBatch): void {
    this.#writer.addHours(batch.newHours);
    for (const { id, open } of batch.newHours) this.#openIn.set(id, open);
    for (const row of unpackRows(batch)) {
      let own = this.#bits.get(row.destination);
      if (own === undefined) this.#bits.set(row.destination, (own = new DestinationBits()));
      this.#writer.add(row, own.add(row.rowid, row.hoursUntil === 0 ? null : row.hours));
      if (++this.#places % PLACES_PER_TRANSACTION === 0) this.#segment.db.exec('commit; begin');
    }
    this.#progress(this.#places, this.#snapshot?.total ?? 0);
  }

  finish(words: Map<string, number>): void {
    const segment = this.#segment;
    const { position, system } = this.#known();
    for (const [number, own] of this.#bits) own.write(segment, number, this.#openIn);
    writeSpelling(segment, words);
    const meta = { version: String(INDEX_VERSION), position, system, places: String(this.#places) };
    for (const [name, value] of Object.entries(meta))
      segment.statement('insert into meta values (?, ?)').run(name, value);
    segment.db.exec(
      "insert into token (token) values ('optimize'); create index doc_place on doc (place_id)",
    );
    segment.db.exec('commit');
  }

  /** Closes the file and puts it in its place. */
  close(): BuildReport {
    const { position, total } = this.#known();
    this.#segment.close();
    renameSync(this.#draft, this.#file);
    return { places: this.#places, position, total };
  }

  #known(): Snapshot {
    if (this.#snapshot === undefined) throw new Error('An index was finished that had not begun.');
    return this.#snapshot;
  }
}

/** Writes a new index file from one snapshot of the record, best places first. */
export async function buildIndex(
  task: BuildTask,
  progress: (done: number, total: number) => void,
): Promise<BuildReport> {
  const file = new IndexFile(task.file, progress);
  await readDirectory(task, file);
  return file.close();
}

type FromReader = { snapshot: Snapshot } | { batch: RowBatch } | { words: Map<string, number> };

/** The same with a thread of its own for reading: to make the rows takes as long as to write them. */
async function buildWithReader(
  task: BuildTask,
  progress: (done: number, total: number) => void,
): Promise<BuildReport> {
  const file = new IndexFile(task.file, progress);
  const reader = new Worker(new URL('read-places.ts', import.meta.url), {
    workerData: { role: 'reader', task },
  });
  await new Promise<void>((resolve, reject) => {
    reader.on('message', (message: FromReader) => {
      if ('snapshot' in message) file.begin(message.snapshot);
      else if ('batch' in message) file.write(message.batch);
      else file.finish(message.words);
      reader.postMessage('written');
      if ('words' in message) resolve();
    });
    reader.once('error', reject);
    reader.once('exit', () => {
      reject(new Error('The reader of the index ended early.'));
    });
  });
  return file.close();
}

if (!isMainThread && parentPort !== null && (workerData as { role?: string }).role === 'writer') {
  const port = parentPort;
  const { task } = workerData as { task: BuildTask };
  const report = await buildWithReader(task, (done, total) => {
    port.postMessage({ done, total });
  });
  port.postMessage({ report });
}
