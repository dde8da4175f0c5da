import type { Listener } from '../../core/postgres/listener.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { buildFile, VERIFIED_MS, type BuildOptions } from '../build/build-file.ts';
import type { StorageSettings } from '../../photos/storage/open-storage.ts';
import { PlaceIndex } from '../place-index.ts';
import { SharedIndex } from '../share/shared-index.ts';
import { isFull } from '../store/full-disk.ts';
import { removeIndex } from '../store/index-files.ts';
import { tryOpenIndex, type OpenIndex } from '../store/open-index.ts';
import { isDamage } from '../store/stored-place.ts';
import { FileGuard, LOOK_MS } from './file-guard.ts';
import { catchUp, type CatchUpState } from './follow-changes.ts';

/** Maximum number of changes applied one by one. Beyond that, a rebuild is faster. */
const FOLLOWED_MAX = 50_000;
const RETRY_MS = 500;
/**
 * Delay after a failed build, which would fail again at once, for example on a full disk. Shorter when there is no
 * index at all.
 */
const BUILD_RETRY_MS = MINUTE_MS;
const FIRST_BUILD_RETRY_MS = 5_000;
/** Interval for checking file and database: no event announces that one of them was replaced. */
const WATCH_MS = 2_000;
/** Interval for writing a mark to the database even if nothing changed, so that a restored older copy is detected. */
const MARK_MS = 10 * MINUTE_MS;
/** Interval for checking whether other nodes need a newer copy of the index. */
const SHARE_MS = 10 * MINUTE_MS;

interface IndexOptions extends BuildOptions {
  listener: Listener;
  /** True when other processes search the file too and rely on checks of this process. */
  isShared: boolean;
  /** Storage that all nodes see, where there is one. */
  storage?: StorageSettings | undefined;
}

/**
 * The index in the one process that writes it: built from the database and updated by its changes. Rebuilds itself when
 * it is unreliable.
 */
export class OwnIndex extends PlaceIndex {
  readonly #options: IndexOptions;
  readonly #closing = new AbortController();
  readonly #guard: FileGuard;
  /** Copies that nodes build for each other. */
  readonly #copies: SharedIndex | undefined;
  readonly #watching: NodeJS.Timeout[];
  /** Index that receives changes: the one in use, or its replacement. */
  #followed: OpenIndex | undefined;
  #following: Promise<void> | undefined;
  #again = false;
  /** Single retry timer, however many calls came while the database was unavailable. */
  #nextTry: NodeJS.Timeout | undefined;
  #making: Promise<void> | undefined;
  /** Reason for the last failed build. The next attempt starts automatically. */
  #failed: string | undefined;
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #markedAt = -Infinity;
  /** Time when the index last had all changes of the database. */
  #settledAt = performance.now();
  #fullLoggedAt = -Infinity;
  #builds = 0;
  #sharedAt = -Infinity;

  private constructor(options: IndexOptions) {
    super(options.clock);
    this.#options = options;
    const { folder, log } = options;
    const onDamage = (file: string, why: string) => {
      if (file === this.file) this.#distrust(why);
    };
    this.#guard = new FileGuard({ folder, log, signal: this.#closing.signal, onDamage });
    const { storage } = options;
    if (storage !== undefined)
      this.#copies = new SharedIndex({ ...options, storage, signal: this.#closing.signal });
    const watch = () => {
      this.#watch();
    };
    const look = () => {
      this.#guard.look();
    };
    this.#watching = [setInterval(watch, WATCH_MS).unref()];
    if (options.isShared) this.#watching.push(setInterval(look, LOOK_MS).unref());
  }

  /** Does not wait for the index, which may have to be checked or built; use whenReady for that. */
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

  override get activity(): string {
    return this.#copies?.activity ?? super.activity;
  }

