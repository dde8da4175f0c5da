import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR_MS } from '../../core/time.ts';
import { openPhotoStorage, type StorageSettings } from '../../photos/storage/open-storage.ts';
import { isSmallDirectory, runInChild, type BuildOptions } from '../build/build-file.ts';
import { CHANGED_SQL } from '../follow/changed-sql.ts';
import { IndexStore, INDEX_VERSION } from '../store/index-store.ts';
import { removeIndex } from '../store/index-files.ts';
import { IndexLease } from './index-lease.ts';
import { partKeys, type FetchTask, type ShareReport, type ShareTask, type StoredCopy } from './parts.ts';

interface SharedIndexOptions extends BuildOptions {
  storage: StorageSettings;
  signal: AbortSignal;
}

interface SharedCopy extends StoredCopy {
  places: number;
  position: string;
}

/** Steps of the index that a copy is made for. */
interface Steps {
  /** Takes a file into use; false when it is too far behind the database. */
  use: (file: string) => Promise<boolean>;
  build: () => Promise<void>;
}

/** The file depends on the byte order and the page size of the machine. */
const FORMAT = `${INDEX_VERSION}-${process.arch}-${process.platform}`;
const KEPT = 2;
/** A copy that lacks so many changes is replaced by a newer one, and is fetched until it lacks ten times as many. */
const OLD_AFTER = 5_000;
const USABLE_UNTIL = 10 * OLD_AFTER;
/** Interval for looking whether another node has finished. */
const WAIT_MS = 1_000;
/** Copies of other formats may still serve the nodes of another version. */
const OTHER_FORMATS_KEPT = '30 days';
const UNFINISHED_KEPT_MS = 6 * HOUR_MS;

/** Copies of the index in the storage that all nodes see: one node builds, the others fetch. */
export class SharedIndex {
  readonly #options: SharedIndexOptions;
  readonly #lease: IndexLease;
  #sharing: Promise<void> | undefined;
  #isClosed = false;
  /** Present activity, as /readyz describes it. */
  activity: 'fetched' | 'built by another node' | undefined;
  fetches = 0;
  failures = 0;

  constructor(options: SharedIndexOptions) {
    this.#options = options;
    this.#lease = new IndexLease(options.pool, FORMAT);
  }

