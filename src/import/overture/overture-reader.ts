import type { Progress } from '../../core/progress.ts';
import { visibleMembers } from '../../core/text/visible-text.ts';
import { limitReference } from '../tags/tag-limits.ts';
import { ImportFileError } from '../import-file-error.ts';
import { draftFromOverture } from './overture-draft.ts';
import { ParquetFile } from './parquet-file.ts';
import { type ObjectStates, type PlaceBatch, type PlaceReading, newReadCounts } from '../place-draft.ts';

// Minimum of the source's own estimate that the place exists. Below one half, it probably does not.
const CONFIDENCE_MIN = 0.5;
const REQUIRED = ['id', 'geometry', 'names'];
const COLUMNS = [
  ...REQUIRED,
  ...'categories taxonomy confidence websites emails phones addresses operating_status brand sources'.split(
    ' ',
  ),
];

export interface OvertureReadOptions {
  progress?: Progress;
  confidenceMin?: number;
}

export async function openOverture(path: string, options: OvertureReadOptions = {}): Promise<PlaceReading> {
  const file = await ParquetFile.open(path);
  const missing = REQUIRED.filter((column) => !file.columns.has(column));
  if (!file.columns.has('categories') && !file.columns.has('taxonomy')) missing.push('categories');
  if (missing.length > 0) {
    throw new ImportFileError(
      `${path} is parquet, but not a file of Overture's places: it has no column ${missing.join(', ')}.`,
    );
  }
  return new OvertureReading(file, options);
}

/** Returns which of these objects the file contains, even when their confidence is too low. */
export async function findOvertureRows(path: string, refs: ReadonlySet<string>): Promise<ObjectStates> {
  const objects: ObjectStates = new Map();
  for await (const { rows } of (await ParquetFile.open(path)).read(['id'])) {
    for (const { id } of rows) {
      const ref = typeof id === 'string' ? limitReference(id) : '';
      if (refs.has(ref)) objects.set(ref, 'there');
    }
  }
  return objects;
}

class OvertureReading implements PlaceReading {
  readonly extractedAt = null;
  readonly box = null;
  readonly counts = newReadCounts();
  readonly #file: ParquetFile;
  readonly #progress: Progress;
  readonly #confidenceMin: number;

  constructor(file: ParquetFile, options: OvertureReadOptions) {
    this.#file = file;
    this.#progress = options.progress ?? (() => undefined);
    this.#confidenceMin = options.confidenceMin ?? CONFIDENCE_MIN;
  }

  /** Does nothing: no file stays open between two batches of rows. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  async *batches(): AsyncGenerator<PlaceBatch> {
    for await (const { rows, done } of this.#file.read(COLUMNS)) {
      const drafts = rows.map((row) =>
        draftFromOverture(visibleMembers(row), this.#confidenceMin, this.counts),
      );
      yield { places: drafts.filter((draft) => draft !== null), settlements: [], areas: [] };
      this.#progress(Math.round((this.#file.size * done) / this.#file.rows), this.#file.size);
    }
  }
}
