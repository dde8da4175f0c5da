import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../core/files/sync-folder.ts';
import type { ByteRange, PhotoStorage, StoredFile } from '../photo-storage.ts';

const KEY = /^[a-z0-9_-]+(?:\/[a-z0-9_.-]+)*$/i;

/** Stores files in a folder of this machine. Several machines need a shared folder, or an object store. */
export class DiskStorage implements PhotoStorage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Written to a temporary file, fsynced and renamed: nobody ever reads a partial file, not even after a power loss.
    const part = `${path}.${randomUUID()}.part`;
    try {
      const file = await open(part, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
      await syncFolder(dirname(path));
    } catch (thrown) {
      await rm(part, { force: true });
      throw thrown;
    }
  }

  async get(key: string, range?: ByteRange): Promise<StoredFile | undefined> {
    try {
      const file = await open(this.#pathOf(key), 'r');
      const { size } = await file.stat();
      return { size, body: file.createReadStream({ ...range }) };
    } catch (thrown) {
      if ((thrown as { code?: string }).code === 'ENOENT') return undefined;
      throw thrown;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  #pathOf(key: string): string {
    if (!KEY.test(key) || key.includes('..')) throw new Error(`not a key of a stored file: ${key}`);
    return join(this.#folder, key);
  }
}
