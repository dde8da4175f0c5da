const IFD_EXIF = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const ENTRY_BYTES = 12;
const ASCII = 2;

/** Returns the month (YYYY-MM) from the EXIF data, of which nothing else is ever read; undefined if impossible. */
export function monthTaken(exif: Buffer | undefined, now: Date): string | undefined {
  if (exif === undefined) return undefined;
  try {
    const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
    return monthOf(dateText(tiff), now);
  } catch (thrown) {
    // Cameras and tools write malformed EXIF data: an invalid offset counts as no date.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function dateText(tiff: Buffer): string | undefined {
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const entryOf = (directory: number, tag: number): number | undefined => {
    for (let index = 0; index < short(directory); index++) {
      const at = directory + 2 + index * ENTRY_BYTES;
      if (short(at) === tag) return at;
    }
    return undefined;
  };
  const pointer = entryOf(long(4), IFD_EXIF);
  const entry = pointer === undefined ? undefined : entryOf(long(pointer + 8), DATE_TIME_ORIGINAL);
  if (entry === undefined || short(entry + 2) !== ASCII) return undefined;
  return tiff.toString('latin1', long(entry + 8), long(entry + 8) + 'YYYY:MM'.length);
}

const FIRST_YEAR = 1990;

function monthOf(text: string | undefined, now: Date): string | undefined {
  const [, year = '', month = ''] = /^(\d{4}):(0[1-9]|1[0-2])$/.exec(text ?? '') ?? [];
  const yearMonth = `${year}-${month}`;
  return Number(year) >= FIRST_YEAR && yearMonth <= monthNow(now) ? yearMonth : undefined;
}

export function monthNow(now: Date): string {
  return now.toISOString().slice(0, 7);
}
