import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pack } from 'tar-stream';
import { syncFolder } from '../core/files/sync-folder.ts';
import { BackupError } from './backup-error.ts';

/** The last member of an archive: the hashes of all others, in the format of `sha256sum`. */
export const SUMS = 'SHA256SUMS';

/** Block size: everything in a tar file starts at a multiple of it. */
export const TAR_BLOCK = 512;

/** A name that fits into one header; a longer or non-ASCII one would need a second header before it. */
const HEADER_NAME = /^[\x20-\x7e]{1,100}$/;

/** Writes a tar file member by member, under a temporary name until it is complete. */
export class ArchiveWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #writtenAt: Date;
  readonly #sums: string[] = [];
  #at = 0;

  private constructor(path: string, file: FileHandle, writtenAt: Date) {
    this.#path = path;
    this.#file = file;
    this.#writtenAt = writtenAt;
  }

  static async create(path: string, writtenAt: Date): Promise<ArchiveWriter> {
    const existing = await stat(path).catch(() => undefined);
    if (existing !== undefined) throw new BackupError(`${path} already exists. Choose another file name.`);
    return new ArchiveWriter(path, await openPart(path), writtenAt);
  }

  async add(name: string, chunks: AsyncIterable<Buffer> | readonly Buffer[]) {
    const headerAt = this.#at;
    this.#at += TAR_BLOCK;
    const hash = createHash('sha256');
    for await (const chunk of chunks) {
      hash.update(chunk);
      await this.#write(chunk);
    }
    const size = this.#at - headerAt - TAR_BLOCK;
    await this.#write(Buffer.alloc(tarBlocks(size) - size));
    // The size is only known now; the header is written into the space reserved for it.
    await writeAll(this.#file, await tarHeader(name, size, this.#writtenAt), headerAt);
    const sha256 = hash.digest('hex');
    this.#sums.push(`${sha256}  ${name}\n`);
    return { size, sha256 };
  }

  /** Completes the archive and renames it to its final name. Returns its size. */
  async finish(): Promise<number> {
    await this.add(SUMS, [Buffer.from(this.#sums.join(''))]);
    await this.#write(Buffer.alloc(2 * TAR_BLOCK));
    await this.#file.sync();
    await this.#file.close();
    await rename(`${this.#path}.part`, this.#path);
    await syncFolder(dirname(this.#path));
    return this.#at;
  }

  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(`${this.#path}.part`, { force: true });
  }

  async #write(bytes: Buffer): Promise<void> {
    await writeAll(this.#file, bytes, this.#at);
    this.#at += bytes.length;
  }
}

/** Number of bytes that a member's content occupies, up to the next block. */
export function tarBlocks(size: number): number {
  return Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
}

/** Returns the header of a plain file with mode 0600: the first block that tar-stream packs for such a member. */
export async function tarHeader(name: string, size: number, mtime: Date): Promise<Buffer> {
  if (!HEADER_NAME.test(name)) throw new Error(`not usable as a name in an archive: ${name}`);
  const packed = pack();
  // The member ends after its header, which tar-stream reports as an error of the content.
  packed.on('error', () => undefined);
  packed.entry({ name, size, mode: 0o600, mtime }).on('error', () => undefined);
  const [header] = (await once(packed, 'data')) as [Buffer];
  packed.destroy();
  return header;
}

async function openPart(path: string): Promise<FileHandle> {
  try {
    return await open(`${path}.part`, 'wx', 0o600);
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'EEXIST')
      throw new BackupError(
        `${path}.part already exists: another backup is writing it, or one was interrupted. Delete it if no backup is running.`,
      );
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new BackupError(`The backup cannot be written: ${message}.`, { cause: thrown });
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
