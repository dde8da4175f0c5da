import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BoundingBox } from '../../core/geo.ts';
import type { Progress } from '../../core/progress.ts';
import { ImportFileError } from '../../import/import-file-error.ts';
import { openBlocks, OsmReading } from '../../import/osm/osm-reader.ts';
import { TileArchiveWriter } from '../archive/archive-writer.ts';
import { tileAddressOf, tileIdOf } from '../archive/tile-id.ts';
import { closeCoast, cutCoast } from './coast.ts';
import { cutFeature, type TakePiece } from './cut-feature.ts';
import { encodeRecord, encodeTile } from './encode-tile.ts';
import { LAYERS, MAX_ZOOM } from './map-feature.ts';
import { DRAWN, MapReader } from './map-reader.ts';
import { TileRecords } from './tile-records.ts';

interface StreetBuildOptions {
  /** The .osm.pbf extract. */
  file: string;
  /** Path of the archive, which is replaced when the new one is complete. */
  out: string;
  progress: (label: string) => Progress;
  /** Records in memory before they are written to a temporary file. */
  chunkBytes?: number;
}

export interface StreetBuildReport {
  out: string;
  features: number;
  tiles: number;
}

/** Marks archives that this program built, which it may replace. */
export const GENERATOR = 'waypost';
const ATTRIBUTION = '© OpenStreetMap contributors';
const GZIP_LEVEL = 9;

/** Builds the street map of an extract as one PMTiles archive. Features are sorted in files; coastlines and the list of tiles stay in memory. */
export async function buildArchive({
  file,
  out,
  progress,
  chunkBytes,
}: StreetBuildOptions): Promise<StreetBuildReport> {
  const opened = await openBlocks(file);
  const folder = dirname(out);
  await mkdir(folder, { recursive: true });
  const records = new TileRecords(folder, chunkBytes);
  const writer = await TileArchiveWriter.create(out);
  try {
    const reader = new MapReader();
    const drawn: DrawnTiles = {
      last: new Set(),
      left: Infinity,
      top: Infinity,
      right: -Infinity,
      bottom: -Infinity,
    };
    const add: TakePiece = (z, x, y, kind, geometry) => {
      records.add(tileIdOf({ z, x, y }), encodeRecord(kind, geometry));
    };
    const take: TakePiece = (z, x, y, kind, geometry) => {
      if (z === MAX_ZOOM) addTile(drawn, x, y);
      add(z, x, y, kind, geometry);
    };
    let features = 0;
    const reading = new OsmReading({ ...opened, keys: DRAWN, reader, progress: progress('Streets') });
    for await (const feature of reading.batches()) {
      features++;
      cutFeature(feature, take);
      if (records.isFull) await records.spill();
    }
    if (features === 0) throw new ImportFileError(`${file} contains nothing that a street map shows.`);
    cutCoast(closeCoast(reader.coastlines, opened.header.box), drawn.last, add);
    const tiles = await writeTiles(records, writer, progress('Tiles'));
    await writer.finish(
      opened.header.box ?? boxOf(drawn),
      { min: tiles.minZoom, max: MAX_ZOOM },
      {
        name: 'Streets',
        format: 'pbf',
        type: 'baselayer',
        attribution: ATTRIBUTION,
        generator: GENERATOR,
        extracted_at: opened.header.extractedAt?.toISOString(),
        vector_layers: LAYERS.map((id) => ({ id, fields: {} })),
      },
    );
    return { out, features, tiles: tiles.count };
  } catch (thrown) {
    await writer.abandon();
    throw thrown;
  } finally {
    await records.close();
  }
}

async function writeTiles(
  records: TileRecords,
  writer: TileArchiveWriter,
  progress: Progress,
): Promise<{ count: number; minZoom: number }> {
  let [count, done, minZoom] = [0, 0, MAX_ZOOM];
  for await (const { id, records: parts } of records.tiles()) {
    await writer.add(id, gzipSync(encodeTile(parts), { level: GZIP_LEVEL }));
    // Tiles come zoom by zoom, so the first one has the smallest.
    if (count++ === 0) minZoom = tileAddressOf(id).z;
    progress((done += parts.length), records.count);
  }
  return { count, minZoom };
}

interface DrawnTiles {
  /** Tiles of the last zoom, as "x y". */
  last: Set<string>;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function addTile(drawn: DrawnTiles, x: number, y: number): void {
  drawn.last.add(`${x} ${y}`);
  drawn.left = Math.min(drawn.left, x);
  drawn.right = Math.max(drawn.right, x);
  drawn.top = Math.min(drawn.top, y);
  drawn.bottom = Math.max(drawn.bottom, y);
}

/** Returns the box of the drawn tiles, for a file whose header has none. */
function boxOf({ left, top, right, bottom }: DrawnTiles): BoundingBox {
  const side = 2 ** MAX_ZOOM;
  const lat = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / side))) * 180) / Math.PI;
  const lng = (column: number) => (column / side) * 360 - 180;
  return { west: lng(left), south: lat(bottom + 1), east: lng(right + 1), north: lat(top) };
}
