import type { Clock } from '../core/clock.ts';
import { PlaceIndex } from './place-index.ts';
import { tryOpenIndex } from './store/open-index.ts';

interface ReadOptions {
  clock: Clock;
  /** Reports a damaged file to the process that writes the index. `isCertain` is false for a suspicion. */
  reportDamage: (file: string, isCertain: boolean) => void;
}

/**
 * The index in a process that only searches. The writing process announces which file is reliable; its changes to that
 * file become visible in the next turn of the event loop.
 */
export class ReadIndex extends PlaceIndex {
  readonly #reportDamage: ReadOptions['reportDamage'];

  constructor({ clock, reportDamage }: ReadOptions) {
    super(clock);
    this.#reportDamage = reportDamage;
  }

  /** Switches to another file, or to none. */
  use(file: string | undefined): void {
    if (file === this.file) return;
    const old = this.opened;
    // If the writer has switched again meanwhile, its next message names the new file.
    this.opened = file === undefined ? undefined : tryOpenIndex(file, true);
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
