import type { Pool } from '../core/db.ts';
import type { NewId } from '../core/ids.ts';
import type { Progress } from '../core/progress.ts';
import { importPlaces, type ImportReport } from './import-places.ts';
import { openOsm } from './osm-reader.ts';
import type { PlaceDraft, PlaceReading } from './place-draft.ts';

export interface ImportFileOptions {
  source: PlaceDraft['source'];
  file: string;
  autoDestinations: boolean;
  now: Date;
  newId: NewId;
  progress: (label: string) => Progress;
}

/** Imports one file of a known kind. Only a map has cities, towns and islands to make destinations of. */
export function importFile(pool: Pool, options: ImportFileOptions): Promise<ImportReport> {
  const { source, file, now, newId } = options;
  const openSettlements = () =>
    openOsm(file, { places: false, progress: options.progress('Cities, towns and islands') });
  return importPlaces(pool, {
    source,
    file,
    open: () => openFile(source, file, options.progress('Places')),
    openSettlements: options.autoDestinations && source === 'osm' ? openSettlements : undefined,
    now,
    newId,
  });
}

async function openFile(
  source: PlaceDraft['source'],
  file: string,
  progress: Progress,
): Promise<PlaceReading> {
  switch (source) {
    case 'osm':
      return openOsm(file, { settlements: false, progress });
    case 'geojson':
      return (await import('./geojson-reader.ts')).openGeojson(file, { progress });
    case 'overture':
      return (await import('./overture-reader.ts')).openOverture(file, { progress });
  }
}