  /** Fetches the index, or builds it if no node has, while the others wait for that. */
  async obtain({ use, build }: Steps): Promise<void> {
    const { pool, log, signal } = this.#options;
    if (await isSmallDirectory(pool)) return build();
    await this.#sharing;
    const refused = new Set<string>();
    try {
      for (let isLogged = false; ; isLogged = true) {
        if (await this.#fetchUsable(use, refused)) return;
        if (await this.#lease.take()) break;
        this.activity = 'built by another node';
        if (!isLogged) log.info('waiting for the search index that another node builds');
        await delay(WAIT_MS, undefined, { signal });
      }
    } finally {
      this.activity = undefined;
    }
    try {
      // Another node may have finished between the two looks.
      if (await this.#fetchUsable(use, refused)) return;
      await build();
    } finally {
      if (this.#sharing === undefined) await this.#lease.release();
    }
  }

  /** Stores a copy of an index in use for the other nodes, unless they have one that is new enough. */
  share(file: string, isNew: boolean): void {
    if (this.#isClosed) return;
    const { log } = this.#options;
    this.#sharing ??= this.#shareIfDue(file, isNew)
      .catch((thrown: unknown) => {
        if (this.#isClosed) return;
        this.failures++;
        log.warn(
          { err: thrown },
          'the search index could not be put into the shared storage; other nodes build their own',
        );
      })
      .finally(async () => {
        await this.#lease.release();
        this.#sharing = undefined;
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sharing;
  }

  async #fetchUsable(use: Steps['use'], refused: Set<string>): Promise<boolean> {
    for (const copy of await this.#newest()) {
      if (refused.has(copy.id) || (await this.#countChanges(copy, USABLE_UNTIL)) >= USABLE_UNTIL) continue;
      this.activity = 'fetched';
      const file = await this.#fetch(copy);
      this.activity = undefined;
      if (file !== undefined && (await use(file))) {
        this.fetches++;
        return true;
      }
      refused.add(copy.id);
    }
    return false;
  }

  async #newest(): Promise<SharedCopy[]> {
    const { pool } = this.#options;
    const rows = await pool<(Omit<SharedCopy, 'bytes'> & { bytes: string })[]>`
      select id, bytes::text, places, position::text, part_sums from shared_index
      where format = ${FORMAT} and source = change_source() and finished_at is not null
      order by finished_at desc limit ${KEPT}`;
    return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
  }

  /** Counts the places and areas that changed since a copy was made, up to a maximum. */
  async #countChanges({ position }: SharedCopy, max: number): Promise<number> {
    const [row] = await this.#options.pool.unsafe<{ changes: number }[]>(
      `select count(*)::int as changes from (select 1 from place where ${CHANGED_SQL} union all
         select 1 from area where ${CHANGED_SQL} limit $2) few`,
      [position, max],
    );
    return row?.changes ?? 0;
  }

  /** Returns the file; undefined if the copy cannot be used. */
  async #fetch(copy: SharedCopy): Promise<string | undefined> {
    const { folder, storage, log, signal } = this.#options;
    const { id, bytes, places, part_sums } = copy;
    const file = join(folder, `places-${Date.now()}.mdb`);
    const startedAt = performance.now();
    log.info({ id, places, bytes }, 'fetching the search index that another node built');
    try {
      const fetch: FetchTask = { id, bytes, part_sums, file, storage };
      await runInChild({ fetch }, signal, (percent) => {
        log.info({ id, percent }, 'fetching the search index');
      });
      const downloadedAt = performance.now();
      await this.#adopt(file);
      const seconds = Math.round(downloadedAt - startedAt) / 1000;
      log.info({ places, bytes, seconds }, 'index fetched');
      return file;
    } catch (thrown) {
      removeIndex(file);
      if (signal.aborted) throw thrown;
      this.failures++;
      log.warn(
        { err: thrown, id },
        'the shared search index cannot be used; another one is fetched or built',
      );
      return undefined;
    }
  }

  /**
   * Records a fetched file as an index of its own, which notes its own position. Refuses it if the database is not a
   * later state of the one that the copy was made from.
   */
  async #adopt(file: string): Promise<void> {
    const store = new IndexStore(file);
    try {
      const [known] = await this.#options.pool<{ id: string }[]>`
        insert into index_build (followed_xid)
        select pg_current_xact_id() from index_build
        where id = ${store.meta('build') ?? null}::uuid and followed_xid >= ${store.meta('mark') ?? null}::xid8
          and xmin = followed_xid::xid and change_source() = ${store.meta('source') ?? null}
        returning id`;
      if (known === undefined) throw new Error('The copy belongs to another state of the database.');
      store.change(() => {
        store.setMeta('build', known.id);
      });
    } finally {
      await store.close();
    }
  }

  async #shareIfDue(file: string, isNew: boolean): Promise<void> {
    const { pool } = this.#options;
    if (await isSmallDirectory(pool)) return;
    const [newest] = await this.#newest();
    const isDue = newest === undefined || (await this.#countChanges(newest, OLD_AFTER)) >= OLD_AFTER;
    if (!isNew && !isDue) return;
    if (await this.#lease.take()) await this.#store(file);
  }

  async #store(file: string): Promise<void> {
    const { pool, folder, storage, log, signal } = this.#options;
    const startedAt = performance.now();
    const fileBytes = statSync(file).size;
    const [row] = await pool<{ id: string }[]>`
      insert into shared_index (format, bytes) values (${FORMAT}, ${fileBytes}) returning id`;
    const { id = '' } = row ?? {};
    const draft = join(folder, `places-${Date.now()}-copy.part`);
    try {
      const share: ShareTask = { file, draft, id, storage };
      const report = await runInChild<ShareReport>({ share }, signal, (percent) => {
        log.info({ id, percent }, 'sharing the search index');
      });
      const { places, position, bytes, part_sums } = report;
      await pool`
        update shared_index set finished_at = now(), places = ${places}, position = ${position}::pg_snapshot,
          bytes = ${bytes}, part_sums = ${part_sums} where id = ${id}`;
      const seconds = Math.round(performance.now() - startedAt) / 1000;
      log.info({ id, places, bytes, seconds }, 'index shared with the other nodes');
    } finally {
      rmSync(draft, { force: true });
    }
    await this.#removeOld();
  }

  /** Removes all but the newest copies. Their files go first, so that none is left without a row. */
  async #removeOld(): Promise<void> {
    const { pool, storage } = this.#options;
    const old = await pool<{ id: string; bytes: string }[]>`
      select id, bytes::text from shared_index
      where case when finished_at is null then begun_at < now() - ${UNFINISHED_KEPT_MS} * interval '1 ms'
            when format <> ${FORMAT} then finished_at < now() - ${OTHER_FORMATS_KEPT}::interval
            else id not in (select id from shared_index where format = ${FORMAT} and finished_at is not null
                            order by finished_at desc limit ${KEPT}) end`;
    const files = openPhotoStorage(storage);
    for (const { id, bytes } of old) {
      for (const key of partKeys(id, Number(bytes))) await files.delete(key);
      await pool`delete from shared_index where id = ${id}`;
    }
  }
}
