import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { fold } from '../core/text/fold.ts';
import type { DestinationSnapshot } from '../directory/destinations.ts';
import type { Languages } from '../core/text/languages.ts';
import { areasNamed } from './areas/area-names.ts';
import { areaNamed, areasIn, localizedArea, type CountedArea } from './areas/areas-in.ts';
import { knowsTown, type Filters } from './query/stages.ts';
import { areasStarting, completeText, type FoundArea } from './query/complete-text.ts';
import { completeKind } from './query/spelling.ts';
import type { IndexQuery, SearchResult } from './query/index-query.ts';
import { countUnverified, searchIndex } from './query/search-index.ts';
import type { FoundLandmark } from './landmark/landmark.ts';
import { FREEDOMS, resolveLandmark } from './landmark/resolve-landmark.ts';
import { withLists } from './store/list.ts';
import { term, WORLD } from './store/keys.ts';
import type { OpenIndex } from './store/open-index.ts';
import { categoryKey } from './understand/category-key.ts';
import { isIn } from './understand/part.ts';
import type { AskedIn, Question } from './understand/question/read-question.ts';
import { readText } from './understand/read-text.ts';
import { isDamage } from './store/stored-place.ts';

declare module '../core/context.ts' {
  interface Deps {
    places: PlaceIndex;
  }
}

const RETRY_AFTER_SECONDS = 5;

/**
 * The search index of this node: one file, which one process keeps up to date (follow/own-index.ts) and
 * others only search (read-index.ts). Searches are refused while there is no reliable file.
 */
export abstract class PlaceIndex {
  readonly #clock: Clock;
  readonly #firstReady = Promise.withResolvers<undefined>();
  protected opened: OpenIndex | undefined;
  /** Called with the file in use, or undefined when there is none. */
  onFileChange: (file: string | undefined) => void = () => undefined;

  protected constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isReady(): boolean {
    return this.usable() !== undefined;
  }

  /** Reason why there is no index and none is being built. */
  get trouble(): string | undefined {
    return undefined;
  }

  /** State of the index while there is none to search. */
  get activity(): string {
    return 'built';
  }

  /** Resolves when searches can be answered for the first time, or when the node stops before that. */
  whenReady(): Promise<void> {
    return this.#firstReady.promise;
  }

  protected endWaiting(): void {
    this.#firstReady.resolve(undefined);
  }

  /** Path of the file that is searched. */
  get file(): string | undefined {
    return this.opened?.store.file;
  }

  /** Applies changes from the database, if this process is responsible for that. */
  abstract follow(): Promise<void>;

  /** Builds a new file beside the one in use and switches over between two requests. */
  abstract rebuild(): Promise<void>;

  /** Reports a damaged file, which is searched no more if it is still in use. */
  abstract distrustFile(file: string, thrown?: unknown): void;

  /** Reports a search failure that the file may have caused. */
  abstract suspectFile(file: string): void;

  abstract close(): Promise<void>;

  /** Returns the index if it is reliable. */
  protected usable(): OpenIndex | undefined {
    return this.opened;
  }

  /** Changes whenever a search may return something else. */
  get version(): string {
    return this.#query((index) => `${index.store.file} ${index.changes}`);
  }

  search(query: IndexQuery): SearchResult {
    return this.#query((index) => searchIndex(index, query, this.#clock.now()));
  }

  readQuestion(question: string, asked: AskedIn): Question {
    return this.#query((index) =>
      readText(question, { index, scope: WORLD, destinations: undefined }, asked),
    );
  }

  destinationNumber(id: string): number | undefined {
    return this.#query((index) => index.destinations.get(id)?.number);
  }

  /** Returns the kinds of most places that begin with a text. */
  kindsStarting(text: string, max: number): string[] {
    return this.#query((index) => completeKind(index.store, fold(text), max));
  }

  areasStarting(text: string, max: number): FoundArea[] {
    return this.#query((index) => areasStarting(index, text, max));
  }

  /** Completes the name that a text ends in, for a search. */
  completeText(text: string, destinations: DestinationSnapshot): string[] {
    return this.#query((index) =>
      withLists(() => completeText(index, text, destinations, this.#clock.now())),
    );
  }

  areasIn(destination: number, max: number): CountedArea[] {
    return this.#query((index) => areasIn(index, destination, max));
  }

  areaNamed(destination: number, text: string): string | undefined {
    return this.#query((index) => areaNamed(index, destination, text));
  }

  /** Finds the landmark that words name, in a destination or close to it. */
  landmark(
    destination: number,
    destinations: DestinationSnapshot,
    words: string,
    isLoose: boolean,
  ): FoundLandmark | undefined {
    const freedoms = isLoose ? FREEDOMS.slice(1) : FREEDOMS.slice(0, 1);
    return this.#query((index) =>
      withLists(() => {
        const within = { index, scope: destination, destinations };
        for (const freedom of freedoms) {
          const found = resolveLandmark(within, words, freedom);
          if (found?.isNamed === true) return found;
        }
        return undefined;
      }),
    );
  }

  /** Returns names of areas in the reader's language, or as they are while there is no index. */
  localizedAreas(areas: readonly string[], country: string, languages: Languages): string[] {
    const index = languages.length === 0 ? undefined : this.usable();
    if (index === undefined) return [...areas];
    return this.#query((one) => areas.map((area) => localizedArea(one, { area, country }, languages)));
  }

  /** True when places anywhere lie in an area of this name. */
  hasArea(text: string): boolean {
    return this.#query((index) => areasNamed(index, text).length > 0);
  }

  hasTown(text: string): boolean {
    return this.#query((index) => knowsTown(index, text));
  }

  /** Finds a kind of the places in a destination by its name, in the singular or the plural. */
  kindNamed(destination: number, word: string): string | undefined {
    return this.#query((index) =>
      [word, word.replace(/s$/, '')]
        .map(categoryKey)
        .find((kind) => isIn(index, destination, term('k', kind))),
    );
  }

  unverifiedIn(filters: Filters & { destination: number }): number {
    return this.#query((index) => countUnverified(index, filters));
  }

  /** Size of the file, and of the cards in it. */
  get size(): { places: number; fileBytes: number; cardBytes: number } {
    return this.#query(({ store }) => store.size());
  }

  #query<Answer>(run: (index: OpenIndex) => Answer): Answer {
    const index = this.usable();
    if (index === undefined) throw unavailable();
    try {
      return run(index);
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
  return new AppError('maintenance', 'The search index is being rebuilt. Everything else works.', {
    cause,
    hint: 'Try again in a few seconds.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
