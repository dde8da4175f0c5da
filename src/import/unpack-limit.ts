import { Transform } from 'node:stream';
import { ImportFileError } from './import-file-error.ts';

const MEGABYTE = 2 ** 20;
/** Map data shrinks to a tenth at best; what grows a hundredfold was made to fill memory or a disk. */
const GROWTH_MAX = 100;
/** Small files may grow to this all the same: repetition shrinks well. */
const ALWAYS_ALLOWED = 64 * MEGABYTE;

/** How many bytes a compressed file of this size may hold. */
export function unpackedMax(packedBytes: number): number {
  return Math.max(ALWAYS_ALLOWED, GROWTH_MAX * packedBytes);
}

export function unpacksTooFar(path: string, packedBytes: number): ImportFileError {
  const limit = Math.round(unpackedMax(packedBytes) / MEGABYTE).toLocaleString('en');
  return new ImportFileError(
    `${path} unpacks to more than ${limit} MB, which no map data of its size does. Nothing was changed.`,
  );
}

/** Ends a stream of unpacked bytes with an error once there are more than a file of this size may hold. */
export function unpackLimit(path: string, packedBytes: number): Transform {
  let left = unpackedMax(packedBytes);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(unpacksTooFar(path, packedBytes));
      else done(null, chunk);
    },
  });
}