  /** State for monitoring: whether a file is being made, the time since the index was up to date, and counts. */
  get progress() {
    return {
      isMaking: this.#making !== undefined,
      behindSeconds: (performance.now() - this.#settledAt) / 1000,
      failures: this.#failures,
      builds: this.#builds,
      fetches: this.#copies?.fetches ?? 0,
      shareFailures: this.#copies?.failures ?? 0,
    };
  }

  /** Applies changes since the last call. Calls made meanwhile share one more run. */
  override follow(): Promise<void> {
    this.#again = true;
    this.#following ??= this.#followUntilSettled();
    return this.#following;
  }

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
    await this.#copies?.close();
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
        // Always await, so that this function does not finish before the caller has stored its promise.
        const state = await (index && this.#catchUp(index, FOLLOWED_MAX));
        if (state !== undefined && index === this.#followed) this.#handleState(state);
      }
    } catch (thrown) {
      if (isDamage(thrown)) this.#distrust('is damaged', thrown);
      else this.#logFailure(thrown);
      // Without a retry, the changes would be missing until the next change.
      clearTimeout(this.#nextTry);
      if (!this.#closed) this.#nextTry = setTimeout(() => void this.follow(), RETRY_MS).unref();
    } finally {
      // In the same turn as the last check of the flag: a call in between would be lost.
      this.#following = undefined;
    }
  }

  /** Logs a failure, at most once a minute for a full disk, which is retried twice a second. */
  #logFailure(thrown: unknown): void {
    const { log, folder } = this.#options;
    this.#failures++;
    if (!isFull(thrown)) {
      log.error({ err: thrown }, 'the index could not apply the changes of the directory; retrying');
      return;
    }
    if (performance.now() - this.#fullLoggedAt < BUILD_RETRY_MS) return;
    this.#fullLoggedAt = performance.now();
    const message =
      'the search index lacks changes because its disk is full; it applies them once there is space';
    log.error({ folder }, message);
  }

  async #catchUp(index: OpenIndex, limit: number): Promise<CatchUpState> {
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

  #handleState(state: CatchUpState): void {
    if (state === 'settled') this.#settledAt = performance.now();
    else if (this.#closed) return;
    else if (state === 'foreign') this.#distrust('belongs to another state of the database');
    else if (this.#failed === undefined) void this.#make(() => this.#obtain());
  }

  #watch(): void {
    this.#guard.watch();
    if (this.opened === undefined && this.#failed === undefined) this.#begin();
    if (this.file !== undefined && performance.now() - this.#sharedAt > SHARE_MS) this.#share(false);
    void this.follow();
  }

  /** Stops answering searches from an index that may be wrong. */
  #distrust(why: string, thrown?: unknown): void {
    if (this.opened === undefined && this.#followed === undefined) return;
    const { log } = this.#options;
    log.error({ err: thrown }, `the search index ${why}; rebuilding, and searches are refused until then`);
    const distrusted = new Set([this.opened, this.#followed]);
    this.opened = undefined;
    this.#followed = undefined;
    this.#guard.release();
    this.onFileChange(undefined);
    for (const index of distrusted) if (index !== undefined) void discard(index);
    this.#begin();
  }

  /** Uses the existing file or builds one. */
  #begin(): void {
    void this.#make(async () => {
      const file = await this.#guard.find();
      if (file === undefined || !(await this.#switchTo(file, FOLLOWED_MAX))) await this.#obtain();
    });
  }

  /** Fetches an index that another node built, or builds one. */
  async #obtain(): Promise<void> {
    if (this.#copies === undefined) return this.#replace();
    await this.#copies.obtain({
      use: (file) => this.#switchTo(file, FOLLOWED_MAX),
      build: async () => {
        await this.#replace();
        this.#share(true);
      },
    });
  }

  #share(isNew: boolean): void {
    this.#sharedAt = performance.now();
    if (this.file !== undefined) this.#copies?.share(this.file, isNew);
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
      const isDiskFull = isFull(thrown);
      const reason = isDiskFull ? 'its disk is full' : 'of an error';
      const { log, folder } = this.#options;
      log.error(
        isDiskFull ? { folder } : { err: thrown },
        this.isReady
          ? `a new index could not be built because ${reason}; the old one stays in use, and the build is retried in a minute`
          : `the search index could not be built because ${reason}; retrying in five seconds`,
      );
      this.#failures++;
      this.#failed = isDiskFull ? 'its disk is full' : 'the log says why';
      const retryMs = this.isReady ? BUILD_RETRY_MS : FIRST_BUILD_RETRY_MS;
      this.#retry = setTimeout(() => (this.#failed = undefined), retryMs).unref();
    }
  }

  async #replace(): Promise<void> {
    const { signal } = this.#closing;
    let isInUse = false;
    while (!isInUse && !this.#closed) {
      const file = await buildFile(this.#options, signal);
      this.#builds++;
      isInUse = await this.#switchTo(file, Infinity);
    }
  }

  /** Switches to a file, unless it is too far behind the database or belongs to another one. */
  async #switchTo(file: string, limit: number): Promise<boolean> {
    if (this.#closed) return false;
    const index = tryOpenIndex(file);
    const state = index === undefined ? 'foreign' : await this.#catchUp(index, limit);
    if (index === undefined || state !== 'settled') {
      let why =
        state === 'behind' ? 'is far behind the database' : 'belongs to another state of the database';
      if (index === undefined) why = 'belongs to another version of the program, or is damaged';
      this.#options.log.warn({ file }, `the search index ${why}; rebuilding`);
      await index?.close();
      removeIndex(file);
      return false;
    }
    // From here on the new index receives changes. It is searched once it has everything that the old one has.
    this.#followed = index;
    await this.follow();
    if (this.#followed !== index) return false;
    await this.#putInUse(index);
    return true;
  }

  async #putInUse(index: OpenIndex): Promise<void> {
    const old = this.opened;
    this.opened = index;
    this.#guard.take(index.store.file);
    this.onFileChange(index.store.file);
    if (old === undefined) return;
    await discard(old);
    this.#options.log.info({ places: index.store.size().places }, 'new index in use');
  }
}

/** Deletes the file of an index, so that no process opens it any more, and then closes the index. */
async function discard(index: OpenIndex): Promise<void> {
  removeIndex(index.store.file);
  await index.close();
}
