import { stat } from 'node:fs/promises';
import type { NewId } from '../core/ids.ts';
import type { Progress } from '../core/progress.ts';
import type { CsvMapping } from './csv/csv-mapping.ts';
import { NO_FILTER, type PlaceFilter } from './overture/place-filter.ts';
import { openOsm } from './osm/osm-reader.ts';
import type { ObjectStates, PlaceBatch, PlaceDraft, PlaceReading } from './place-draft.ts';

export interface ImportOptions {
  source: PlaceDraft['source'];
  file: string;
  /** Creates destinations from the source's cities, towns and islands. */
  autoDestinations: boolean;
  /** The operator has confirmed a large number of closures. */
  confirmClosures: boolean;
  /** Date of the file given by the operator, when the file itself has none. */
  asOf?: Date | undefined;
  now: Date;
  newId: NewId;
  progress: (label: string) => Progress;
  /** Columns of a table. */
  mapping?: CsvMapping | undefined;
  /** Part of a worldwide data set to import. */
  filter?: PlaceFilter | undefined;
  /** The map is part of the demonstration: no venue of its destinations is contacted. */
  isSample?: boolean;
  /** Maps up to this size are held in memory, because that saves reading them twice. */
  inMemoryBytesMax?: number | undefined;
}

/** Settlements and areas around the places of a source. Only maps have them. */
type Surroundings = Pick<PlaceBatch, 'settlements' | 'areas'>;

/** The places of a map of this size take a few hundred megabytes at most; a larger one is read twice instead. */
const HELD_BYTES_MAX = 32 * 2 ** 20;

/** Opens the places of a file, after reading the areas and settlements around them, which come last in a map. */
export async function openImport(
  options: ImportOptions,
): Promise<{ surroundings: Surroundings; reading: PlaceReading }> {
  const { source, file, asOf } = options;
  if (source !== 'osm')
    return { surroundings: { settlements: [], areas: [] }, reading: await openOther(source, options) };
  // The reader reports a missing file with a message.
  const size = (await stat(file).catch(() => undefined))?.size ?? Infinity;
  if (size <= (options.inMemoryBytesMax ?? HELD_BYTES_MAX)) {
    const reading = await openOsm(file, { asOf, progress: options.progress('Places') });
    const batches = await Array.fromAsync(reading.batches());
    const { extractedAt, box, counts } = reading;
    // eslint-disable-next-line @typescript-eslint/require-await -- the batches are here already
    const held = async function* () {
      yield* batches;
    };
    const close = () => Promise.resolve();
    return {
      surroundings: surroundingsOf(batches),
      reading: { extractedAt, box, counts, batches: held, close },
    };
  }
  const around = await openOsm(file, { places: false, progress: options.progress('Areas and settlements') });
  const surroundings = surroundingsOf(await Array.fromAsync(around.batches()));
  const progress = options.progress('Places');
  return { surroundings, reading: await openOsm(file, { settlements: false, asOf, progress }) };
}

function surroundingsOf(batches: readonly PlaceBatch[]): Surroundings {
  return {
    settlements: batches.flatMap(({ settlements }) => settlements),
    areas: batches.flatMap(({ areas }) => areas),
  };
}

async function openOther(
  source: Exclude<ImportOptions['source'], 'osm'>,
  { file, asOf, ...options }: ImportOptions,
): Promise<PlaceReading> {
  const progress = options.progress('Places');
  if (source === 'geojson')
    return (await import('./geojson/geojson-reader.ts')).openGeojson(file, { asOf, progress });
  if (source === 'csv') {
    const mapping = options.mapping ?? (await (await import('./csv/csv-mapping.ts')).readCsvMapping(file));
    return (await import('./csv/csv-reader.ts')).openCsv(file, mapping, { asOf, progress });
  }
  const filter = options.filter ?? NO_FILTER;
  if (source === 'foursquare')
    return (await import('./foursquare/foursquare-reader.ts')).openFoursquare(file, {
      asOf,
      progress,
      filter,
    });
  return (await import('./overture/overture-reader.ts')).openOverture(file, { progress, filter });
}

/** Returns which of these objects are in the file although they are not places there. */
export async function findObjects(
  { source, file, ...options }: ImportOptions,
  refs: ReadonlySet<string>,
): Promise<ObjectStates> {
  const progress = options.progress('What is missing');
  switch (source) {
    case 'osm':
      return (await import('./osm/find-objects.ts')).findOsmObjects(file, refs, progress);
    case 'geojson':
      return (await import('./geojson/geojson-reader.ts')).findFeatures(file, refs, progress);
    case 'csv': {
      const mapping = options.mapping ?? (await (await import('./csv/csv-mapping.ts')).readCsvMapping(file));
      return (await import('./csv/csv-reader.ts')).findCsvRows(file, mapping, refs);
    }
    case 'foursquare':
      return (await import('./foursquare/foursquare-reader.ts')).findFoursquareRows(file, refs);
    case 'overture':
      return (await import('./overture/overture-reader.ts')).findOvertureRows(file, refs);
  }
}
