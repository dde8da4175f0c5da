import { mkdirSync } from 'node:fs';
import type { Listener } from '../core/postgres/listener.ts';
import { buildFile, isSound, VERIFIED_MS, type BuildOptions } from './build/build-file.ts';
import { catchUp, type CaughtUp } from './follow-changes.ts';
import { PlaceIndex } from './place-index.ts';
import { currentFile, noteCurrent, removeIndex, removeOthers, stampOf } from './store/index-files.ts';
import { openOrNot, type OpenIndex } from './store/open-index.ts';
import { isDamage } from './store/stored-place.ts';

/** More changes than this are not taken in one by one: a new build is quicker. */
const FOLLOWED_MAX = 50_000;
const RETRY_MS = 500;
/** A build that failed, for want of room for one, would fail again at once. Without any index it is tried sooner. */
const BUILD_RETRY_MS = 60_000;
const FIRST_BUILD_RETRY_MS = 5_000;
/** How often file and database are looked at. Nobody tells when one of them is put in the place of another. */
const WATCH_MS = 2_000;
/** How old a look at the file may be when a search relies on it. */
const LOOK_MS = 50;

interface IndexOptions extends BuildOptions {
  listener: Listener;
  /** Other processes search the file too, and rely on looks that they do not take themselves. */
  isShared: boolean;
}

/**
 * The index in the hands of the one process that writes it: made from the record, and following it by its changes. What
 * cannot be relied upon is made anew by itself.
 */
export class OwnIndex extends PlaceIndex {
  readonly #options: IndexOptions;
  readonly #closing = new AbortController();
  readonly #watching: NodeJS.Timeout[];
  /** Takes in changes: the index in use, or the one that is about to take its place. */
  #followed: OpenIndex | undefined;
  #following: Promise<void> | undefined;
  #again = false;
  #making: Promise<void> | undefined;
  /** The last build failed, and the next comes by itself. */
  #failed = false;
  /** What the file in use was after it was last written; undefined while it is being written. */
  #stamp: string | undefined;
  #lookedAt = 0;
  #settledAt = performance.now();

  private constructor(options: IndexOptions) {
    super(options.clock);
    this.#options = options;
    const watch = () => {
      this.#watch();
    };
    const look = () => {
      this.#look();
    };
    this.#watching = [setInterval(watch, WATCH_MS).unref()];
    if (options.isShared) this.#watching.push(setInterval(look, LOOK_MS).unref());
  }

  /** Does not wait for the index, which may have to be checked or built: whenReady does. */
  static async open(options: IndexOptions): Promise<OwnIndex> {
    mkdirSync(options.folder, { recursive: true });
    const index = new OwnIndex(options);
    const follow = () => void index.follow();
    await options.listener.on('directory_changed', follow, follow);
    index.#begin();
    return index;
  }

  /** Takes in what changed in the record since the last time. Calls that come meanwhile are served by one more. */
  override follow(): Promise<void> {
    this.#again = true;
    this.#following ??= this.#followUntilSettled();
    return this.#following;
  }

  /** Builds a new file beside the one in use and changes over between two requests. */
  override rebuild(): Promise<void> {
    return this.#make(() => this.#replace());
  }

  override distrustFile(file: string, thrown?: unknown): void {
    if (file === this.file) this.#distrust('is damaged', thrown);
  }

