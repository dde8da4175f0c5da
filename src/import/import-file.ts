import { stat } from 'node:fs/promises';
import type { Pool } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import type { Progress } from '../core/progress.ts';
import { importPlaces, type ImportReport } from './import-places.ts';
import { openOsm } from './osm/osm-reader.ts';
import type { ObjectStates, PlaceDraft, PlaceReading } from './place-draft.ts';

export interface ImportFileOptions {
  source: PlaceDraft['source'];
  file: string;
  autoDestinations: boolean;
  confirmClosures: boolean;
  /** Date of the file, when the file itself has none. */
  asOf?: Date | undefined;
  now: Date;
  newId: NewId;
  progress: (label: string) => Progress;
  /** Files up to this size are held in memory when that saves reading them twice. */
  inMemoryBytesMax?: number | undefined;
}

/**
 * Default limit: the places of a map of this size take a few hundred megabytes at most; a larger one is read twice
 * instead.
 */
const HELD_BYTES_MAX = 32 * 2 ** 20;

/** Imports one file of a known kind. Only maps have areas, and settlements from which destinations are created. */
export async function importFile(pool: Pool, options: ImportFileOptions): Promise<ImportReport> {
  const { source, file, confirmClosures, asOf, now, newId } = options;
  const isMap = source === 'osm';
  const isHeld = isMap && ((await sizeOf(file)) ?? Infinity) <= (options.inMemoryBytesMax ?? HELD_BYTES_MAX);
  const openSurroundings = () =>
    openOsm(file, { places: false, progress: options.progress('Areas and settlements') });
  return importPlaces(pool, {
    source,
    file,
    open: () => openFile(source, file, { asOf, progress: options.progress('Places') }),
    autoDestinations: options.autoDestinations,
    openSurroundings: isMap && !isHeld ? openSurroundings : undefined,
    openWhole: isHeld ? () => openOsm(file, { asOf, progress: options.progress('Places') }) : undefined,
    find: (refs) => findObjects(source, file, refs, options.progress('What is missing')),
    confirmClosures,
    asOf,
    now,
    newId,
  });
}

/** Returns undefined for a missing file; the reader reports it with a message. */
async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size;
}

async function openFile(
  source: PlaceDraft['source'],
  file: string,
  options: { asOf: Date | undefined; progress: Progress },
): Promise<PlaceReading> {
  switch (source) {
    case 'osm':
      return openOsm(file, { settlements: false, ...options });
    case 'geojson':
      return (await import('./geojson/geojson-reader.ts')).openGeojson(file, options);
    case 'overture':
      return (await import('./overture/overture-reader.ts')).openOverture(file, {
        progress: options.progress,
      });
  }
}

async function findObjects(
  source: PlaceDraft['source'],
  file: string,
  refs: ReadonlySet<string>,
  progress: Progress,
): Promise<ObjectStates> {
  switch (source) {
    case 'osm':
      return (await import('./osm/find-objects.ts')).findOsmObjects(file, refs, progress);
    case 'geojson':
      return (await import('./geojson/geojson-reader.ts')).findFeatures(file, refs, progress);
    case 'overture':
      return (await import('./overture/overture-reader.ts')).findOvertureRows(file, refs);
  }
}
