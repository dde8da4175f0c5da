import { type FileHandle, open } from 'node:fs/promises';
import { type Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Progress } from '../../core/progress.ts';
import { draftFromFeature, identifyFeature } from './feature-draft.ts';
import { FeatureSplitter } from './feature-splitter.ts';
import { ImportFileError, asImportFileError, nameFormat } from '../import-file-error.ts';
import {
  type Found,
  type PlaceBatch,
  type PlaceDraft,
  type PlaceReading,
  newReadCounts,
} from '../place-draft.ts';

const BATCH_PLACES = 1000;

/** Opens a GeoJSON FeatureCollection, plain or compressed with gzip, and reads it feature by feature. */
export async function openGeojson(
  path: string,
  options: { progress?: Progress } = {},
): Promise<GeojsonReading> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, 'r');
    const { size } = await handle.stat();
    const head = Buffer.alloc(16);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    if (bytesRead === 0) throw new ImportFileError(`${path} is empty.`);
    const format = nameFormat(head.subarray(0, bytesRead));
    if (!['a gzip file', 'a JSON file', 'a text file', 'a file of an unknown format'].includes(format)) {
      throw new ImportFileError(`${path} is not GeoJSON but ${format}.`);
    }
    return new GeojsonReading(
      path,
      handle,
      size,
      format === 'a gzip file',
      options.progress ?? (() => undefined),
    );
  } catch (error) {
    await handle?.close();
    throw asImportFileError(path, error);
  }
}

/** Which of these objects the file holds, whether or not they are places. */
export async function findFeatures(
  path: string,
  refs: ReadonlySet<string>,
  progress: Progress,
): Promise<Found> {
  const found: Found = new Map();
  for await (const feature of (await openGeojson(path, { progress })).features()) {
    const [ref, state] = identifyFeature(feature);
    if (refs.has(ref)) found.set(ref, state);
  }
  return found;
}

class GeojsonReading implements PlaceReading {
  readonly extractedAt = null;
  readonly box = null;
  readonly counts = newReadCounts();
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #size: number;
  readonly #isGzip: boolean;
  readonly #progress: Progress;

  constructor(path: string, handle: FileHandle, size: number, isGzip: boolean, progress: Progress) {
    this.#path = path;
    this.#handle = handle;
    this.#size = size;
    this.#isGzip = isGzip;
    this.#progress = progress;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async *batches(): AsyncGenerator<PlaceBatch> {
    let places: PlaceDraft[] = [];
    for await (const feature of this.features()) {
      const draft = draftFromFeature(feature, this.counts);
      if (draft === null || places.push(draft) < BATCH_PLACES) continue;
      yield { places, settlements: [] };
      places = [];
    }
    yield { places, settlements: [] };
  }

  /** Reads the file, once. It is closed at the end. */
  async *features(): AsyncGenerator<object> {
    try {
      yield* this.#features();
    } catch (error) {
      throw this.#explain(error);
    } finally {
      await this.#handle.close();
    }
  }

  #explain(error: unknown): ImportFileError {
    const code = (error as Partial<NodeJS.ErrnoException> | null)?.code ?? '';
    if (code === 'Z_BUF_ERROR')
      return new ImportFileError(`${this.#path} is cut off: its gzip data ends too early.`);
    if (code.startsWith('Z_'))
      return new ImportFileError(`${this.#path} is damaged: its gzip data cannot be unpacked.`);
    return asImportFileError(this.#path, error);
  }

  async *#features(): AsyncGenerator<object> {
    const splitter = new FeatureSplitter(this.#path);
    let number = 0;
    for await (const chunk of this.#chunks()) {
      for (const bytes of splitter.push(chunk)) yield this.#parse(bytes, ++number);
    }
    splitter.end();
  }

  #parse(bytes: Buffer, number: number): object {
    try {
      return JSON.parse(bytes.toString('utf8')) as object;
    } catch (error) {
      throw new ImportFileError(`${this.#path} is not valid JSON: feature ${number} cannot be read.`, {
        cause: error,
      });
    }
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    const file = this.#handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 });
    let source: Readable = file;
    // The error of either stream ends the loop below; pipeline wants a place to report it as well.
    if (this.#isGzip) source = pipeline(file, createGunzip({ chunkSize: 256 * 1024 }), () => undefined);
    for await (const chunk of source as AsyncIterable<Buffer>) {
      yield chunk;
      this.#progress(Math.min(file.bytesRead, this.#size), this.#size);
    }
  }
}
