import type { Listener } from '../../core/postgres/listener.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { buildFile, VERIFIED_MS, type BuildOptions } from '../build/build-file.ts';
import { PlaceIndex } from '../place-index.ts';
import { isFull } from '../store/full-disk.ts';
import { removeIndex } from '../store/index-files.ts';
import { openOrNot, type OpenIndex } from '../store/open-index.ts';
import { isDamage } from '../store/stored-place.ts';
import { FileGuard, LOOK_MS } from './file-guard.ts';
import { catchUp, type CaughtUp } from './follow-changes.ts';

/** More changes than this are not taken in one by one: a new build is quicker. */
const FOLLOWED_MAX = 50_000;
const RETRY_MS = 500;
/** A build that failed, for want of room for one, would fail again at once. Without any index it is tried sooner. */
const BUILD_RETRY_MS = MINUTE_MS;
const FIRST_BUILD_RETRY_MS = 5_000;
/** How often file and database are looked at. Nobody tells when one of them is put in the place of another. */
const WATCH_MS = 2_000;
/** So often the database notes that it was followed, even if nothing changed: a copy from before then is told by it. */
const MARK_MS = 10 * MINUTE_MS;

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
  readonly #guard: FileGuard;
  readonly #watching: NodeJS.Timeout[];
  /** Takes in changes: the index in use, or the one that is about to take its place. */
  #followed: OpenIndex | undefined;
  #following: Promise<void> | undefined;
  #again = false;
  /** One, however often it was asked while the database was lost. */
  #nextTry: NodeJS.Timeout | undefined;
  #making: Promise<void> | undefined;
  /** Why the last build failed; the next comes by itself. */
  #failed: string | undefined;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #markedAt = -Infinity;
  /** When the index last had all that the database has. */
  #settledAt = performance.now();
  #fullToldAt = -Infinity;

  private constructor(options: IndexOptions) {
    super(options.clock);
    this.#options = options;
    const { folder, log } = options;
    const onDamage = (file: string, why: string) => {
      if (file === this.file) this.#distrust(why);
    };
    this.#guard = new FileGuard({ folder, log, signal: this.#closing.signal, onDamage });
    const watch = () => {
      this.#watch();
    };
    const look = () => {
      this.#guard.look();
    };
    this.#watching = [setInterval(watch, WATCH_MS).unref()];
    if (options.isShared) this.#watching.push(setInterval(look, LOOK_MS).unref());
  }

  /** Does not wait for the index, which may have to be checked or built: whenReady does. */
  static async open(options: IndexOptions): Promise<OwnIndex> {
    const index = new OwnIndex(options);
    const follow = () => void index.follow();
    await options.listener.on('directory_changed', follow, follow);
    index.#begin();
    return index;
  }

  override get trouble(): string | undefined {
    return this.#failed;
  }

  /** For those who watch over it: whether a file is being made, and how long ago it had all that the database has. */
  get progress(): { isMaking: boolean; behindSeconds: number; failures: number } {
    const behindSeconds = (performance.now() - this.#settledAt) / 1000;
    return { isMaking: this.#making !== undefined, behindSeconds, failures: this.#failures };
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

  override suspectFile(file: string): void {
    this.#guard.suspect(file);
  }

  override async close(): Promise<void> {
    for (const timer of this.#watching) clearInterval(timer);
    clearTimeout(this.#retry);
    this.#closing.abort();
    this.endWaiting();
    await this.#making;
    await this.#following;
    await this.opened?.close();
    this.opened = undefined;
    await this.#guard.close();
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  protected override usable(): OpenIndex | undefined {
    this.#guard.look();
    return this.opened;
  }

  async #followUntilSettled(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        const index = this.#followed;
        // In any case it is waited for: this must not end before whoever called it has noted that it runs.
        const state = await (index && this.#catchUp(index, FOLLOWED_MAX));
        if (state !== undefined && index === this.#followed) this.#actOn(state);
      }
    } catch (thrown) {
      if (isDamage(thrown)) this.#distrust('is damaged', thrown);
      else this.#tellLost(thrown);
      // Without this, what changed would be missing until something else changes.
      clearTimeout(this.#nextTry);
      if (!this.#closed) this.#nextTry = setTimeout(() => void this.follow(), RETRY_MS).unref();
    } finally {
      // In the same turn as the last look: a call that came between the two would be lost.
      this.#following = undefined;
    }
  }

  /** What a full disk says twice a second need not be read twice a second. */
  #tellLost(thrown: unknown): void {
    const { log, folder } = this.#options;
    this.#failures++;
    if (!isFull(thrown)) {
      log.error({ err: thrown }, 'the index could not follow the directory; it will be tried again');
      return;
    }
    if (performance.now() - this.#fullToldAt < BUILD_RETRY_MS) return;
    this.#fullToldAt = performance.now();
    const message =
      'the search index misses changes because its disk is full; it takes them in once there is room';
    log.error({ folder }, message);
  }

  async #catchUp(index: OpenIndex, limit: number): Promise<CaughtUp> {
    const { pool, clock } = this.#options;
    const isInUse = () => index === this.opened;
    const isMarkDue = performance.now() - this.#markedAt > MARK_MS;
    try {
      const writing = () => {
        if (isInUse()) this.#guard.writing();
        return !this.#closed;
      };
      const state = await catchUp(index, pool, { clock, verifiedMs: VERIFIED_MS, limit, isMarkDue }, writing);
      if (isMarkDue && state === 'settled') this.#markedAt = performance.now();
      return state;
    } finally {
      if (isInUse()) this.#guard.written();
    }
  }

  #actOn(state: CaughtUp): void {
    if (state === 'settled') this.#settledAt = performance.now();
    else if (this.#closed) return;
    else if (state === 'foreign') this.#distrust('tells of another state of the database');
    else if (this.#failed === undefined) void this.rebuild();
  }

  #watch(): void {
    this.#guard.watch();
    if (this.opened === undefined && this.#failed === undefined) this.#begin();
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
    this.#guard.release();
    this.onOtherFile(undefined);
    for (const index of distrusted) if (index !== undefined) void discard(index);
    this.#begin();
  }

  /** Takes the file that is there, or makes one. */
  #begin(): void {
    void this.#make(async () => {
      const file = await this.#guard.find();
      if (file === undefined || !(await this.#goOver(file, FOLLOWED_MAX))) await this.#replace();
    });
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
      this.#failed = undefined;
    } catch (thrown) {
      if (this.#closed) return;
      const isForRoom = isFull(thrown);
      const reason = isForRoom ? 'its disk is full' : 'of an error';
      const { log, folder } = this.#options;
      log.error(
        isForRoom ? { folder } : { err: thrown },
        this.isReady
          ? `a new index could not be built because ${reason}; the old one stays, and it is tried again in a minute`
          : `the search index could not be built because ${reason}; it is tried again in five seconds`,
      );
      this.#failures++;
      this.#failed = isForRoom ? 'its disk is full' : 'the log says why';
      const retryMs = this.isReady ? BUILD_RETRY_MS : FIRST_BUILD_RETRY_MS;
      this.#retry = setTimeout(() => (this.#failed = undefined), retryMs).unref();
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
      let why = state === 'behind' ? 'is far behind the database' : 'tells of another state of the database';
      if (index === undefined) why = 'is of another version of the program, or damaged';
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
    const old = this.opened;
    this.opened = index;
    this.#guard.take(index.store.file);
    this.onOtherFile(index.store.file);
    if (old === undefined) return;
    await discard(old);
    this.#options.log.info({ places: index.store.size().places }, 'new index in use');
  }
}

/** The name goes first, so that nobody finds the file meanwhile. */
async function discard(index: OpenIndex): Promise<void> {
  removeIndex(index.store.file);
  await index.close();
}
