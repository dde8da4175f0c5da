import { createHash } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../core/files/sync-folder.ts';
import { BackupError } from './backup-error.ts';
import { TAR_BLOCK, tarHeader, tarPadding } from './tar-header.ts';

/** The last member of an archive: the hashes of all others, in the format of `sha256sum`. */
export const SUMS = 'SHA256SUMS';

export interface WrittenMember {
  size: number;
  sha256: string;
}

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

  async add(name: string, chunks: AsyncIterable<Buffer> | readonly Buffer[]): Promise<WrittenMember> {
    const headerAt = this.#at;
    this.#at += TAR_BLOCK;
    const hash = createHash('sha256');
    for await (const chunk of chunks) {
      hash.update(chunk);
      await this.#write(chunk);
    }
    const size = this.#at - headerAt - TAR_BLOCK;
    await this.#write(Buffer.alloc(tarPadding(size)));
    // The size is only known now; the header is written into the space reserved for it.
    await writeAll(this.#file, tarHeader({ name, size }, this.#writtenAt), headerAt);
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

  /** Deletes the incomplete file. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(`${this.#path}.part`, { force: true });
  }

  async #write(bytes: Buffer): Promise<void> {
    await writeAll(this.#file, bytes, this.#at);
    this.#at += bytes.length;
  }
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
