import { createHash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { syncFolder } from '../../core/files/sync-folder.ts';
import type { BoundingBox } from '../../core/geo.ts';
import {
  encodeDirectory,
  encodeHeader,
  HEADER_BYTES,
  OPENING_BYTES,
  type ArchiveEntry,
  type Span,
} from './archive-format.ts';

/** Larger tiles are never equal, so only these are compared. */
const COMPARED_BYTES_MAX = 2_000;
const BUFFERED_BYTES = 4 * 2 ** 20;
const LEAF_ENTRIES = 4_096;

/** Writes a PMTiles archive, version 3. The file appears under its name when it is complete. */
export class TileArchiveWriter {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #entries: ArchiveEntry[] = [];
  readonly #byContent = new Map<string, Span>();
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written = OPENING_BYTES;
  #dataBytes = 0;
  #addressed = 0;
  #contents = 0;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  static async create(path: string): Promise<TileArchiveWriter> {
    return new TileArchiveWriter(path, await open(`${path}.part`, 'w'));
  }

  /** Adds a compressed tile. Tiles must be added in ascending order. */
  async add(id: number, tile: Buffer): Promise<void> {
    this.#addressed++;
    const content =
      tile.length > COMPARED_BYTES_MAX ? '' : createHash('sha256').update(tile).digest('base64');
    const stored = this.#byContent.get(content);
    const last = this.#entries.at(-1);
    if (stored !== undefined && last?.offset === stored.offset && last.id + last.run === id) {
      last.run++;
      return;
    }
    const span = stored ?? { offset: this.#dataBytes, length: tile.length };
    this.#entries.push({ id, run: 1, ...span });
    if (stored !== undefined) return;
    if (content !== '') this.#byContent.set(content, span);
    this.#contents++;
    this.#dataBytes += tile.length;
    await this.#append(tile);
  }

  /** Writes the directories, the metadata and the header, and gives the file its name. */
  async finish(box: BoundingBox, zooms: { min: number; max: number }, metadata: object): Promise<void> {
    const { root, leaves } = directoriesOf(this.#entries);
    const leafSpan = await this.#section(leaves);
    const metadataSpan = await this.#section([gzipSync(JSON.stringify(metadata))]);
    await this.#flush();
    const header = encodeHeader({
      root: { offset: HEADER_BYTES, length: root.length },
      metadata: metadataSpan,
      leaves: leafSpan,
      tiles: { offset: OPENING_BYTES, length: this.#dataBytes },
      counts: { addressed: this.#addressed, entries: this.#entries.length, contents: this.#contents },
      minZoom: zooms.min,
      maxZoom: zooms.max,
      box,
    });
    const opening = Buffer.alloc(OPENING_BYTES);
    opening.set(header);
    opening.set(root, HEADER_BYTES);
    await this.#handle.write(opening, 0, OPENING_BYTES, 0);
    await this.#handle.sync();
    await this.#handle.close();
    await rename(`${this.#path}.part`, this.#path);
    await syncFolder(dirname(this.#path));
  }

  /** Removes what was written. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(`${this.#path}.part`, { force: true });
  }

  async #section(parts: readonly Buffer[]): Promise<Span> {
    const offset = this.#written + this.#waitingBytes;
    for (const part of parts) await this.#append(part);
    return { offset, length: parts.reduce((sum, { length }) => sum + length, 0) };
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > BUFFERED_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (bytes.length === 0) return;
    await this.#handle.write(bytes, 0, bytes.length, this.#written);
    this.#written += bytes.length;
  }
}

/** Splits a directory into leaves when it is too long for the opening of the file. */
function directoriesOf(entries: readonly ArchiveEntry[]): { root: Buffer; leaves: Buffer[] } {
  let root = encodeDirectory(entries);
  let leaves: Buffer[] = [];
  for (let size = LEAF_ENTRIES; root.length > OPENING_BYTES - HEADER_BYTES; size *= 2) {
    leaves = [];
    const pointers: ArchiveEntry[] = [];
    let offset = 0;
    for (let at = 0; at < entries.length; at += size) {
      const leaf = encodeDirectory(entries.slice(at, at + size));
      pointers.push({ id: entries[at]?.id ?? 0, run: 0, offset, length: leaf.length });
      leaves.push(leaf);
      offset += leaf.length;
    }
    root = encodeDirectory(pointers);
  }
  return { root, leaves };
}