  override async close(): Promise<void> {
    for (const timer of this.#watching) clearInterval(timer);
    this.#closing.abort();
    this.endWaiting();
    await this.#making;
    await this.#following;
    await this.opened?.close();
    this.opened = undefined;
  }

  override get behindMs(): number {
    return performance.now() - this.#settledAt;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  protected override usable(): OpenIndex | undefined {
    this.#look();
    return this.opened;
  }

  /** Whether something else wrote to the file. What it holds then may not even be readable. */
  #look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_MS || this.#stamp === undefined || this.opened === undefined) return;
    this.#lookedAt = now;
    if (stampOf(this.opened.store.file) !== this.#stamp) this.#distrust('was changed by something else');
  }

  async #followUntilSettled(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        const index = this.#followed;
        // In any case it is waited for: this must not end before whoever called it has noted that it runs.
        const state = await (index && this.#catchUp(index, FOLLOWED_MAX));
        if (state === 'settled' && index === this.opened) this.#settledAt = performance.now();
        if (index === this.#followed) this.#actOn(state ?? 'settled');
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

  async #catchUp(index: OpenIndex, limit: number): Promise<CaughtUp> {
    const { pool, clock, folder } = this.#options;
    const isInUse = () => index === this.opened;
    const before = index.changes;
    try {
      const writing = () => {
        if (isInUse()) this.#stamp = undefined;
        return !this.#closed;
      };
      return await catchUp(index, pool, { clock, verifiedMs: VERIFIED_MS, limit }, writing);
    } finally {
      if (isInUse()) {
        this.#stamp = stampOf(index.store.file);
        if (index.changes !== before) noteCurrent(folder, index.store.file);
      }
    }
  }

  #actOn(state: CaughtUp): void {
    if (state === 'settled' || this.#closed) return;
    if (state === 'foreign') this.#distrust('tells of another state of the database');
    else if (!this.#failed) void this.rebuild();
  }

  #watch(): void {
    this.#look();
    if (this.opened === undefined && !this.#failed) this.#begin();
    void this.follow();
  }

  /** No search is answered from what may be wrong. */
  #distrust(why: string, thrown?: unknown): void {
    if (this.opened === undefined && this.#followed === undefined) return;
    const { log } = this.#options;
    log.error(
      { err: thrown },
      `the search index ${why}; it is made anew, and searches are refused until then`,
    );
    const distrusted = new Set([this.opened, this.#followed]);
    this.opened = undefined;
    this.#followed = undefined;
    this.onOtherFile(undefined);
    for (const index of distrusted) if (index !== undefined) void discard(index);
    this.#begin();
  }

  /** Takes the file that is there, or makes one. */
  #begin(): void {
    void this.#make(async () => {
      const file = await this.#usableFile();
      if (file === undefined || !(await this.#goOver(file, FOLLOWED_MAX))) await this.#replace();
    });
  }

  async #usableFile(): Promise<string | undefined> {
    const { folder, log } = this.#options;
    const current = currentFile(folder);
    removeOthers(folder, current?.file);
    if (current === undefined) return undefined;
    if (current.isAsLeft || (await isSound(current.file, this.#closing.signal))) return current.file;
    log.error({ file: current.file }, 'the search index is damaged and is made anew');
    removeIndex(current.file);
    return undefined;
  }

  #make(work: () => Promise<void>): Promise<void> {
    this.#making ??= this.#attempt(work).finally(() => {
      this.#making = undefined;
      if (this.isReady) this.endWaiting();
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
    const index = openOrNot(file);
    const state = index === undefined ? 'foreign' : await this.#catchUp(index, limit);
    if (index === undefined || state !== 'settled') {
      const why =
        state === 'behind' ? 'is far behind the database' : 'tells of another state of the database';
      this.#options.log.warn({ file }, `the search index ${why}; it is made anew`);
      await index?.close();
      removeIndex(file);
      return false;
    }
    // From here on changes go to the new index, which is searched once it has all that the old one has.
    this.#followed = index;
    await this.follow();
    if (this.#followed !== index) return false;
    await this.#changeOver(index);
    return true;
  }

  async #changeOver(index: OpenIndex): Promise<void> {
    const { folder, log } = this.#options;
    const old = this.opened;
    this.opened = index;
    this.#stamp = stampOf(index.store.file);
    noteCurrent(folder, index.store.file);
    this.onOtherFile(index.store.file);
    if (old === undefined) return;
    await discard(old);
    log.info({ places: index.store.size().places }, 'new index in use');
  }
}

/** The name goes first, so that nobody finds the file meanwhile. */
async function discard(index: OpenIndex): Promise<void> {
  removeIndex(index.store.file);
  await index.close();
}
