import { LRUCache } from 'lru-cache';
import type { OperationDeps } from '../core/context.ts';
import { queriesSent, type Pool } from '../core/postgres/db.ts';
import type { FeedRange } from './feed.ts';
import { listFeedPlaces } from './feed.ts';
import type { CachedRecord } from './cached-record.ts';
import type { VersionedRow } from '../directory/place/record-row.ts';
import type { RecordMoment } from '../directory/place/record-row.ts';

/** Number of pages of a first sync that are prefetched. */
const PAGES_AHEAD = 8;
/** Pages per query, so that the database does not wait to learn where each page ends. */
const PAGES_AT_ONCE = 4;
const STRETCHES_MAX = 64;
/** Maximum age of a prefetched page that is sent without comparing it with the database again. */
const CURRENT_MS = 2_000;

interface PrefetchedPage {
  records: readonly CachedRecord[];
  /** Key after which the next page begins; null on the last page. */
  next: string | null;
  /** Snapshot of the sync that the page was read for. Changes since that snapshot are part of the next sync. */
  snapshot: string;
  readAt: number;
}

interface SyncRange extends FeedRange {
  snapshot: string;
}

/** A page that is being read. The start of the next page is known before this page's records are built. */
interface PendingPage {
  page: Promise<PrefetchedPage>;
  next: Promise<string | null>;
}

type Ahead = Pick<OperationDeps, 'feedRecords' | 'log'>;

/** Prefetches pages, so that database, service and partner work in parallel during a first sync. */
export class FeedPrefetcher {
  readonly #pool: Pool;
  /** Pages that are being read or were read, by their start. */
  readonly #pages = new LRUCache<string, PendingPage>({ max: STRETCHES_MAX });
  /** Destinations that were read to the end. Later changes there are few, and are read on request. */
  readonly #whole = new Set<string>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Returns the prefetched page of a key range. Waits for a read in progress, so that the range is not read twice. */
  async take(stretch: FeedRange): Promise<PrefetchedPage | undefined> {
    const key = keyOf(stretch);
    const page = await this.#pages.get(key)?.page.catch(() => undefined);
    this.#pages.delete(key);
    return page;
  }

  prefetchAfter(deps: Ahead, stretch: SyncRange, moment: RecordMoment): void {
    if (stretch.since.kind !== 'ever' || this.#whole.has(stretch.destinationId)) return;
    this.#prefetch(deps, stretch, moment).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'a feed could not be prefetched; its pages are read on request');
    });
  }

  /** Marks every destination as unread, because its records were evicted. */
  forget(): void {
    this.#whole.clear();
  }

  async #prefetch(deps: Ahead, first: SyncRange, moment: RecordMoment): Promise<void> {
    let after: string | null = first.after;
    for (let ahead = 0; ahead < PAGES_AHEAD && after !== null; ahead++) {
      const stretch: SyncRange = { ...first, after };
      let pending = this.#pages.get(keyOf(stretch));
      if (pending === undefined) {
        pending = this.#read(deps, stretch, moment);
        this.#pages.set(keyOf(stretch), pending);
      }
      after = await pending.next;
    }
  }

  /** Reads several pages in one query. The later ones are registered as soon as their starts are known. */
  #read(deps: Ahead, stretch: SyncRange, moment: RecordMoment): PendingPage {
    const { destinationId, limit, snapshot } = stretch;
    const readAt = performance.now();
    const rowLimit = limit * PAGES_AT_ONCE;
    const reading = listFeedPlaces(this.#pool, { ...stretch, limit: rowLimit });
    const nextOf = (rows: readonly VersionedRow[], end: number) =>
      end < rows.length || rows.length === rowLimit ? (rows[end - 1]?.id ?? null) : null;
    const buildPage = async (from: number, before: Promise<unknown>): Promise<PrefetchedPage> => {
      const rows = await reading;
      const next = nextOf(rows, from + limit);
      if (next === null) this.#whole.add(destinationId);
      await before;
      // Lets the database start on the following queries while these records are built.
      await queriesSent();
      const records = deps.feedRecords.add(destinationId, rows.slice(from, from + limit), moment);
      return { records, next, snapshot, readAt };
    };
    const page = ignoreRejection(buildPage(0, reading));
    const next = reading.then((rows) => {
      let before = page;
      for (let from = limit; from < rows.length; from += limit) {
        const after = rows[from - 1]?.id ?? '';
        before = ignoreRejection(buildPage(from, before));
        this.#pages.set(keyOf({ ...stretch, after }), {
          page: before,
          next: Promise.resolve(nextOf(rows, from + limit)),
        });
      }
      return nextOf(rows, limit);
    });
    return { page, next };
  }
}

/** Prevents an unhandled rejection, because the page may never be requested. */
function ignoreRejection(page: Promise<PrefetchedPage>): Promise<PrefetchedPage> {
  page.catch(() => undefined);
  return page;
}

/** True when a page may be sent without comparing it with the database again. */
export function isCurrent(page: PrefetchedPage, snapshot: string): boolean {
  return page.snapshot === snapshot && performance.now() - page.readAt < CURRENT_MS;
}

function keyOf({ destinationId, after, limit }: FeedRange): string {
  return `${destinationId}/${after}/${limit}`;
}
