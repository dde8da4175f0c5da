import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { BoundingBox } from '../../core/geo.ts';
import type { Progress } from '../../core/progress.ts';
import { readMapHeader } from '../../import/pbf/pbf-file.ts';
import { TileArchive } from '../archive/archive.ts';
import { buildArchive, GENERATOR, type StreetBuildReport } from './build-archive.ts';

interface BuildStreetsOptions {
  file: string;
  /** Folder of this node's street maps. */
  folder: string;
  /** Path of the archive, when it is not to be one of this node's maps. */
  out?: string | undefined;
  progress: (label: string) => Progress;
}

/** Builds the street map of an extract, which the service shows as soon as it is complete. */
export async function buildStreets({
  file,
  folder,
  out,
  progress,
}: BuildStreetsOptions): Promise<StreetBuildReport> {
  const path = out === undefined ? await archivePath(folder, file) : resolve(out);
  const report = await buildArchive({ file, out: path, progress });
  if (out === undefined) await removeOlder(folder, path);
  return report;
}

/** Returns the path of an extract's street map: one archive for each extract. */
async function archivePath(folder: string, file: string): Promise<string> {
  const name = basename(file).replace(/(\.osm)?\.pbf$/, '');
  const path = join(folder, `${name}.pmtiles`);
  const { box } = await readMapHeader(file);
  const stored = await readAbout(path);
  if (stored === undefined || box === null || (stored.isOurs && isSameBox(stored.box, box))) return path;
  // An extract of another area has the same name.
  const hash = createHash('sha256').update(JSON.stringify(box)).digest('hex').slice(0, 8);
  return join(folder, `${name}-${hash}.pmtiles`);
}

/** Returns when the street map of an extract was built; undefined when there is none. */
export async function builtAt(folder: string, file: string): Promise<Date | undefined> {
  return (await stat(await archivePath(folder, file)).catch(() => undefined))?.mtime;
}

interface AboutArchive {
  isOurs: boolean;
  box: BoundingBox;
  /** In milliseconds; NaN when the extract stated no date. */
  extractedAt: number;
}

/** Reads what an archive says about itself; undefined when there is none that can be read. */
async function readAbout(path: string): Promise<AboutArchive | undefined> {
  const archive = await TileArchive.open(path).catch(() => undefined);
  if (archive === undefined) return undefined;
  await archive.close();
  const { generator, extracted_at } = archive.metadata;
  return {
    isOurs: generator === GENERATOR,
    box: archive.header.box,
    extractedAt: Date.parse(String(extracted_at)),
  };
}

/** Compares boxes within the seven decimals that an archive keeps. */
function isSameBox(a: BoundingBox, b: BoundingBox): boolean {
  return (['west', 'south', 'east', 'north'] as const).every((side) => Math.abs(a[side] - b[side]) < 1e-6);
}

/** Removes our archives of the same area from older extracts, which have other names. */
async function removeOlder(folder: string, path: string): Promise<void> {
  const built = await readAbout(path);
  if (built === undefined) return;
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (!name.endsWith('.pmtiles') || other === path) continue;
    const about = await readAbout(other);
    if (about?.isOurs === true && isSameBox(about.box, built.box) && about.extractedAt < built.extractedAt)
      await rm(other);
  }
}
