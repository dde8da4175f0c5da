import { mkdirSync, rmSync } from 'node:fs';
import { AppError } from '../core/errors.ts';
import type { Listener } from '../core/postgres/listener.ts';
import { buildFile, VERIFIED_MS, type BuildOptions } from './build/build-file.ts';
import { followChanges, type CaughtUp, type Follower } from './follow-changes.ts';
import { closeGeneration, openGeneration, type Generation } from './store/generation.ts';
import { stampOf, usableFile } from './store/index-file.ts';
import type { Filters } from './query/match-expression.ts';
import { searchIndex, type Found, type IndexQuery } from './query/search-index.ts';
import { isDamage } from './store/segment.ts';
import { UnverifiedCounts } from './unverified-counts.ts';

declare module '../core/context.ts' {
  interface Deps {
    places: PlaceIndex;
  }
}

/** More changes than this are not taken in one by one: a new build is quicker. */
const FOLLOWED_MAX = 50_000;
const RETRY_MS = 500;
/** A build that failed, for want of room for one, would fail again at once. Without any index it is tried sooner. */
const BUILD_RETRY_MS = 60_000;
const FIRST_BUILD_RETRY_MS = 5_000;
/** How often file and database are looked at. Nobody tells when one of them is put in the place of another. */
const WATCH_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;
/** More than a node takes in between two builds. */
const CHANGES_MAX = 1e9;

interface IndexOptions extends BuildOptions {
  listener: Listener;
}

/**
 * The read index of this node: its own file, made from the record, following the record by its changes. While there is
 * none that can be relied upon, searches are refused; it is made anew by itself.
 */
export class PlaceIndex {
  readonly #options: IndexOptions;
  readonly #unverified = new UnverifiedCounts();
  readonly #closing = new AbortController();
  readonly #firstReady = Promise.withResolvers<undefined>();
  readonly #watching: NodeJS.Timeout;
  #generation: Generation | undefined;
  /** Feeds the generation in use, or the one that is about to take its place. */
  #follower: Follower | undefined;
  #following: Promise<void> | undefined;
  #again = false;
  #making: Promise<void> | undefined;
  /** The last build failed, and the next comes by itself. */
  #failed = false;
  #builds = 0;

