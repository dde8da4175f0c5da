import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { areaNamed, areasIn, type CountedArea } from './areas/areas-in.ts';
import { knowsTown, type Filters } from './query/stages.ts';
import { countUnverified, searchIndex, type Found, type IndexQuery } from './query/search-index.ts';
import { term } from './store/keys.ts';
import type { OpenIndex } from './store/open-index.ts';
import { categoryKey } from './understand/category-key.ts';
import { isIn } from './understand/part.ts';
import { isDamage } from './store/stored-place.ts';

declare module '../core/context.ts' {
  interface Deps {
    places: PlaceIndex;
  }
}

const RETRY_AFTER_SECONDS = 5;

/**
 * The read index of this machine: one file, which one process keeps up to date (follow/own-index.ts) and others only search
 * (read-index.ts). While there is none that can be relied upon, searches are refused.
 */
export abstract class PlaceIndex {
  readonly #clock: Clock;
  readonly #firstReady = Promise.withResolvers<undefined>();
  protected opened: OpenIndex | undefined;
  /** Hears which file is in use from now on, or that none is. */
  onOtherFile: (file: string | undefined) => void = () => undefined;

  protected constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isReady(): boolean {
    return this.usable() !== undefined;
  }

  /** Why there is no index and none is being made just now. */
  get trouble(): string | undefined {
    return undefined;
  }

  /** Until searches are answered for the first time, or never will be because the node stops. */
  whenReady(): Promise<void> {
    return this.#firstReady.promise;
  }

  /** Whoever waits for the first answers waits no longer. */
  protected endWaiting(): void {
    this.#firstReady.resolve(undefined);
  }

  /** The file that is searched. */
  get file(): string | undefined {
    return this.opened?.store.file;
  }

  /** Takes in what changed in the record, where that is up to this process. */
  abstract follow(): Promise<void>;

  /** Builds a new file beside the one in use and changes over between two requests. */
  abstract rebuild(): Promise<void>;

  /** A file was found damaged. If it is still in use, it is searched no more. */
  abstract distrustFile(file: string, thrown?: unknown): void;

  /** A search failed for a reason that need not lie in the file, but may. */
  abstract suspectFile(file: string): void;

  abstract close(): Promise<void>;

  /** The index, unless it cannot be relied upon now. */
  protected usable(): OpenIndex | undefined {
    return this.opened;
  }

  /** Another text whenever a search may find something else than before. */
  get version(): string {
    return this.#ask((index) => `${index.store.file} ${index.changes}`);
  }

  search(query: IndexQuery): Found {
    return this.#ask((index) => searchIndex(index, query, this.#clock.now()));
  }

  destinationNumber(id: string): number | undefined {
    return this.#ask((index) => index.destinations.get(id)?.number);
  }

  /** The areas of a destination with the most places. */
  areasIn(destination: number, max: number): CountedArea[] {
    return this.#ask((index) => areasIn(index, destination, max));
  }

  /** The area of a destination that a text names, as its places call it. */
  areaNamed(destination: number, text: string): string | undefined {
    return this.#ask((index) => areaNamed(index, destination, text));
  }

  /** Whether some place lies in a town or a part of one that is called so. */
  knowsTown(text: string): boolean {
    return this.#ask((index) => knowsTown(index, text));
  }

  /** The kind of places of a destination that their records call so, in the singular or the plural. */
  kindNamed(destination: number, word: string): string | undefined {
    return this.#ask((index) =>
      [word, word.replace(/s$/, '')]
        .map(categoryKey)
        .find((kind) => isIn(index, destination, term('k', kind))),
    );
  }

  /** How many places have hours that nobody has verified. */
  unverifiedIn(filters: Filters & { destination: number }): number {
    return this.#ask((index) => countUnverified(index, filters));
  }

  /** How large the file is, and how much of it are cards. */
  get size(): { places: number; fileBytes: number; cardBytes: number } {
    return this.#ask(({ store }) => store.size());
  }

  #ask<Answer>(ask: (index: OpenIndex) => Answer): Answer {
    const index = this.usable();
    if (index === undefined) throw unavailable();
    try {
      return ask(index);
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      if (!isDamage(thrown)) {
        this.suspectFile(index.store.file);
        throw thrown;
      }
      this.distrustFile(index.store.file, thrown);
      throw unavailable(thrown);
    }
  }
}

function unavailable(cause?: unknown): AppError {
  return new AppError('maintenance', 'The search index is being made anew. Everything else is answered.', {
    cause,
    hint: 'Ask again in a few seconds.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
