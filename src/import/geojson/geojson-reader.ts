import type { Progress } from '../../core/progress.ts';
import { readSourceDate } from '../source-date.ts';
import { draftFromFeature, identifyFeature } from './feature-draft.ts';
import { FeatureSplitter } from './feature-splitter.ts';
import { TextFile } from '../text-file.ts';
import {
  type ObjectStates,
  type PlaceBatch,
  type PlaceDraft,
  type PlaceReading,
  newReadCounts,
} from '../place-draft.ts';

const BATCH_PLACES = 1000;

/** Opens a GeoJSON FeatureCollection, plain or gzip-compressed, and reads it one feature at a time. */
export async function openGeojson(
  path: string,
  options: { progress?: Progress; asOf?: Date | undefined } = {},
): Promise<GeojsonReading> {
  const plain = ['a JSON file', 'a text file', 'a file of an unknown format'];
  const file = await TextFile.open(path, { plain, isNot: 'is not GeoJSON' });
  return new GeojsonReading(path, file, options.progress ?? (() => undefined), options.asOf ?? null);
}

export async function findFeatures(
  path: string,
  refs: ReadonlySet<string>,
  progress: Progress,
): Promise<ObjectStates> {
  const objects: ObjectStates = new Map();
  for await (const feature of (await openGeojson(path, { progress })).features()) {
    const [ref, state] = identifyFeature(feature);
    if (refs.has(ref)) objects.set(ref, state);
  }
  return objects;
}

class GeojsonReading implements PlaceReading {
  /** Set once the file has been read. */
  extractedAt: Date | null = null;
  readonly box = null;
  readonly counts = newReadCounts();
  readonly #path: string;
  readonly #file: TextFile;
  readonly #progress: Progress;
  readonly #asOf: Date | null;

  constructor(path: string, file: TextFile, progress: Progress, asOf: Date | null) {
    this.#path = path;
    this.#file = file;
    this.#progress = progress;
    this.#asOf = asOf;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async *batches(): AsyncGenerator<PlaceBatch> {
    let places: PlaceDraft[] = [];
    for await (const feature of this.features()) {
      const draft = draftFromFeature(feature, this.#asOf, this.counts);
      if (draft === null || places.push(draft) < BATCH_PLACES) continue;
      yield { places, settlements: [], areas: [] };
      places = [];
    }
    yield { places, settlements: [], areas: [] };
  }

  /** Reads the file once and closes it at the end. */
  async *features(): AsyncGenerator<object> {
    try {
      yield* this.#features();
    } catch (error) {
      throw this.#file.explain(error);
    } finally {
      await this.#file.close();
    }
  }

  async *#features(): AsyncGenerator<object> {
    const splitter = new FeatureSplitter(this.#path);
    let number = 0;
    for await (const chunk of this.#file.chunks(this.#progress)) {
      for (const bytes of splitter.push(chunk))
        yield this.#file.parse(`feature ${++number}`, bytes.toString('utf8')) as object;
    }
    const { timestamp, _timestamp, generated } = splitter.end();
    this.extractedAt = readSourceDate(timestamp ?? _timestamp ?? generated);
  }
}
