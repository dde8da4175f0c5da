/** File that cannot be imported as it is. The message is for the operator who specified the file. */
export class ImportFileError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ImportFileError';
  }
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a folder, not a file',
};

/** Converts an error of the file system, a decompressor or a parser into one sentence. */
export function asImportFileError(file: string, thrown: unknown): ImportFileError {
  if (thrown instanceof ImportFileError) return thrown;
  const code = (thrown as Partial<NodeJS.ErrnoException> | null)?.code ?? '';
  const reason = SYSTEM_REASONS[code];
  if (reason !== undefined)
    return new ImportFileError(`${file} cannot be read: ${reason}.`, { cause: thrown });
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new ImportFileError(`${file} cannot be read: ${detail}.`, { cause: thrown });
}

const SIGNATURES: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x1f, 0x8b], 'a gzip file'],
  [[0x42, 0x5a, 0x68], 'a bzip2 file'],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip file'],
  [[0x50, 0x41, 0x52, 0x31], 'a parquet file'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a zstd file'],
  [[0x3c], 'an XML or HTML file'],
  [[0x7b], 'a JSON file'],
];

/** Names the format by the first bytes, so that the error for a wrong file states what it is. */
export function nameFormat(head: Uint8Array): string {
  for (const [bytes, what] of SIGNATURES) {
    if (bytes.every((byte, at) => head[at] === byte)) return what;
  }
  if (head[4] === 0x0a && String.fromCharCode(...head.subarray(6, 9)) === 'OSM') return 'an OSM PBF file';
  const text = head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));
  return text ? 'a text file' : 'a file of an unknown format';
}
