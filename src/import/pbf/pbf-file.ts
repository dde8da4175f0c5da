import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { ImportFileError, asImportFileError, nameFormat } from '../import-file-error.ts';
import { unpackedMax, unpackLimitError } from '../unpack-limit.ts';
import { type HeaderBlock, type MapHeader, readHeaderBlock } from './header-block.ts';
import { Wire } from './wire.ts';

const inflateBytes = promisify(inflate);
const unpackZstd = promisify(zstdDecompress);

// Limits of the format. A length beyond them means damage, and must not become an allocation.
const HEADER_BYTES_MAX = 64 * 1024;
const BLOB_BYTES_MAX = 32 * 1024 * 1024;
// The length and almost every header fit into this, so that one read fetches both.
const FIRST_READ_BYTES = 64;

export interface BlobEntry {
  readonly type: string;
  /** Position of the block's frame, for messages. */
  readonly offset: number;
  readonly dataOffset: number;
  readonly dataSize: number;
}

/** .osm.pbf file: a sequence of framed, compressed blocks that can be read in order or individually. */
export class PbfFile {
  readonly path: string;
  readonly size: number;
  readonly #handle: FileHandle;
  #grownTo = 0;
  #grownBytes = 0;

  private constructor(path: string, size: number, handle: FileHandle) {
    this.path = path;
    this.size = size;
    this.#handle = handle;
  }

  static async open(path: string): Promise<PbfFile> {
    const handle = await open(path, 'r').catch((error: unknown) => {
      throw asImportFileError(path, error);
    });
    try {
      const file = new PbfFile(path, (await handle.stat()).size, handle);
      await file.#checkFormat();
      return file;
    } catch (error) {
      await handle.close();
      throw asImportFileError(path, error);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #checkFormat(): Promise<void> {
    if (this.size === 0) throw new ImportFileError(`${this.path} is empty.`);
    const head = await this.#bytes(0, Math.min(FIRST_READ_BYTES, this.size));
    const format = nameFormat(head);
    if (format !== 'an OSM PBF file')
      throw new ImportFileError(`${this.path} is not an .osm.pbf extract but ${format}.`);
  }

  damaged(offset: number, cause: unknown): ImportFileError {
    if (cause instanceof ImportFileError) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ImportFileError(
      `${this.path} is damaged: the block at byte ${offset} of ${this.size} cannot be read (${reason}).`,
      { cause },
    );
  }

  #truncated(offset: number): ImportFileError {
    return new ImportFileError(
      `${this.path} is truncated: its last block begins at byte ${offset} and runs past the end at byte ${this.size}.`,
    );
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw this.#truncated(offset);
      filled += bytesRead;
    }
    return buffer;
  }

  /** Checks the total unpacked size. Blocks that are read again are not counted again. */
  #checkGrowth({ offset }: BlobEntry, length: number): void {
    if (offset < this.#grownTo) return;
    this.#grownTo = offset + 1;
    this.#grownBytes += length;
    if (this.#grownBytes > unpackedMax(this.size)) throw unpackLimitError(this.path, this.size);
  }

  /** Returns the frame at an offset, or null at the end of the file. */
  async entryAt(offset: number): Promise<BlobEntry | null> {
    const remaining = this.size - offset;
    if (remaining === 0) return null;
    if (remaining < 4) throw this.#truncated(offset);
    let head = await this.#bytes(offset, Math.min(FIRST_READ_BYTES, remaining));
    const headerSize = head.readUInt32BE(0);
    if (headerSize === 0 || headerSize > HEADER_BYTES_MAX)
      throw this.damaged(offset, 'the length of its header is invalid');
    if (4 + headerSize > remaining) throw this.#truncated(offset);
    if (4 + headerSize > head.length) head = await this.#bytes(offset, 4 + headerSize);
    let entry: BlobEntry;
    try {
      entry = readBlobHeader(head.subarray(4, 4 + headerSize), offset);
    } catch (error) {
      throw this.damaged(offset, error);
    }
    if (entry.dataSize > BLOB_BYTES_MAX) throw this.damaged(offset, 'it is longer than the format allows');
    if (entry.dataOffset + entry.dataSize > this.size) throw this.#truncated(offset);
    return entry;
  }

  /** Reads the first block, and returns the offset of the next one with it. */
  async header(): Promise<HeaderBlock & { end: number }> {
    const entry = await this.entryAt(0);
    if (entry?.type !== 'OSMHeader') throw this.damaged(0, 'it is not a header');
    return { ...readHeaderBlock(await this.read(entry)), end: entry.dataOffset + entry.dataSize };
  }

  frame(entry: BlobEntry): Promise<Buffer> {
    return this.#bytes(entry.offset, entry.dataOffset + entry.dataSize - entry.offset);
  }

  async read(entry: BlobEntry): Promise<Uint8Array> {
    const bytes = await this.#bytes(entry.dataOffset, entry.dataSize);
    try {
      const content = await unpack(bytes);
      this.#checkGrowth(entry, content.length);
      return content;
    } catch (error) {
      throw this.damaged(entry.offset, error);
    }
  }
}

export async function readMapHeader(path: string): Promise<MapHeader> {
  const file = await PbfFile.open(path);
  return file.header().finally(() => file.close());
}

/** Reads blocks one after the other; the next one is unpacked while the current one is processed. */
export async function* readAhead(
  file: PbfFile,
  next: () => Promise<BlobEntry | null>,
): AsyncGenerator<{ entry: BlobEntry; bytes: Uint8Array }> {
  const load = async () => {
    const entry = await next();
    return entry === null ? null : { entry, bytes: await file.read(entry) };
  };
  let ahead = load();
  for (let current = await ahead; current !== null; current = await ahead) {
    ahead = load();
    // An error is thrown where the block is awaited; until then it must not count as an unhandled rejection.
    ahead.catch(() => undefined);
    yield current;
  }
}

function readBlobHeader(header: Uint8Array, offset: number): BlobEntry {
  const wire = new Wire(header);
  let type = '';
  let dataSize = -1;
  while (wire.more) {
    const field = wire.varint();
    if (field === 0x0a) type = Buffer.from(wire.slice()).toString('latin1');
    else if (field === 0x18) dataSize = wire.varint();
    else wire.skip(field & 7);
  }
  if (type === '' || dataSize < 0) throw new Error('its header is incomplete');
  return { type, offset, dataOffset: offset + 4 + header.length, dataSize };
}

async function unpack(blob: Uint8Array): Promise<Uint8Array> {
  const wire = new Wire(blob);
  let size = 0;
  let packed: { field: number; data: Uint8Array } | null = null;
  while (wire.more) {
    const field = wire.varint();
    if (field === 0x10) size = wire.varint();
    else if ((field & 7) === 2) packed = { field: field >>> 3, data: wire.slice() };
    else wire.skip(field & 7);
  }
  if (packed === null) throw new Error('it holds no data');
  if (packed.field === 1) return packed.data;
  if (size > BLOB_BYTES_MAX) throw new Error('it is longer than the format allows');
  const name = packed.field === 6 ? 'lz4' : packed.field === 4 ? 'lzma' : 'unknown';
  if (packed.field !== 3 && packed.field !== 7)
    throw new Error(`its compression ${name} is not supported; rewrite the file with zlib`);
  // One output chunk of the stated size avoids a list of small ones.
  const limits = { chunkSize: size + 64, maxOutputLength: Math.max(size, 1) };
  const data =
    packed.field === 3 ? await inflateBytes(packed.data, limits) : await unpackZstd(packed.data, limits);
  if (data.length !== size) throw new Error('it does not unpack to the length it states');
  return data;
}
