import { readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Log } from '../../core/log.ts';
import { INDEX_VERSION, Segment } from './segment.ts';

/** A file is named after the moment of its build and the checksum of what it holds. */
const NAME = /^places-\d+-([0-9a-f]{8})\.sqlite$/;
const OURS = /^places-.*\.(?:sqlite|part)$/;
const BLOCK_BYTES = 4 * 1024 * 1024;

/** The checksum of a file. It is read by blocks, so that whatever else the process does goes on. */
export async function checksumOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    let sum = 0;
    for (;;) {
      const { bytesRead } = await file.read(block, 0, BLOCK_BYTES);
      if (bytesRead === 0) return sum.toString(16).padStart(8, '0');
      sum = crc32(block.subarray(0, bytesRead), sum);
    }
  } finally {
    await file.close();
  }
}

/** The newest file that is whole and was made by this version of the program. All others are removed. */
export async function usableFile(folder: string, log: Log): Promise<string | undefined> {
  let usable: string | undefined;
  const names = readdirSync(folder).filter((name) => OURS.test(name));
  for (const name of names.sort().reverse()) {
    const file = join(folder, name);
    const fault = usable === undefined ? await faultOf(file, name) : 'older';
    if (fault === undefined) usable = file;
    else rmSync(file, { force: true });
    if (fault === 'damaged') log.error({ file }, 'the search index is damaged and is made anew');
  }
  return usable;
}

async function faultOf(file: string, name: string): Promise<'damaged' | 'older' | undefined> {
  const [, sum] = NAME.exec(name) ?? [];
  if (sum === undefined) return 'older';
  if ((await checksumOf(file)) !== sum) return 'damaged';
  const segment = Segment.openReadOnly(file);
  const version = segment.meta('version');
  segment.close();
  return version === String(INDEX_VERSION) ? undefined : 'older';
}

/** Nobody writes to a finished file: when this text changes, something else did. Empty where the file is gone. */
export function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}/${stat.size}/${stat.mtimeNs}`;
}
