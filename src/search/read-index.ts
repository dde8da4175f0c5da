import type { Clock } from '../core/clock.ts';
import { PlaceIndex } from './place-index.ts';
import { openOrNot } from './store/open-index.ts';

interface ReadOptions {
  clock: Clock;
  /** Tells the process that writes the index what was found in its file, and whether that is certain. */
  reportDamage: (file: string, isCertain: boolean) => void;
}

/**
 * The index in a process that only searches. The one that writes it says which file may be relied upon; what it changes in
 * that file is seen in the next turn of the event loop.
 */
export class ReadIndex extends PlaceIndex {
  readonly #reportDamage: ReadOptions['reportDamage'];

  constructor({ clock, reportDamage }: ReadOptions) {
    super(clock);
    this.#reportDamage = reportDamage;
  }

  /** Searches a file from now on, or none. */
  use(file: string | undefined): void {
    if (file === this.file) return;
    const old = this.opened;
    // Where the writer has gone over to yet another one meanwhile, it says so next.
    this.opened = file === undefined ? undefined : openOrNot(file, true);
    void old?.close();
    if (this.isReady) this.endWaiting();
  }

  override follow(): Promise<void> {
    return Promise.resolve();
  }

  override rebuild(): Promise<void> {
    return Promise.reject(new Error('Only the process that writes the index builds it.'));
  }

  override distrustFile(file: string): void {
    if (file !== this.file) return;
    this.use(undefined);
    this.#reportDamage(file, true);
  }

  override suspectFile(file: string): void {
    this.#reportDamage(file, false);
  }

  override async close(): Promise<void> {
    this.endWaiting();
    await this.opened?.close();
    this.opened = undefined;
  }
}
