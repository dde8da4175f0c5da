import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import type { Log } from '../../core/log.ts';
import { checkFile } from '../build/build-file.ts';
import {
  currentFile,
  inodeOf,
  recordCurrent,
  removeIndex,
  stampOf,
  tidyFolder,
} from '../store/index-files.ts';
import { isFull } from '../store/full-disk.ts';

/** Maximum age of a file check that a search may rely on. */
export const LOOK_MS = 50;
/** Interval for full checks of a file in use: file stamps do not reveal silent disk corruption. */
const READ_THROUGH_MS = DAY_MS;
/**
 * Minimum time between checks after failed searches: further searches fail for the same reason, so one check is enough.
 */
const SUSPICION_GAP_MS = 10 * MINUTE_MS;

interface GuardOptions {
  folder: string;
  log: Log;
  /** Aborts background work. */
  signal: AbortSignal;
  /** Called when a file must not be searched any more. */
  onDamage: (file: string, why: string) => void;
}

/** Ensures that the file in use holds what was written to it, and records its state for the next start. */
export class FileGuard {
  readonly #options: GuardOptions;
  #file: string | undefined;
  /** Stamp of the file after the last write; undefined while it is being written. */
  #stamp: string | undefined;
  #inode = '';
  #lookedAt = 0;
  /** True when the previous process ended without closing the file, which has not been checked since. */
  #isSuspect = false;
  #readAt = performance.now();
  #reading: Promise<void> | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Returns the existing file if it is sound. A file unchanged since it was closed is not checked before use. */
  async find(): Promise<string | undefined> {
    const { folder, log, signal } = this.#options;
    const current = currentFile(folder);
    tidyFolder(folder, current?.file);
    if (current === undefined) return undefined;
    const { file, isUnchanged, left } = current;
    this.#isSuspect = isUnchanged && left === 'open';
    const read = isUnchanged ? 'sound' : await checkFile(file, signal);
    if (read === 'sound') return file;
    if (read === undefined) throw new Error('The search index could not be checked.');
    if (read === 'damaged') log.error({ file }, 'the search index is damaged; rebuilding');
    else log.info({ file }, 'the search index belongs to another version of the program; rebuilding');
    removeIndex(file);
    return undefined;
  }

  take(file: string): void {
    this.#file = file;
    this.#readAt = performance.now();
    this.#inode = '';
    this.#stamp = undefined;
    this.written();
    if (this.#isSuspect) this.#readThrough('its process ended without closing the index');
  }

  release(): void {
    this.#file = undefined;
    this.#stamp = undefined;
    this.#isSuspect = false;
  }

  writing(): void {
    this.#stamp = undefined;
  }

  /**
   * Records the stamp after our own write. Does nothing if nothing was written, because something else may have changed
   * the file.
   */
  written(): void {
    if (this.#file === undefined || this.#stamp !== undefined) return;
    const inode = inodeOf(this.#file);
    this.#stamp = stampOf(this.#file);
    if (inode === this.#inode) return;
    this.#inode = inode;
    this.#note();
  }

  /** Detects writes by something else, after which the file may not even be readable. */
  look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS || this.#stamp === undefined || this.#file === undefined) return;
    this.#lookedAt = now;
    if (stampOf(this.#file) !== this.#stamp)
      this.#options.onDamage(this.#file, 'was changed by something else');
  }

  /** Runs periodic checks for damage that stamps do not reveal. */
  watch(): void {
    this.look();
    if (this.#file === undefined || this.#stamp === undefined) return;
    if (inodeOf(this.#file) !== this.#inode) {
      this.#inode = inodeOf(this.#file);
      this.#readThrough('another program changed the index file');
    } else if (performance.now() - this.#readAt > READ_THROUGH_MS)
      this.#readThrough('the last check was a day ago');
  }

  /** Checks the file after a failure that the file may have caused. */
  suspect(file: string): void {
    if (file === this.#file && performance.now() - this.#readAt > SUSPICION_GAP_MS)
      this.#readThrough('a search failed');
  }

  async close(): Promise<void> {
    await this.#reading;
    if (this.#file !== undefined) this.#note(true);
  }

  /** Checks the file in another process while it is being searched. */
  #readThrough(why: string): void {
    if (this.#reading !== undefined || this.#file === undefined) return;
    const file = this.#file;
    const { log, signal, onDamage } = this.#options;
    log.info({ file, why }, 'checking the search index');
    this.#readAt = performance.now();
    this.#reading = checkFile(file, signal)
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

  /** Records the state of the file. If the disk is full, the next start checks the file or rebuilds it. */
  #note(isClosed = false): void {
    if (this.#file === undefined) return;
    const { folder, log } = this.#options;
    try {
      const leftAs =
        isClosed && !this.#isSuspect ? 'closed' : this.#isSuspect && !isClosed ? 'suspect' : 'open';
      recordCurrent(folder, this.#file, leftAs);
    } catch (thrown) {
      log.warn(
        isFull(thrown) ? {} : { err: thrown },
        'the state of the search index could not be saved; the next start checks it',
      );
    }
  }
}
