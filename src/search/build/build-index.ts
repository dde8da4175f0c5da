import { renameSync, rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { PlaceRow } from './document.ts';
import { checksumOf } from '../store/index-file.ts';
import { rowOf, type IndexedDestination } from './index-row.ts';
import type { SharedHours } from '../query/lexicon.ts';
import { PostingFile } from '../store/posting-file.ts';
import { readDirectory, type BuildTask, type RowSink, type Snapshot } from './read-places.ts';
import { unpack, type RowBatch } from './row-batch.ts';
import { INDEX_VERSION, Segment } from '../store/segment.ts';
import { DestinationBits, SegmentWriter } from '../store/segment-writer.ts';
import { writeSpelling } from '../query/spelling.ts';
import type { SortedTerms } from '../query/terms.ts';
import { WORD_MARK } from '../query/token.ts';
import { TokenPages } from '../store/token-pages.ts';

export interface BuildReport {
  places: number;
  /** Where the finished file is. */
  file: string;
}

const PLACES_PER_TRANSACTION = 200_000;

/** The files that a build works on, of which nothing stays. */
export function draftsOf(file: string): [rows: string, terms: string] {
  return [`${file}.part`, `${file}.terms.part`];
}

/** A new index file while it is written. It gets its name when it is whole. */
class IndexFile implements RowSink {
  readonly #task: BuildTask;
  readonly #draft: string;
  readonly #segment: Segment;
  readonly #writer: SegmentWriter;
  readonly #destinations = new Map<string, IndexedDestination>();
  readonly #bits = new Map<number, DestinationBits>();
  readonly #postings: PostingFile;
  readonly #rowids: number[] = [];
  readonly #openIn = new Map<number, SharedHours['open']>();
  #snapshot: Snapshot | undefined;
  #places = 0;

  constructor(task: BuildTask) {
    this.#task = task;
    const [draft, terms] = draftsOf(task.file);
    this.#draft = draft;
    rmSync(draft, { force: true });
    this.#segment = Segment.create(draft);
    this.#writer = new SegmentWriter(this.#segment);
    this.#postings = new PostingFile(terms);
  }

  begin(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#segment.db.exec('begin');
    for (const destination of snapshot.destinations) {
      this.#destinations.set(destination.id, destination);
      this.#writer.addDestination(destination);
    }
  }

  write(batch: RowBatch): void {
    this.#writer.addHours(batch.newHours);
    for (const { id, open } of batch.newHours) this.#openIn.set(id, open);
    this.#postings.add(batch.terms);
    for (const { place, hours } of unpack(batch)) {
      const row = rowOf(place, this.#destinationOf(place), hours, ++this.#places);
      if (row.rowid <= (this.#rowids.at(-1) ?? -1)) throw new Error('The places do not come by rank.');
      this.#rowids.push(row.rowid);
      let own = this.#bits.get(row.destination);
      if (own === undefined) this.#bits.set(row.destination, (own = new DestinationBits()));
      this.#writer.add(row, own.add(row.rowid, row.hoursUntil === 0 ? null : row.hours));
      if (this.#places % PLACES_PER_TRANSACTION === 0) this.#segment.db.exec('commit; begin');
    }
  }

  end(): void {
    const segment = this.#segment;
    const { snapshot, source, imports } = this.#known();
    for (const [number, own] of this.#bits) own.write(segment, number, this.#openIn);
    const version = String(INDEX_VERSION);
    const build = this.#task.buildId;
    const meta = { version, build, snapshot, source, imports, places: String(this.#places) };
    for (const [name, value] of Object.entries(meta))
      segment.statement('insert into meta values (?, ?)').run(name, value);
    segment.db.exec('create index doc_place on doc (place_id)');
  }

  finish(terms: SortedTerms): void {
    writeSpelling(this.#segment, wordsOf(terms, this.#postings.uses));
    this.#writeTokens(terms);
    this.#segment.db.exec('commit');
  }

  #writeTokens({ bytes, ends, order }: SortedTerms): void {
    const pages = new TokenPages(this.#segment);
    const rowids = new Float64Array(this.#rowids);
    let next = 0;
    for (const rows of this.#postings.lists(order)) {
      const term = order[next++] ?? 0;
      pages.add(bytes.subarray(term === 0 ? 0 : ends[term - 1], ends[term]), rows, rowids);
    }
    pages.finish(this.#places);
  }

  /** Closes the file and puts it in its place. */
  async close(): Promise<BuildReport> {
    this.#segment.close();
    this.#postings.close();
    const file = `${this.#task.file}-${await checksumOf(this.#draft)}.sqlite`;
    renameSync(this.#draft, file);
    return { places: this.#places, file };
  }

  #destinationOf({ destination_id }: PlaceRow): IndexedDestination {
    const destination = this.#destinations.get(destination_id);
    if (destination === undefined) throw new Error('A place came from a destination that did not.');
    return destination;
  }

  #known(): Snapshot {
    if (this.#snapshot === undefined) throw new Error('An index was finished that had not begun.');
    return this.#snapshot;
  }
}

/** The words of names, with the number of their places, in the order they were met. */
function wordsOf({ bytes, ends }: SortedTerms, uses: Uint32Array): Map<string, number> {
  const words = new Map<string, number>();
  const text = Buffer.from(bytes.buffer);
  const mark = Buffer.from(WORD_MARK);
  for (const [number, end] of ends.entries()) {
    const start = number === 0 ? 0 : (ends[number - 1] ?? 0);
    if (text[start] !== mark[0] || text[start + 1] !== mark[1]) continue;
    words.set(text.toString('utf8', start + mark.length, end), uses[number] ?? 0);
  }
  return words;
}

/** Writes a new index file from one snapshot of the record, best places first. */
export async function buildIndex(task: BuildTask): Promise<BuildReport> {
  const file = new IndexFile(task);
  await readDirectory(task, file);
  return file.close();
}

type FromReader = { snapshot: Snapshot } | { batch: RowBatch } | { ended: true } | { terms: SortedTerms };

/** The same with a thread of its own for reading: to find the terms takes as long as to make the rows and write them. */
export async function buildWithReader(task: BuildTask): Promise<BuildReport> {
  const file = new IndexFile(task);
  const reader = new Worker(new URL('read-places.ts', import.meta.url), {
    workerData: { role: 'reader', task },
  });
  await new Promise<void>((resolve, reject) => {
    reader.on('message', (message: FromReader) => {
      try {
        if ('snapshot' in message) file.begin(message.snapshot);
        else if ('batch' in message) file.write(message.batch);
        else if ('ended' in message) file.end();
        else file.finish(message.terms);
      } catch (thrown) {
        // A disk that is full, for one: whoever asked for the index hears of it.
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
        return;
      }
      reader.postMessage('written');
      if ('terms' in message) resolve();
    });
    reader.once('error', reject);
    reader.once('exit', () => {
      reject(new Error('The reader of the index ended early.'));
    });
  });
  return file.close();
}
