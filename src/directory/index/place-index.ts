import { fork } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { Pool } from '../../core/db.ts';
import type { Listener } from '../../core/listener.ts';
import type { Log } from '../../core/log.ts';
import { buildIndex } from './build-index.ts';
import type { BuildNews } from './build-process.ts';
import { followChanges, type Follower } from './follow-changes.ts';
import { Part, type Generation } from './generation.ts';
import type { Filters } from './match-expression.ts';
import type { BuildTask } from './read-places.ts';
import { searchIndex, type Found, type IndexQuery } from './search-index.ts';
import { INDEX_VERSION, Segment } from './segment.ts';
import { UnverifiedCounts } from './unverified-counts.ts';

declare module '../../core/context.ts' {
  interface Deps {
    places: PlaceIndex;
  }
}

const VERIFIED_MS = 365 * 86_400_000;
/** More changes than this are not taken in one by one: a new build is quicker. */
const FOLLOWED_MAX = 50_000;
const RETRY_MS = 500;
/** A build that failed, for want of room for one, would fail again at once. */
const BUILD_RETRY_MS = 60_000;
/** More than a node takes in between two builds. */
const CHANGES_MAX = 1e9;

interface IndexOptions {
  pool: Pool;
  listener: Listener;
  databaseUrl: string;
  folder: string;
  clock: Clock;
  log: Log;
  progress?: (done: number, total: number) => void;
}

/** The read index of this node: its own file, made from the record, following the record by its changes. */
export class PlaceIndex {
  readonly #options: IndexOptions;
  #generation: Generation;
  #follower: Follower;
  #following: Promise<void> | undefined;
  #again = false;
  #rebuilding: Promise<void> | undefined;
  /** The last build failed, and the next comes by itself. */
  #failed = false;
  readonly #unverified = new UnverifiedCounts();
  #builds = 0;
  readonly #closing = new AbortController();

  private constructor(options: IndexOptions, generation: Generation, follower: Follower) {
    this.#options = options;
    this.#generation = generation;
    this.#follower = follower;
  }

  static async open(options: IndexOptions): Promise<PlaceIndex> {
    mkdirSync(options.folder, { recursive: true });
    const file = (await usableFile(options)) ?? (await buildFile(options));
    const opened = openGeneration(options, file);
    const index = new PlaceIndex(options, opened.generation, opened.follower);
    await options.listener.on(
      'directory_changed',
      () => void index.follow(),
      () => void index.follow(),
    );
    await index.follow();
    return index;
  }

  /** Another number whenever a search may find something else than before. */
  get version(): number {
    return this.#builds * CHANGES_MAX + this.#generation.changes;
  }

