import type { Deps } from '../core/context.ts';
import type { FeedStretch } from './feed.ts';
import { listFeedPlaces } from './feed.ts';
import type { KeptRecord } from './feed-records.ts';
import type { RecordMoment } from './record-row.ts';

/** So many pages of a first sync are made before they are asked for. */
const PAGES_AHEAD = 3;
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

/**
 * Reads on while a partner still takes in its last page. A first sync of a destination makes every record, which costs
 * more than all else; done ahead, database, service and partner work side by side.
 */
export class FeedAhead {
  /** The stretches that are being read or were, by where they begin. */
  readonly #pages = new Map<string, Promise<PageAhead>>();
  /** Destinations that were read to their end. What changes there later is little, and read when it is asked for. */
  readonly #whole = new Set<string>();

  /** What was read of a stretch; one that is being read just now is waited for, so that it is not read twice. */
  async take(stretch: FeedStretch): Promise<PageAhead | undefined> {
    const name = nameOf(stretch);
    const page = await this.#pages.get(name);
    this.#pages.delete(name);
    return page;
  }

  /** Reads what follows a page, without anybody waiting for it. */
  readOn(deps: Deps, stretch: SyncStretch, moment: RecordMoment): void {
    if (stretch.since.kind !== 'ever' || this.#whole.has(stretch.destinationId)) return;
    if (this.#pages.size >= STRETCHES_MAX) this.#pages.clear();
    this.#walk(deps, stretch, moment, PAGES_AHEAD).catch((thrown: unknown) => {
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

  async #walk(deps: Deps, first: SyncStretch, moment: RecordMoment, pages: number): Promise<void> {
    let after: string | null = first.after;
    for (let page = 0; page < pages && after !== null; page++) {
      const stretch: SyncStretch = { ...first, after };
      const name = nameOf(stretch);
      const known = this.#pages.get(name);
      if (known === undefined) {
        await this.#read(deps, stretch, moment, pages - page);
        return;
      }
      after = (await known).next;
    }
  }

  /** Reads a stretch. The database goes on with the next one while this one is written. */
  async #read(deps: Deps, stretch: SyncStretch, moment: RecordMoment, pages: number): Promise<void> {
    const { destinationId, limit, snapshot } = stretch;
    const readAt = performance.now();
    const reading = listFeedPlaces(deps.pool, stretch);
    const following = reading.then((rows) => {
      const next = rows.length === limit ? (rows.at(-1)?.id ?? null) : null;
      if (next === null) this.#whole.add(destinationId);
      const more =
        next === null || pages <= 1
          ? undefined
          : this.#walk(deps, { ...stretch, after: next }, moment, pages - 1);
      return { rows, next, more };
    });
    const page = following.then(({ rows, next }) => ({
      records: deps.feedRecords.add(destinationId, rows, moment),
      next,
      snapshot,
      readAt,
    }));
    this.#pages.set(nameOf(stretch), page);
    await page;
    await (
      await following
    ).more;
  }
}

/** Whether a page may be sent without being held against the record once more. */
export function isCurrent(page: PageAhead, snapshot: string): boolean {
  return page.snapshot === snapshot && performance.now() - page.readAt < CURRENT_MS;
}

function nameOf({ destinationId, after, limit }: FeedStretch): string {
  return `${destinationId}/${after}/${limit}`;
}
