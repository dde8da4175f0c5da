import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createNewId } from '../core/ids.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Pool } from '../core/postgres/db.ts';
import type { Progress } from '../core/progress.ts';
import { importFile } from '../import/import-places.ts';
import { builtAt } from '../streets/build/build-streets.ts';

/** The real city of the demonstration: an extract of OpenStreetMap that is part of the project. */
const SAMPLE_MAP = join(import.meta.dirname, '../../maps/monaco.osm.pbf');

/** Imports the real city. Its venues are marked, so that nothing contacts them. */
export async function loadSample(
  pool: Pool,
  { clock, progress }: { clock: Clock; progress: Progress },
): Promise<void> {
  // An installation without the file, such as a stripped image, has the fictional venues only.
  if (!existsSync(SAMPLE_MAP)) return;
  await importFile(pool, {
    ...{ source: 'osm', file: SAMPLE_MAP, isSample: true },
    ...{ autoDestinations: false, confirmClosures: false },
    now: clock.now(),
    newId: createNewId(clock),
    progress: () => progress,
  });
}

/** Builds the streets of the real city beside the running service, unless this node has them. */
export async function buildSampleStreets(pool: Pool, folder: string, log: Log): Promise<Worker | undefined> {
  const [sample] = await pool`select from destination where sample limit 1`;
  if (sample === undefined || !existsSync(SAMPLE_MAP)) return undefined;
  if ((await builtAt(folder, SAMPLE_MAP)) !== undefined) return undefined;
  const worker = new Worker(new URL('./build-streets-worker.ts', import.meta.url), {
    workerData: { file: SAMPLE_MAP, folder },
  });
  worker.on('error', (err) => log.error({ err }, 'the street map of the demonstration could not be built'));
  worker.unref();
  return worker;
}
