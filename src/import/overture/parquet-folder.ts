import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoundingBox } from '../../core/geo.ts';
import { asImportFileError, ImportFileError } from '../import-file-error.ts';
import type { PlaceFilter } from './place-filter.ts';
import { ParquetFile, type RowGroupLimits } from './parquet-file.ts';

/** Parquet files of one data set: a file, or all below a folder. */
export class ParquetFolder {
  readonly path: string;
  readonly files: readonly ParquetFile[];

  private constructor(path: string, files: readonly ParquetFile[]) {
    this.path = path;
    this.files = files;
  }

  static async open(path: string): Promise<ParquetFolder> {
    const stats = await stat(path).catch((error: unknown) => {
      throw asImportFileError(path, error);
    });
    if (!stats.isDirectory()) return new ParquetFolder(path, [await ParquetFile.open(path)]);
    const names = (await readdir(path, { recursive: true })).filter((name) => /\.(geo)?parquet$/.test(name));
    if (names.length === 0) throw new ImportFileError(`${path} contains no .parquet file.`);
    const files: ParquetFile[] = [];
    for (const name of names.sort()) files.push(await ParquetFile.open(join(path, name)));
    return new ParquetFolder(path, files);
  }

  /** Throws an error for the first file that lacks one of these columns. */
  require(columns: readonly string[], dataSet: string): void {
    for (const file of this.files) {
      const missing = columns.filter((column) => !file.columns.has(column));
      if (missing.length > 0)
        throw new ImportFileError(
          `${file.path} is parquet, but not a file of ${dataSet}: it has no column ${missing.join(', ')}.`,
        );
    }
  }

  /** Reads some columns of all rows, without the groups of rows that lie outside the box. */
  async *read(
    columns: readonly string[],
    { box }: Pick<PlaceFilter, 'box'>,
    progress: (done: number, size: number) => void,
  ): AsyncGenerator<Record<string, unknown>[]> {
    const size = this.files.reduce((sum, file) => sum + file.size, 0);
    const mayContain = (limits: RowGroupLimits) => box === null || overlaps(limits, box);
    let before = 0;
    for (const file of this.files) {
      for await (const { rows, done } of file.read(columns, mayContain)) {
        yield rows;
        progress(before + Math.round((file.size * done) / Math.max(1, file.rows)), size);
      }
      before += file.size;
    }
    progress(size, size);
  }
}

function overlaps({ lat, lng }: RowGroupLimits, box: BoundingBox): boolean {
  if (lat !== null && (lat.max < box.south || lat.min > box.north)) return false;
  return lng === null || (lng.max >= box.west && lng.min <= box.east);
}
