import { closeSync, openSync, readFileSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';

/** Writes over every eighth block, the first excepted, as a disk or a careless program might. */
export function overwrite(file: string): void {
  const fd = openSync(file, 'r+');
  const { size } = statSync(file);
  const noise = Buffer.alloc(4096, 'noise');
  for (let at = 32_768; at < size - 4096; at += 32_768) writeSync(fd, noise, 0, noise.length, at);
  closeSync(fd);
}

/** The same bytes but for one letter of the names. */
export function alterNames(file: string): void {
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf('"name":"'); at !== -1; at = bytes.indexOf('"name":"', at + 1))
    bytes[at + 8] = 0x58;
  writeFileSync(file, bytes);
}

/** One bit of every eighth page behind the head, with the time of the last write put back. */
export function flipQuietly(file: string): void {
  const { atime, mtime } = statSync(file);
  const bytes = readFileSync(file);
  for (let at = 8192 + 3800; at < bytes.length; at += 32_768) bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(file, bytes);
  utimesSync(file, atime, mtime);
}
