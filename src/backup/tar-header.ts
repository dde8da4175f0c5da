/** Block size: everything in a tar file starts at a multiple of it. */
export const TAR_BLOCK = 512;

const NAME_MAX = 100;
const SIZE_AT = 124;
const SIZE_BYTES = 12;
const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;
const TYPE_AT = 156;
const PLAIN_FILE = 0x30;
/** Maximum of eleven octal digits; larger sizes are written in binary, as GNU tar does. */
const OCTAL_MAX = 8 ** 11 - 1;

export interface TarMember {
  name: string;
  size: number;
}

/** Returns the header of a plain file with mode 0600. */
export function tarHeader({ name, size }: TarMember, writtenAt: Date): Buffer {
  if (Buffer.byteLength(name) > NAME_MAX) throw new Error(`too long for a name in an archive: ${name}`);
  const header = Buffer.alloc(TAR_BLOCK);
  header.write(name, 0);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  if (size <= OCTAL_MAX) header.write(octal(size, SIZE_BYTES), SIZE_AT);
  else {
    header[SIZE_AT] = 0x80;
    header.writeBigUInt64BE(BigInt(size), SIZE_AT + SIZE_BYTES - 8);
  }
  header.write(octal(Math.floor(writtenAt.getTime() / 1000), 12), 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${octal(checksumOf(header), 7)}\0 `, CHECKSUM_AT);
  return header;
}

/** Parses a header: undefined at the end of the archive, 'unreadable' if it is not the header of a plain file. */
export function readTarHeader(header: Buffer): TarMember | undefined | 'unreadable' {
  if (header.every((byte) => byte === 0)) return undefined;
  const checksum = Number.parseInt(header.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_BYTES), 8);
  if (checksum !== checksumOf(header) || header.toString('latin1', 257, 262) !== 'ustar') return 'unreadable';
  const name = header.toString('utf8', 0, NAME_MAX).replace(/\0.*$/s, '');
  const size =
    header[SIZE_AT] === 0x80
      ? Number(header.readBigUInt64BE(SIZE_AT + SIZE_BYTES - 8))
      : Number.parseInt(header.toString('latin1', SIZE_AT, SIZE_AT + SIZE_BYTES), 8);
  // A backup contains plain files only: no links, folders or devices.
  const isPlainFile = header[TYPE_AT] === 0 || header[TYPE_AT] === PLAIN_FILE;
  return isPlainFile && Number.isSafeInteger(size) && size >= 0 ? { name, size } : 'unreadable';
}

/** Number of padding bytes after a member, up to the next block. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width - 1, '0');
}

/** Returns the sum of all bytes, counting the checksum field as spaces. */
function checksumOf(header: Buffer): number {
  let sum = CHECKSUM_BYTES * 0x20;
  for (const [at, byte] of header.entries())
    if (at < CHECKSUM_AT || at >= CHECKSUM_AT + CHECKSUM_BYTES) sum += byte;
  return sum;
}
