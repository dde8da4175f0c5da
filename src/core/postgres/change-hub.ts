import type { Listener } from './listener.ts';

const CHANNEL = 'shown_data_changed';
/** Time for which a change is remembered, for a page that was rendered before it and follows only now. */
const REMEMBERED_MS = 60_000;
/** Clocks of nodes may differ by this much. */
const SKEW_MS = 1_000;

/** Tells the pages of this process what has changed in the database. A topic is a list, such as `bookings`, or an id. */
export class ChangeHub {
  readonly #followers = new Map<string, Set<() => void>>();
  /** When each topic changed last, the oldest first. */
  readonly #changedAt = new Map<string, number>();

  static async open(listener: Listener): Promise<ChangeHub> {
    const hub = new ChangeHub();
    await listener.on(
      CHANNEL,
      (topics) => hub.#announce(topics.split(' ')),
      // Notifications may have been missed, so everything may have changed.
      () => hub.#announce([...hub.#followers.keys()]),
    );
    return hub;
  }

  /** Calls `changed` whenever one of the topics changes, also for a change since the page was read. */
  follow(topics: readonly string[], since: number, changed: () => void): () => void {
    for (const topic of topics)
      this.#followers.set(topic, (this.#followers.get(topic) ?? new Set()).add(changed));
    if (topics.some((topic) => (this.#changedAt.get(topic) ?? -Infinity) >= since - SKEW_MS)) changed();
    return () => {
      for (const topic of topics) {
        const followers = this.#followers.get(topic);
        followers?.delete(changed);
        if (followers?.size === 0) this.#followers.delete(topic);
      }
    };
  }

  #announce(topics: readonly string[]): void {
    const now = Date.now();
    for (const topic of topics) {
      this.#changedAt.delete(topic);
      this.#changedAt.set(topic, now);
    }
    for (const [topic, at] of this.#changedAt) {
      if (at >= now - REMEMBERED_MS) break;
      this.#changedAt.delete(topic);
    }
    for (const changed of new Set(topics.flatMap((topic) => [...(this.#followers.get(topic) ?? [])])))
      changed();
  }
}
