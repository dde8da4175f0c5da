import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import type { Log } from '../../core/log.ts';
import { readThrough } from '../build/build-file.ts';
import { currentFile, inodeOf, noteCurrent, removeIndex, stampOf, tidyFolder } from '../store/index-files.ts';
import { isFull } from '../store/full-disk.ts';

/** How old a look at the file may be when a search relies on it. */
export const LOOK_MS = 50;
/** How often a file is read through while it is in use: what a disk loses by itself is told by no stamp. */
const READ_THROUGH_MS = DAY_MS;
/** What one search found odd, the next ones find too; one reading tells. */
const SUSPICION_GAP_MS = 10 * MINUTE_MS;

interface GuardOptions {
  folder: string;
  log: Log;
  /** Ends what runs beside. */
  signal: AbortSignal;
  /** Hears that a file must not be searched any more. */
  onDamage: (file: string, why: string) => void;
}

/** Sees to it that the file in use holds what was written to it, and leaves word for the next start. */
export class FileGuard {
  readonly #options: GuardOptions;
  #file: string | undefined;
  /** What the file was after it was last written; undefined while it is being written. */
  #stamp: string | undefined;
  #inode = '';
  #lookedAt = 0;
  /** The process before this one ended without closing the file, which has not been read through since. */
  #isSuspect = false;
  #readAt = performance.now();
  #reading: Promise<void> | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** The file that is there, if it is sound. One that is as it was left is not read before it is used. */
  async find(): Promise<string | undefined> {
    const { folder, log, signal } = this.#options;
    const found = currentFile(folder);
    tidyFolder(folder, found?.file);
    if (found === undefined) return undefined;
    const { file, isAsLeft, left } = found;
    this.#isSuspect = isAsLeft && left === 'open';
    const read = isAsLeft ? 'sound' : await readThrough(file, signal);
    if (read === 'sound') return file;
    if (read === undefined) throw new Error('The search index could not be read through.');
    if (read === 'damaged') log.error({ file }, 'the search index is damaged and is made anew');
    else log.info({ file }, 'the search index is of another version of the program and is made anew');
    removeIndex(file);
    return undefined;
  }

  /** Guards a file that comes into use. */
  take(file: string): void {
    this.#file = file;
    this.#readAt = performance.now();
    this.#inode = '';
    this.#stamp = undefined;
    this.written();
    if (this.#isSuspect) this.#readThrough('its process ended without closing it');
  }

  /** Guards none. */
  release(): void {
    this.#file = undefined;
    this.#stamp = undefined;
    this.#isSuspect = false;
  }

  writing(): void {
    this.#stamp = undefined;
  }

  /** What the file is now came by our own writing. If nothing was written, another may have changed it meanwhile. */
  written(): void {
    if (this.#file === undefined || this.#stamp !== undefined) return;
    const inode = inodeOf(this.#file);
    this.#stamp = stampOf(this.#file);
    if (inode === this.#inode) return;
    this.#inode = inode;
    this.#note();
  }

  /** Whether something else wrote to the file. What it holds then may not even be readable. */
  look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS || this.#stamp === undefined || this.#file === undefined) return;
    this.#lookedAt = now;
    if (stampOf(this.#file) !== this.#stamp)
      this.#options.onDamage(this.#file, 'was changed by something else');
  }

  /** From time to time: what no stamp tells. */
  watch(): void {
    this.look();
    if (this.#file === undefined || this.#stamp === undefined) return;
    if (inodeOf(this.#file) !== this.#inode) {
      this.#inode = inodeOf(this.#file);
      this.#readThrough('something else touched it');
    } else if (performance.now() - this.#readAt > READ_THROUGH_MS)
      this.#readThrough('it was last read through a day ago');
  }

  /** Something failed that need not be the fault of the file. */
  suspect(file: string): void {
    if (file === this.#file && performance.now() - this.#readAt > SUSPICION_GAP_MS)
      this.#readThrough('a search failed');
  }

  /** Leaves word that the file was closed. */
  async close(): Promise<void> {
    await this.#reading;
    if (this.#file !== undefined) this.#note(true);
  }

  /** Reads the file in another process while it is searched. */
  #readThrough(why: string): void {
    if (this.#reading !== undefined || this.#file === undefined) return;
    const file = this.#file;
    const { log, signal, onDamage } = this.#options;
    log.info({ file, why }, 'the search index is read through');
    this.#readAt = performance.now();
    this.#reading = readThrough(file, signal)
      .then((read) => {
        if (file !== this.#file || read === undefined) return;
        if (read !== 'sound') onDamage(file, 'is damaged');
        else if (this.#isSuspect) {
          this.#isSuspect = false;
          this.#note();
        }
      })
      .finally(() => (this.#reading = undefined));
  }

  /** Without room for the note the next start reads the file through, or makes another one. */
  #note(isClosed = false): void {
    if (this.#file === undefined) return;
    const { folder, log } = this.#options;
    try {
      const left =
        isClosed && !this.#isSuspect ? 'closed' : this.#isSuspect && !isClosed ? 'suspect' : 'open';
      noteCurrent(folder, this.#file, left);
    } catch (thrown) {
      log.warn(
        isFull(thrown) ? {} : { err: thrown },
        'it could not be noted how the search index was left; the next start reads it through',
      );
    }
  }
}
