import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import {
  ArchiveError,
  decodeDirectory,
  decodeHeader,
  findEntry,
  OPENING_BYTES,
  type ArchiveEntry,
  type ArchiveHeader,
  type Span,
} from './archive-format.ts';
import { tileIdOf, type TileAddress } from './tile-id.ts';

const LEAVES_CACHED = 32;
/** The format allows more, but real archives have at most one level of leaves. */
const DEPTH_MAX = 3;
const METADATA_BYTES_MAX = 4 * 2 ** 20;
const TILE_BYTES_MAX = 32 * 2 ** 20;

interface OpenedArchive {
  header: ArchiveHeader;
  root: ArchiveEntry[];
  metadata: Record<string, unknown>;
  fingerprint: string;
}

/** PMTiles archive that is read by ranges. */
export class TileArchive {
  readonly path: string;
  readonly header: ArchiveHeader;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Hash of the header and the root directory, which contains the sizes of tiles; equal on all nodes. */
  readonly fingerprint: string;
  readonly #handle: FileHandle;
  readonly #root: ArchiveEntry[];
  readonly #leaves = new LRUCache<number, ArchiveEntry[]>({ max: LEAVES_CACHED });

  private constructor(path: string, handle: FileHandle, opened: OpenedArchive) {
    this.path = path;
    this.#handle = handle;
    this.header = opened.header;
    this.#root = opened.root;
    this.metadata = opened.metadata;
    this.fingerprint = opened.fingerprint;
  }

  /** Opens an archive; an `ArchiveError` says why it cannot be used. */
  static async open(path: string): Promise<TileArchive> {
    const handle = await open(path, 'r');
    try {
      return new TileArchive(path, handle, await readOpening(handle));
    } catch (thrown) {
      await handle.close();
      if (thrown instanceof ArchiveError || isSystemError(thrown)) throw thrown;
      throw new ArchiveError('it is damaged', { cause: thrown });
    }
  }

  /** Returns a tile as it is stored, compressed with gzip; undefined when the archive does not contain it. */
  async tile(address: TileAddress): Promise<Buffer | undefined> {
    if (address.z < this.header.minZoom || address.z > this.header.maxZoom) return undefined;
    const id = tileIdOf(address);
    let entries = this.#root;
    for (let depth = 0; depth < DEPTH_MAX; depth++) {
      const entry = findEntry(entries, id);
      if (entry === undefined) return undefined;
      if (entry.run > 0) return this.#read(this.header.tiles, entry);
      entries = await this.#leaf(entry);
    }
    throw new ArchiveError('its directories are nested too deeply');
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #leaf(entry: ArchiveEntry): Promise<ArchiveEntry[]> {
    const cached = this.#leaves.get(entry.offset);
    if (cached !== undefined) return cached;
    const leaf = decodeDirectory(await this.#read(this.header.leaves, entry));
    this.#leaves.set(entry.offset, leaf);
    return leaf;
  }

  #read(section: Span, { offset, length }: Span): Promise<Buffer> {
    if (offset + length > section.length || length > TILE_BYTES_MAX)
      throw new ArchiveError('a directory is damaged');
    return readSpan(this.#handle, { offset: section.offset + offset, length });
  }
}

async function readOpening(handle: FileHandle): Promise<OpenedArchive> {
  const { size } = await handle.stat();
  const opening = await readSpan(handle, { offset: 0, length: Math.min(size, OPENING_BYTES) });
  const header = decodeHeader(opening, size);
  const root = decodeDirectory(await readSpan(handle, header.root));
  const text = gunzipSync(await readSpan(handle, header.metadata), { maxOutputLength: METADATA_BYTES_MAX });
  const metadata = JSON.parse(text.toString()) as Record<string, unknown>;
  return { header, root, metadata, fingerprint: createHash('sha256').update(opening).digest('base64url') };
}

function isSystemError(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).syscall !== undefined;
}

async function readSpan(handle: FileHandle, { offset, length }: Span): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) throw new ArchiveError('it is truncated');
    filled += bytesRead;
  }
  return bytes;
}
