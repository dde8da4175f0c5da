import { Transform } from 'node:stream';
import { ImportFileError } from './import-file-error.ts';

const MEGABYTE = 2 ** 20;
/** Map data compresses to a tenth at best; data that expands a hundredfold was made to fill memory or a disk. */
const GROWTH_MAX = 100;
/** Unpacked size that is always allowed, because small repetitive files compress well. */
const ALWAYS_ALLOWED = 64 * MEGABYTE;

/** Returns the maximum unpacked size of a compressed file of this size. */
export function unpackedMax(packedBytes: number): number {
  return Math.max(ALWAYS_ALLOWED, GROWTH_MAX * packedBytes);
}

export function unpackLimitError(path: string, packedBytes: number): ImportFileError {
  const limit = Math.round(unpackedMax(packedBytes) / MEGABYTE).toLocaleString('en');
  return new ImportFileError(
    `${path} unpacks to more than ${limit} MB, which is implausible for a file of its size. Nothing was changed.`,
  );
}

/** Ends a stream of unpacked bytes with an error once it exceeds the maximum for a file of this size. */
export function unpackLimit(path: string, packedBytes: number): Transform {
  let remaining = unpackedMax(packedBytes);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      remaining -= chunk.length;
      if (remaining < 0) done(unpackLimitError(path, packedBytes));
      else done(null, chunk);
    },
  });
}