  search(query: IndexQuery): Found {
    return searchIndex(this.#generation, query, this.#options.clock.now());
  }

  destinationNumber(id: string): number | undefined {
    return this.#generation.destinations.get(id)?.number;
  }

  /** How many places have hours that nobody has verified. Counted once a minute at most for the same question. */
  unverifiedIn(filters: Filters & { destination: number }): number {
    return this.#unverified.count(this.#generation, filters, this.#options.clock.now());
  }

  /** Takes in what changed in the record since the last time. Calls that come meanwhile are served by one more. */
  follow(): Promise<void> {
    this.#again = true;
    this.#following ??= this.#followUntilSettled();
    return this.#following;
  }

  /** Builds a new file beside the one in use and changes over between two requests. */
  rebuild(): Promise<void> {
    this.#rebuilding ??= this.#replace().finally(() => (this.#rebuilding = undefined));
    return this.#rebuilding;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#rebuilding;
    await this.#following;
    this.#generation.built.segment.close();
    this.#generation.fresh.segment.close();
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #followUntilSettled(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        const state = await this.#follower.catchUp(FOLLOWED_MAX);
        if (state !== 'settled' && !this.#failed) void this.rebuild();
      }
    } catch (thrown) {
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

  async #replace(): Promise<void> {
    try {
      const file = await buildFile(this.#options, this.#closing.signal);
      if (this.#closed) return;
      const next = openGeneration(this.#options, file);
      await next.follower.catchUp(Infinity);
      // From here on changes go to the new generation, which is searched once it has all that the old one has.
      this.#follower = next.follower;
      await this.follow();
      this.#changeOver(next.generation);
      this.#failed = false;
    } catch (thrown) {
      if (this.#closed) return;
      this.#options.log.error({ err: thrown }, 'a new index could not be built; the old one stays');
      this.#failed = true;
      setTimeout(() => {
        this.#failed = false;
        void this.follow();
      }, BUILD_RETRY_MS).unref();
    }
  }

  #changeOver(generation: Generation): void {
    const old = this.#generation;
    this.#generation = generation;
    this.#builds++;
    old.built.segment.close();
    old.fresh.segment.close();
    rmSync(old.file, { force: true });
    this.#options.log.info({ places: Number(generation.built.segment.meta('places')) }, 'new index in use');
  }
}

function openGeneration(options: IndexOptions, file: string): { generation: Generation; follower: Follower } {
  const built = new Part(Segment.openReadOnly(file));
  const fresh = new Part(Segment.inMemory());
  const generation = { built, fresh, replaced: new Set<number>(), destinations: new Map(), changes: 0, file };
  return { generation, follower: followChanges(options.pool, generation, options.clock, VERIFIED_MS) };
}

/** The newest file that was made by this version of the program from this very database. */
async function usableFile({ folder, pool }: IndexOptions): Promise<string | undefined> {
  const [server] = await pool<
    { system: string }[]
  >`select system_identifier::text as system from pg_control_system()`;
  const [database] = await pool<{ name: string }[]>`select current_database() as name`;
  const files = readdirSync(folder)
    .filter((name) => /^places-\d+\.sqlite$/.test(name))
    .sort()
    .reverse();
  let usable: string | undefined;
  for (const name of readdirSync(folder))
    if (name.endsWith('.part')) rmSync(join(folder, name), { force: true });
  for (const name of files) {
    const file = join(folder, name);
    if (usable === undefined && isUsable(file, `${server?.system ?? ''}/${database?.name ?? ''}`))
      usable = file;
    else rmSync(file, { force: true });
  }
  return usable;
}

function isUsable(file: string, system: string): boolean {
  try {
    const segment = Segment.openReadOnly(file);
    const usable = segment.meta('version') === String(INDEX_VERSION) && segment.meta('system') === system;
    segment.close();
    return usable;
  } catch {
    return false;
  }
}

/** A small directory is indexed at once; to start a process would take longer than the work. */
const SMALL_DIRECTORY = 2_000;

async function buildFile(options: IndexOptions, signal?: AbortSignal): Promise<string> {
  const { pool, databaseUrl, folder, clock } = options;
  const now = clock.now().getTime();
  const file = join(folder, `places-${Date.now()}.sqlite`);
  const task: BuildTask = { databaseUrl, file, nowMs: now, verifiedSinceMs: now - VERIFIED_MS };
  const [size] = await pool<{ small: boolean }[]>`
    select count(*) < ${SMALL_DIRECTORY} as small from (select 1 from place limit ${SMALL_DIRECTORY}) few`;
  if (size?.small === true) await buildIndex(task, () => undefined);
  else await buildAside(task, options, signal);
  return file;
}

/**
 * Builds in a process of its own: two million places take a minute or two, and requests go on meanwhile. What memory it
 * takes is given back with its end, which a thread would not do.
 */
function buildAside(task: BuildTask, { log, progress }: IndexOptions, signal?: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const child = fork(new URL('build-process.ts', import.meta.url), { signal });
  return new Promise((resolve, reject) => {
    child.on('message', (news: BuildNews) => {
      if ('done' in news) {
        progress?.(news.done, news.total);
      } else if ('failed' in news) {
        reject(new Error(news.failed));
      } else {
        const seconds = Math.round(performance.now() - startedAt) / 1000;
        log.info({ places: news.report.places, seconds }, 'index built');
        resolve();
      }
    });
    child.once('error', reject);
    child.once('exit', () => {
      reject(new Error('The index builder ended early.'));
    });
    child.send(task);
  });
}
