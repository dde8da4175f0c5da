import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { readStored, type PhotoStorage } from '../../photos/photo-storage.ts';
import type { StorageSettings } from '../../photos/storage/open-storage.ts';

export interface ShareTask {
  /** The index, which may be in use. */
  file: string;
  /** Where its copy is written before it is stored. */
  draft: string;
  id: string;
  storage: StorageSettings;
}

export interface ShareReport {
  places: number;
  position: string;
  bytes: number;
  part_sums: string[];
}

export interface StoredCopy {
  id: string;
  bytes: number;
  part_sums: readonly string[];
}

export interface FetchTask extends StoredCopy {
  file: string;
  storage: StorageSettings;
}

/** A copy in the storage differs from what was stored. */
class DamagedCopy extends Error {}

/** Parts are small enough to be held in memory, and each is stored whole or not at all. */
const PART_BYTES = 16 * 2 ** 20;
const PARTS_AT_ONCE = 4;
/** Compresses faster than a disk writes. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export function partKeys(id: string, bytes: number): string[] {
  return Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, part) => `index/${id}/${part}`);
}

export async function storeParts(
  storage: PhotoStorage,
  id: string,
  file: string,
  onPercent: (percent: number) => void,
): Promise<{ bytes: number; part_sums: string[] }> {
  await using source = await open(file, 'r');
  const { size: bytes } = await source.stat();
  const sums = await eachPart({ id, bytes }, onPercent, async (key, start, length) => {
    const stored = await compress(await readPart(source, start, length), LEVEL);
    await storage.put(key, stored, 'application/octet-stream');
    return sumOf(stored);
  });
  return { bytes, part_sums: sums };
}

/** Writes a stored copy to a file. Throws `DamagedCopy` unless it is what was stored. */
export async function fetchParts(
  storage: PhotoStorage,
  copy: StoredCopy,
  file: string,
  onPercent: (percent: number) => void,
): Promise<void> {
  await using target = await open(file, 'w');
  await eachPart(copy, onPercent, async (key, start, length, part) => {
    const stored = await readStored(storage, key);
    if (stored === undefined) throw new DamagedCopy(`The storage has no ${key}.`);
    if (sumOf(stored) !== copy.part_sums[part]) throw new DamagedCopy(`${key} is not what was stored there.`);
    const bytes = await decompress(stored);
    if (bytes.length !== length) throw new DamagedCopy(`${key} has another size than it should have.`);
    await target.write(bytes, 0, length, start);
  });
}

async function eachPart<Result>(
  { id, bytes }: { id: string; bytes: number },
  onPercent: (percent: number) => void,
  work: (key: string, start: number, length: number, part: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const keys = [...partKeys(id, bytes).entries()];
  const remaining = keys.values();
  let done = 0;
  const take = async () => {
    for (const [part, key] of remaining) {
      const start = part * PART_BYTES;
      results[part] = await work(key, start, Math.min(PART_BYTES, bytes - start), part);
      onPercent(Math.floor((++done / keys.length) * 100));
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, take));
  return results;
}

async function readPart(source: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await source.read(bytes, 0, length, start);
  if (bytesRead !== length) throw new Error('The copy of the index became shorter while it was read.');
  return bytes;
}

function sumOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
