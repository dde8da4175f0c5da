import { type FileHandle, open } from 'node:fs/promises';
import { type Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Progress } from '../core/progress.ts';
import { unpackLimit } from './unpack-limit.ts';
import { ImportFileError, asImportFileError, nameFormat } from './import-file-error.ts';

const CHUNK_BYTES = 256 * 1024;

/** Text file, plain or gzip-compressed. */
export class TextFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #size: number;
  readonly #isGzip: boolean;

  private constructor(path: string, handle: FileHandle, size: number, isGzip: boolean) {
    this.#path = path;
    this.#handle = handle;
    this.#size = size;
    this.#isGzip = isGzip;
  }

  /** `plain` lists the accepted formats besides gzip; `isNot` begins the error message for any other. */
  static async open(path: string, expected: { plain: readonly string[]; isNot: string }): Promise<TextFile> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, 'r');
      const { size } = await handle.stat();
      const head = Buffer.alloc(16);
      const { bytesRead } = await handle.read(head, 0, head.length, 0);
      if (bytesRead === 0) throw new ImportFileError(`${path} is empty.`);
      const format = nameFormat(head.subarray(0, bytesRead));
      const isGzip = format === 'a gzip file';
      if (!isGzip && !expected.plain.includes(format))
        throw new ImportFileError(`${path} ${expected.isNot} but ${format}.`);
      return new TextFile(path, handle, size, isGzip);
    } catch (error) {
      await handle?.close();
      throw asImportFileError(path, error);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Reads the file once. */
  async *chunks(progress: Progress): AsyncGenerator<Buffer> {
    const file = this.#handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES });
    let source: Readable = file;
    // An error of either stream ends the loop below; pipeline needs a callback to report it as well.
    if (this.#isGzip) {
      const limit = unpackLimit(this.#path, this.#size);
      source = pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), limit, () => undefined);
    }
    for await (const chunk of source as AsyncIterable<Buffer>) {
      yield chunk;
      progress(Math.min(file.bytesRead, this.#size), this.#size);
    }
  }

  /** Parses a part of the file; `where` names it in the error. */
  parse(where: string, json: string): unknown {
    try {
      return JSON.parse(json);
    } catch (cause) {
      throw new ImportFileError(`${this.#path} is not valid JSON: ${where} cannot be read.`, { cause });
    }
  }

  explain(error: unknown): ImportFileError {
    const code = (error as Partial<NodeJS.ErrnoException> | null)?.code ?? '';
    if (code === 'Z_BUF_ERROR')
      return new ImportFileError(`${this.#path} is truncated: its gzip data ends too early.`);
    if (code.startsWith('Z_'))
      return new ImportFileError(`${this.#path} is damaged: its gzip data cannot be unpacked.`);
    return asImportFileError(this.#path, error);
  }
}
