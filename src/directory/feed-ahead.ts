import type { Deps } from '../core/context.ts';
import type { FeedStretch } from './feed.ts';
import { listFeedPlaces } from './feed.ts';
import type { RecordMoment } from './record-row.ts';

/** So many pages of a first sync are made before they are asked for. */
const PAGES_AHEAD = 3;
const STRETCHES_MAX = 64;

/**
 * Reads on while a partner still takes in its last page. A first sync of a destination makes every record, which costs
 * more than all else; done ahead, database, service and partner work side by side. What is kept carries its version,
 * so that a page is never older for it.
 */
export class FeedAhead {
  /** The stretches that are being read or were, by where they begin; each gives where the next one does. */
  readonly #stretches = new Map<string, Promise<string | null>>();
  /** Destinations that were read to their end. What changes there later is little, and read when it is asked for. */
  readonly #whole = new Set<string>();

  /** Waits for a stretch that is being read just now, so that it is not read twice. */
  async settled(stretch: FeedStretch): Promise<void> {
    const name = nameOf(stretch);
    await this.#stretches.get(name);
    this.#stretches.delete(name);
  }

  /** Reads what follows a page, without anybody waiting for it. */
  readOn(deps: Deps, stretch: FeedStretch, moment: RecordMoment): void {
    if (stretch.since.kind !== 'ever' || this.#whole.has(stretch.destinationId)) return;
    if (this.#stretches.size >= STRETCHES_MAX) this.#stretches.clear();
    void this.#walk(deps, stretch, moment).catch((thrown: unknown) => {
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

  async #walk(deps: Deps, first: FeedStretch, moment: RecordMoment): Promise<void> {
    let after = first.after;
    for (let page = 0; page < PAGES_AHEAD; page++) {
      const stretch = { ...first, after };
      const name = nameOf(stretch);
      let reading = this.#stretches.get(name);
      if (reading === undefined) this.#stretches.set(name, (reading = this.#read(deps, stretch, moment)));
      const next = await reading;
      if (next === null) return;
      after = next;
    }
  }

  async #read(deps: Deps, stretch: FeedStretch, moment: RecordMoment): Promise<string | null> {
    const rows = await listFeedPlaces(deps.pool, stretch);
    deps.feedRecords.keep(stretch.destinationId, rows, moment);
    if (rows.length === stretch.limit) return rows.at(-1)?.id ?? null;
    this.#whole.add(stretch.destinationId);
    return null;
  }
}

function nameOf({ destinationId, after, limit }: FeedStretch): string {
  return `${destinationId}/${after}/${limit}`;
}
