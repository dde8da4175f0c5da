import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type RowGroup,
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { unpackedMax, unpackLimitError } from '../unpack-limit.ts';
import { ImportFileError, asImportFileError, nameFormat } from '../import-file-error.ts';

// Maximum number of rows in memory; a row group may contain a million.
const ROWS_MAX = 50_000;

interface Limits {
  min: number;
  max: number;
}

/** Least and greatest position of a group of rows, as far as the file states them. */
export interface RowGroupLimits {
  lat: Limits | null;
  lng: Limits | null;
}

/** Columns whose statistics tell where the rows are: of Overture and of Foursquare. */
const LAT_COLUMNS = [
  ['bbox.ymin', 'bbox.ymax'],
  ['latitude', 'latitude'],
] as const;
const LNG_COLUMNS = [
  ['bbox.xmin', 'bbox.xmax'],
  ['longitude', 'longitude'],
] as const;

/** Parquet file whose rows are read in batches of bounded size. */
export class ParquetFile {
  readonly path: string;
  readonly rows: number;
  readonly size: number;
  readonly columns: ReadonlySet<string>;
  readonly #file: AsyncBuffer;
  readonly #metadata: FileMetaData;
  readonly #pending = new Set<Promise<unknown>>();

  private constructor(path: string, file: AsyncBuffer, metadata: FileMetaData) {
    this.path = path;
    this.size = file.byteLength;
    this.#file = file;
    this.#metadata = metadata;
    this.rows = Number(metadata.num_rows);
    this.columns = new Set(topColumns(metadata));
  }

  static async open(path: string): Promise<ParquetFile> {
    try {
      await checkFormat(path);
      const file = await asyncBufferFromFile(path);
      return new ParquetFile(path, file, await parquetMetadataAsync(file));
    } catch (error) {
      if (error instanceof ImportFileError || (error as Partial<NodeJS.ErrnoException>).code !== undefined) {
        throw asImportFileError(path, error);
      }
      throw new ImportFileError(`${path} is damaged: its parquet directory cannot be read.`, {
        cause: error,
      });
    }
  }

  /** Reads some columns of all rows. `done` is the number of rows read so far. */
  async *read(
    columns: readonly string[],
    mayContain: (limits: RowGroupLimits) => boolean = () => true,
  ): AsyncGenerator<{ rows: Record<string, unknown>[]; done: number }> {
    const available = columns.filter((column) => this.columns.has(column));
    let groupStart = 0;
    for (const group of this.#metadata.row_groups) {
      const groupEnd = groupStart + Number(group.num_rows);
      if (!mayContain({ lat: limitsOf(group, LAT_COLUMNS), lng: limitsOf(group, LNG_COLUMNS) })) {
        groupStart = groupEnd;
        continue;
      }
      for (let start = groupStart; start < groupEnd; start += ROWS_MAX) {
        const end = Math.min(groupEnd, start + ROWS_MAX);
        yield { rows: await this.#stretch(available, start, end), done: end };
      }
      groupStart = groupEnd;
    }
  }

  /** Wraps the file to track reads that have not ended. */
  #tracked(): AsyncBuffer {
    const file = this.#file;
    return {
      byteLength: file.byteLength,
      slice: (start, end) => {
        const reading = Promise.resolve(file.slice(start, end));
        this.#pending.add(reading);
        const done = () => void this.#pending.delete(reading);
        reading.then(done, done);
        return reading;
      },
    };
  }

  /** Returns decompressors that reject a page larger than a file of this size may contain. */
  #limited(): Compressors {
    const limit = unpackedMax(this.size);
    return Object.fromEntries(
      Object.entries(compressors).map(([name, unpack]) => [
        name,
        (input: Uint8Array, length: number) => {
          if (length > limit) throw unpackLimitError(this.path, this.size);
          return unpack(input, length);
        },
      ]),
    );
  }

  async #stretch(columns: string[], rowStart: number, rowEnd: number): Promise<Record<string, unknown>[]> {
    try {
      return await parquetReadObjects({
        file: this.#tracked(),
        metadata: this.#metadata,
        compressors: this.#limited(),
        columns,
        rowStart,
        rowEnd,
        useOffsetIndex: true,
        // Text columns are marked as such. A geometry is not text, even when the file does not state its type.
        utf8: false,
      });
    } catch (error) {
      await ignorePending(this.#pending);
      if (error instanceof ImportFileError) throw error;
      throw new ImportFileError(
        `${this.path} is damaged: the rows from ${rowStart} to ${rowEnd} of ${this.rows} cannot be read.`,
        { cause: error },
      );
    }
  }
}

function limitsOf({ columns }: RowGroup, candidates: readonly (readonly [string, string])[]): Limits | null {
  const statistics = (path: string) =>
    columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === path)?.meta_data?.statistics;
  for (const [low, high] of candidates) {
    const min = statistics(low)?.min_value ?? statistics(low)?.min;
    const max = statistics(high)?.max_value ?? statistics(high)?.max;
    if (typeof min === 'number' && typeof max === 'number') return { min, max };
  }
  return null;
}

/** Ignores errors of reads that the library leaves pending after an error; unhandled, they would end the process. */
async function ignorePending(pending: ReadonlySet<Promise<unknown>>): Promise<void> {
  const ignore = () => undefined;
  process.on('unhandledRejection', ignore);
  try {
    await Promise.allSettled(pending);
    await setImmediate();
  } finally {
    process.off('unhandledRejection', ignore);
  }
}

/** Returns the top-level columns of the schema, which parquet writes as a flat list in depth-first order. */
function topColumns({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  let at = 1;
  const skip = (): void => {
    const below = schema[at++]?.num_children ?? 0;
    for (let child = 0; child < below; child++) skip();
  };
  while (at < schema.length) {
    const name = schema[at]?.name;
    if (name !== undefined) names.push(name);
    skip();
  }
  return names;
}

async function checkFormat(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size === 0) throw new ImportFileError(`${path} is empty.`);
    const head = Buffer.alloc(Math.min(16, size));
    await handle.read(head, 0, head.length, 0);
    const format = nameFormat(head);
    if (format !== 'a parquet file')
      throw new ImportFileError(`${path} is not a parquet file but ${format}.`);
    const tail = Buffer.alloc(4);
    await handle.read(tail, 0, 4, Math.max(0, size - 4));
    if (size < 12 || tail.toString('latin1') !== 'PAR1') {
      throw new ImportFileError(
        `${path} is truncated: the directory at the end of the parquet file is missing.`,
      );
    }
  } finally {
    await handle.close();
  }
}
