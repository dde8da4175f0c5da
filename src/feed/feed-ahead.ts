import type { OperationDeps } from '../core/context.ts';
import { queriesSent, type Pool } from '../core/postgres/db.ts';
import type { FeedStretch } from './feed.ts';
import { listFeedPlaces } from './feed.ts';
import type { KeptRecord } from './feed-records.ts';
import type { VersionedRow } from '../directory/place/record-row.ts';
import type { RecordMoment } from '../directory/place/record-row.ts';

/** So many pages of a first sync are made before they are asked for. */
const PAGES_AHEAD = 8;
/** And so many of them are asked for at once: the database is not kept waiting for where each one ends. */
const PAGES_AT_ONCE = 4;
const STRETCHES_MAX = 64;
/** What was read longer ago is held against the record before it is sent. */
const CURRENT_MS = 2_000;

/** A page that was read before it was asked for. */
export interface PageAhead {
  records: readonly KeptRecord[];
  /** Where the next one begins; null when there is none. */
  next: string | null;
  /** The sync that it was read for: whatever changed since that began comes with the next sync again. */
  snapshot: string;
  readAt: number;
}

/** A stretch, and the sync that it is a part of. */
export interface SyncStretch extends FeedStretch {
  snapshot: string;
}

/** A page on its way: where the next one begins is known before its own records are made. */
interface Coming {
  page: Promise<PageAhead>;
  next: Promise<string | null>;
}

type Ahead = Pick<OperationDeps, 'feedRecords' | 'log'>;

/**
 * Reads on while a partner still takes in its last page. A first sync of a destination makes every record, which costs
 * more than all else; done ahead, database, service and partner work side by side.
 */
export class FeedAhead {
  readonly #pool: Pool;
  /** The stretches that are being read or were, by where they begin. */
  readonly #pages = new Map<string, Coming>();
  /** Destinations that were read to their end. What changes there later is little, and read when it is asked for. */
  readonly #whole = new Set<string>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** What was read of a stretch; one that is being read just now is waited for, so that it is not read twice. */
  async take(stretch: FeedStretch): Promise<PageAhead | undefined> {
    const name = nameOf(stretch);
    const page = await this.#pages.get(name)?.page.catch(() => undefined);
    this.#pages.delete(name);
    return page;
  }

  /** Reads what follows a page, without anybody waiting for it. */
  readOn(deps: Ahead, stretch: SyncStretch, moment: RecordMoment): void {
    if (stretch.since.kind !== 'ever' || this.#whole.has(stretch.destinationId)) return;
    if (this.#pages.size >= STRETCHES_MAX) this.#pages.clear();
    this.#walk(deps, stretch, moment).catch((thrown: unknown) => {
      deps.log.warn(
        { err: thrown },
        'a feed could not be read ahead; its pages are read when they are asked for',
      );
    });
  }

  /** Forgets what was read, because it is no longer kept. */
  forget(): void {
    this.#whole.clear();
  }

  async #walk(deps: Ahead, first: SyncStretch, moment: RecordMoment): Promise<void> {
    let after: string | null = first.after;
    for (let ahead = 0; ahead < PAGES_AHEAD && after !== null; ahead++) {
      const stretch: SyncStretch = { ...first, after };
      let coming = this.#pages.get(nameOf(stretch));
      if (coming === undefined) {
        coming = this.#read(deps, stretch, moment);
        this.#pages.set(nameOf(stretch), coming);
      }
      after = await coming.next;
    }
  }

  /** Reads a stretch and those after it, which take their places once it is known where they begin. */
  #read(deps: Ahead, stretch: SyncStretch, moment: RecordMoment): Coming {
    const { destinationId, limit, snapshot } = stretch;
    const readAt = performance.now();
    const asked = limit * PAGES_AT_ONCE;
    const reading = listFeedPlaces(this.#pool, { ...stretch, limit: asked });
    const nextOf = (rows: readonly VersionedRow[], end: number) =>
      end < rows.length || rows.length === asked ? (rows[end - 1]?.id ?? null) : null;
    const make = async (from: number, before: Promise<unknown>): Promise<PageAhead> => {
      const rows = await reading;
      const next = nextOf(rows, from + limit);
      if (next === null) this.#whole.add(destinationId);
      await before;
      // The database goes on with what follows while these records are made.
      await queriesSent();
      const records = deps.feedRecords.add(destinationId, rows.slice(from, from + limit), moment);
      return { records, next, snapshot, readAt };
    };
    const page = untaken(make(0, reading));
    const next = reading.then((rows) => {
      let before = page;
      for (let from = limit; from < rows.length; from += limit) {
        const after = rows[from - 1]?.id ?? '';
        before = untaken(make(from, before));
        this.#pages.set(nameOf({ ...stretch, after }), {
          page: before,
          next: Promise.resolve(nextOf(rows, from + limit)),
        });
      }
      return nextOf(rows, limit);
    });
    return { page, next };
  }
}

/** A page that nobody may ever ask for: what failed is heard of by whoever does, and then read once more. */
function untaken(page: Promise<PageAhead>): Promise<PageAhead> {
  page.catch(() => undefined);
  return page;
}

/** Whether a page may be sent without being held against the record once more. */
export function isCurrent(page: PageAhead, snapshot: string): boolean {
  return page.snapshot === snapshot && performance.now() - page.readAt < CURRENT_MS;
}

function nameOf({ destinationId, after, limit }: FeedStretch): string {
  return `${destinationId}/${after}/${limit}`;
}
