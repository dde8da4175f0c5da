import type { Progress } from '../../core/progress.ts';
import { visibleMembers } from '../../core/text/visible-text.ts';
import { limitReference } from '../tags/tag-limits.ts';
import { ImportFileError } from '../import-file-error.ts';
import { ParquetFolder } from './parquet-folder.ts';
import { isSelected, NO_FILTER, type PlaceFilter } from './place-filter.ts';
import { countryOf, draftFromOverture, positionOf } from './overture-draft.ts';
import type { OvertureRow } from './overture-row.ts';
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

interface OvertureReadOptions {
  progress?: Progress;
  confidenceMin?: number;
  filter?: PlaceFilter;
}

/** Opens a file of Overture's places, or a folder with the files of a release. */
export async function openOverture(path: string, options: OvertureReadOptions = {}): Promise<PlaceReading> {
  const folder = await ParquetFolder.open(path);
  folder.require(REQUIRED, "Overture's places");
  for (const file of folder.files) {
    if (!file.columns.has('categories') && !file.columns.has('taxonomy'))
      throw new ImportFileError(
        `${file.path} is parquet, but not a file of Overture's places: it has no column categories.`,
      );
  }
  return new OvertureReading(folder, options);
}

/** Returns which of these objects the file contains, even when their confidence is too low. */
export async function findOvertureRows(path: string, refs: ReadonlySet<string>): Promise<ObjectStates> {
  const objects: ObjectStates = new Map();
  for await (const rows of (await ParquetFolder.open(path)).read(['id'], NO_FILTER, () => undefined)) {
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
  readonly #folder: ParquetFolder;
  readonly #progress: Progress;
  readonly #confidenceMin: number;
  readonly #filter: PlaceFilter;

  constructor(folder: ParquetFolder, options: OvertureReadOptions) {
    this.#folder = folder;
    this.#progress = options.progress ?? (() => undefined);
    this.#confidenceMin = options.confidenceMin ?? CONFIDENCE_MIN;
    this.#filter = options.filter ?? NO_FILTER;
  }

  /** Does nothing: no file stays open between two batches of rows. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  async *batches(): AsyncGenerator<PlaceBatch> {
    for await (const rows of this.#folder.read(COLUMNS, this.#filter, this.#progress)) {
      const drafts = rows
        .map((row) => visibleMembers(row))
        .filter((row) => isSelectedRow(row, this.#filter))
        .map((row) => draftFromOverture(row, this.#confidenceMin, this.counts));
      yield { places: drafts.filter((draft) => draft !== null), settlements: [], areas: [] };
    }
  }
}

function isSelectedRow(row: OvertureRow, filter: PlaceFilter): boolean {
  const position = positionOf(row.geometry);
  // A row without a position is counted as such, wherever it belongs.
  return position === null || isSelected(filter, { ...position, country: countryOf(row) });
}
