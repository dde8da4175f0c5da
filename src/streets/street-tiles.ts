import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { BoundingBox } from '../core/geo.ts';
import type { Log } from '../core/log.ts';
import { ArchiveError } from './archive/archive-format.ts';
import { TileArchive } from './archive/archive.ts';
import type { TileAddress } from './archive/tile-id.ts';
import { mergeTiles } from './merge-tiles.ts';

declare module '../core/context.ts' {
  interface Deps {
    streets: StreetTiles;
  }
}

/** The street map that this node can show. */
export interface StreetMap {
  /** Changes with the content, so that browsers may cache a tile of one version forever. */
  version: string;
  maxZoom: number;
  /** Areas that the archives cover. */
  boxes: readonly BoundingBox[];
  attribution: string;
}

const CACHE_BYTES = 32 * 2 ** 20;
/** Cost of remembering that a tile does not exist. */
const NONE_BYTES = 64;
const NONE = Buffer.alloc(0);
const UNPACKED_BYTES_MAX = 64 * 2 ** 20;
const ATTRIBUTION = '© OpenStreetMap contributors';
const ATTRIBUTION_MAX = 200;

interface OpenArchives {
  /** Paths, sizes and times of the files. */
  mark: string;
  archives: readonly TileArchive[];
  map: StreetMap | undefined;
  cache: LRUCache<string, Buffer>;
}

/** Vector tiles of this node: from the operator's archive, or else from all archives in the folder of maps. */
export class StreetTiles {
  readonly #folder: string;
  readonly #file: string | undefined;
  readonly #log: Log;
  #current: OpenArchives = { mark: '', archives: [], map: undefined, cache: newCache() };
  #looking: Promise<StreetMap | undefined> | undefined;

  constructor({ folder, file, log }: { folder: string; file: string | undefined; log: Log }) {
    this.#folder = folder;
    this.#file = file;
    this.#log = log;
  }

  /** Returns the map as of the last look; `undefined` when there is none. */
  get map(): StreetMap | undefined {
    return this.#current.map;
  }

  /** Looks for new archives, and returns the current map. */
  look(): Promise<StreetMap | undefined> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Returns a tile, compressed with gzip; undefined when no archive contains it. */
  async tile(address: TileAddress): Promise<Buffer | undefined> {
    const current = this.#current;
    const key = `${address.z}/${address.x}/${address.y}`;
    const cached = current.cache.get(key);
    if (cached !== undefined) return cached === NONE ? undefined : cached;
    let tile: Buffer | undefined;
    try {
      tile = await readTile(current.archives, address);
    } catch (thrown) {
      // Its archive was replaced, and so closed, between two reads.
      if (current === this.#current) throw thrown;
      return this.tile(address);
    }
    current.cache.set(key, tile ?? NONE);
    return tile;
  }

  async close(): Promise<void> {
    await Promise.all(this.#current.archives.map((archive) => archive.close()));
  }

  async #look(): Promise<StreetMap | undefined> {
    const files = await this.#files();
    const mark = files.map((file) => file.mark).join();
    const before = this.#current;
    if (mark === before.mark) return before.map;
    const opened = await Promise.all(files.map(({ path }) => this.#open(path)));
    const archives = opened.filter((archive) => archive !== undefined);
    this.#current = { mark, archives, map: mapOf(archives), cache: newCache() };
    await Promise.all(before.archives.map((archive) => archive.close()));
    return this.#current.map;
  }

  async #files(): Promise<{ path: string; mark: string }[]> {
    const names = this.#file === undefined ? await readdir(this.#folder).catch(() => []) : [];
    const paths = names
      .filter((name) => name.endsWith('.pmtiles'))
      .sort()
      .map((name) => join(this.#folder, name));
    if (this.#file !== undefined) paths.push(this.#file);
    return Promise.all(
      paths.map(async (path) => {
        const stats = await stat(path).catch(() => undefined);
        return { path, mark: `${path} ${stats?.size ?? 0} ${stats?.mtimeMs ?? 0} ${stats?.ino ?? 0}` };
      }),
    );
  }

  /** A damaged archive is logged, and the others are served. */
  async #open(path: string): Promise<TileArchive | undefined> {
    try {
      return await TileArchive.open(path);
    } catch (thrown) {
      const reason = thrown instanceof ArchiveError ? thrown.message : undefined;
      this.#log.error({ path, reason, err: thrown }, 'a street map cannot be used');
      return undefined;
    }
  }
}

function newCache(): LRUCache<string, Buffer> {
  return new LRUCache({ maxSize: CACHE_BYTES, sizeCalculation: (tile) => tile.length + NONE_BYTES });
}

function mapOf(archives: readonly TileArchive[]): StreetMap | undefined {
  if (archives.length === 0) return undefined;
  const hash = createHash('sha256');
  for (const { fingerprint } of archives) hash.update(fingerprint);
  return {
    version: hash.digest('base64url').slice(0, 12),
    // Deeper tiles would be missing in the other archives; pages enlarge those of this zoom.
    maxZoom: Math.min(...archives.map(({ header }) => header.maxZoom)),
    boxes: archives.map(({ header }) => header.box),
    attribution: [...new Set(archives.map(attributionOf))].join(', ').slice(0, ATTRIBUTION_MAX),
  };
}

/** Returns the attribution of an archive as text: archives of others contain links and other markup. */
function attributionOf({ metadata }: TileArchive): string {
  const { attribution } = metadata;
  if (typeof attribution !== 'string') return ATTRIBUTION;
  const text = attribution
    .replace(/<[^>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&')
    .trim();
  return text === '' ? ATTRIBUTION : text;
}

async function readTile(archives: readonly TileArchive[], address: TileAddress): Promise<Buffer | undefined> {
  const stored = await Promise.all(archives.map((archive) => archive.tile(address)));
  const tiles = stored.filter((tile) => tile !== undefined);
  if (tiles.length <= 1) return tiles[0];
  return gzipSync(mergeTiles(tiles.map((tile) => gunzipSync(tile, { maxOutputLength: UNPACKED_BYTES_MAX }))));
}