  private constructor(options: IndexOptions) {
    this.#options = options;
    this.#watching = setInterval(() => {
      this.#watch();
    }, WATCH_MS).unref();
  }

  /** Does not wait for the index, which may have to be checked or built: whenReady does. */
  static async open(options: IndexOptions): Promise<PlaceIndex> {
    mkdirSync(options.folder, { recursive: true });
    const index = new PlaceIndex(options);
    const follow = () => void index.follow();
    await options.listener.on('directory_changed', follow, follow);
    index.#begin();
    return index;
  }

  get isReady(): boolean {
    return this.#generation !== undefined;
  }

  /** Until searches are answered for the first time, or never will be because the node stops. */
  whenReady(): Promise<void> {
    return this.#firstReady.promise;
  }

  /** Another number whenever a search may find something else than before. */
  get version(): number {
    return this.#builds * CHANGES_MAX + this.#current().changes;
  }

  search(query: IndexQuery): Found {
    return this.#ask((generation) => searchIndex(generation, query, this.#options.clock.now()));
  }

  destinationNumber(id: string): number | undefined {
    return this.#current().destinations.get(id)?.number;
  }

  /** How many places have hours that nobody has verified. Counted once a minute at most for the same question. */
  unverifiedIn(filters: Filters & { destination: number }): number {
    return this.#ask((generation) => this.#unverified.count(generation, filters, this.#options.clock.now()));
  }

  /** Takes in what changed in the record since the last time. Calls that come meanwhile are served by one more. */
  follow(): Promise<void> {
    this.#again = true;
    this.#following ??= this.#followUntilSettled();
    return this.#following;
  }

  /** Builds a new file beside the one in use and changes over between two requests. */
  rebuild(): Promise<void> {
    return this.#make(() => this.#replace());
  }

  async close(): Promise<void> {
    clearInterval(this.#watching);
    this.#closing.abort();
    this.#firstReady.resolve(undefined);
    await this.#making;
    await this.#following;
    if (this.#generation !== undefined) closeGeneration(this.#generation);
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  #current(): Generation {
    if (this.#generation === undefined) throw unavailable();
    return this.#generation;
  }

  #ask<Answer>(ask: (generation: Generation) => Answer): Answer {
    const generation = this.#current();
    try {
      return ask(generation);
    } catch (thrown) {
      if (!isDamage(thrown) && stampOf(generation.file) === generation.stamp) throw thrown;
      this.#distrust('is damaged', thrown);
      throw unavailable(thrown);
    }
  }

  async #followUntilSettled(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        const follower = this.#follower;
        const state = (await follower?.catchUp(FOLLOWED_MAX)) ?? 'settled';
        if (follower === this.#follower) this.#actOn(state);
      }
    } catch (thrown) {
      if (isDamage(thrown)) this.#distrust('is damaged', thrown);
      else
        this.#options.log.error(
          { err: thrown },
          'the index could not follow the directory; it will be tried again',
        );
      // Without this, what changed would be missing until something else changes.
      if (!this.#closed) setTimeout(() => void this.follow(), RETRY_MS).unref();
    } finally {
      // In the same turn as the last look: a call that came between the two would be lost.
      this.#following = undefined;
    }
  }

  #actOn(state: CaughtUp): void {
    if (state === 'settled' || this.#closed) return;
    if (state === 'foreign') this.#distrust('tells of another state of the database');
    else if (state === 'restarted') this.#begin();
    else if (!this.#failed) void this.rebuild();
  }

  #watch(): void {
    const generation = this.#generation;
    if (generation !== undefined && stampOf(generation.file) !== generation.stamp)
      this.#distrust('was changed by something else');
    if (generation === undefined && !this.#failed) this.#begin();
    void this.follow();
  }

  /** No search is answered from what may be wrong. */
  #distrust(why: string, thrown?: unknown): void {
    const { log } = this.#options;
    log.error(
      { err: thrown },
      `the search index ${why}; it is made anew, and searches are refused until then`,
    );
    const distrusted = [this.#generation, this.#follower?.generation];
    this.#generation = undefined;
    this.#follower = undefined;
    for (const generation of distrusted) if (generation !== undefined) discard(generation);
    this.#begin();
  }

  /** Takes the file that is there, or makes one. */
  #begin(): void {
    void this.#make(async () => {
      const file = await usableFile(this.#options.folder, this.#options.log);
      if (file === undefined || !(await this.#goOver(file, FOLLOWED_MAX))) await this.#replace();
    });
  }

  #make(work: () => Promise<void>): Promise<void> {
    this.#making ??= this.#attempt(work).finally(() => {
      this.#making = undefined;
      if (this.isReady) this.#firstReady.resolve(undefined);
    });
    return this.#making;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failed = false;
    } catch (thrown) {
      if (this.#closed) return;
      const message = this.isReady
        ? 'a new index could not be built; the old one stays'
        : 'the search index could not be built; it will be tried again';
      this.#options.log.error({ err: thrown }, message);
      this.#failed = true;
      const retryMs = this.isReady ? BUILD_RETRY_MS : FIRST_BUILD_RETRY_MS;
      setTimeout(() => (this.#failed = false), retryMs).unref();
    }
  }

  async #replace(): Promise<void> {
    const { signal } = this.#closing;
    let isInUse = false;
    while (!isInUse && !this.#closed) {
      isInUse = await this.#goOver(await buildFile(this.#options, signal), Infinity);
    }
  }

  /** Changes over to a file, unless it is too far behind the database or not of it. */
  async #goOver(file: string, limit: number): Promise<boolean> {
    if (this.#closed) return false;
    const generation = openGeneration(file);
    const follower = followChanges(this.#options.pool, generation, this.#options.clock, VERIFIED_MS);
    const state = await follower.catchUp(limit).catch((thrown: unknown) => {
      closeGeneration(generation);
      throw thrown;
    });
    if (state === 'foreign' || state === 'behind') {
      const why =
        state === 'behind' ? 'is far behind the database' : 'tells of another state of the database';
      this.#options.log.warn({ file }, `the search index ${why}; it is made anew`);
      discard(generation);
      return false;
    }
    // From here on changes go to the new generation, which is searched once it has all that the old one has.
    this.#follower = follower;
    await this.follow();
    if (this.#follower !== follower) return false;
    this.#changeOver(generation);
    return true;
  }

  #changeOver(generation: Generation): void {
    const old = this.#generation;
    this.#generation = generation;
    this.#builds++;
    if (old === undefined) return;
    closeGeneration(old);
    if (old.file === generation.file) return;
    rmSync(old.file, { force: true });
    this.#options.log.info({ places: Number(generation.built.segment.meta('places')) }, 'new index in use');
  }
}

function discard(generation: Generation): void {
  closeGeneration(generation);
  rmSync(generation.file, { force: true });
}

function unavailable(cause?: unknown): AppError {
  return new AppError('maintenance', 'The search index is being made anew. Everything else is answered.', {
    cause,
    hint: 'Ask again in a few seconds.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
