import type { Pool } from '../../core/postgres/db.ts';

/** What was used, and when: writes it all in one statement. */
export type WriteUses = (pool: Pool, names: string[], times: string[]) => Promise<unknown>;

export const NOTED_EVERY_MS = 60_000;
const FLUSH_MS = 1_000;
const REMEMBERED_MAX = 50_000;

/**
 * When keys, or whatever else `write` writes, were last used. Each is noted at most once a minute, and all that came up within a second go out in one
 * statement, so that a read does not become a write.
 */
export class KeyUses {
  readonly #pool: Pool;
  readonly #write: WriteUses;
  readonly #noted = new Map<string, number>();
  #pending = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, write: WriteUses = writeKeyUses) {
    this.#pool = pool;
    this.#write = write;
  }

  note(name: string, now: Date): void {
    const before = this.#noted.get(name);
    if (before !== undefined && now.getTime() < before + NOTED_EVERY_MS) return;
    if (this.#noted.size >= REMEMBERED_MAX) this.#noted.clear();
    this.#noted.set(name, now.getTime());
    this.#pending.set(name, now);
    this.#timer ??= setTimeout(() => void this.#flush().catch(() => undefined), FLUSH_MS).unref();
  }

  /** Writes what is still to be written. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    // Whoever ends the service does not wait for a database that is gone.
    await this.#flush().catch(() => undefined);
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    const uses = [...this.#pending];
    this.#pending = new Map();
    if (uses.length === 0) return;
    await this.#write(
      this.#pool,
      uses.map(([name]) => name),
      uses.map(([, at]) => at.toISOString()),
    );
  }
}

async function writeKeyUses(pool: Pool, hashes: string[], times: string[]): Promise<void> {
  await pool`
    update api_key k set last_used_at = greatest(k.last_used_at, used.at)
    from unnest(${hashes}::text[], ${times}::text[]::timestamptz[]) as used(hash, at)
    where k.hash = decode(used.hash, 'hex')
      and (k.last_used_at is null or k.last_used_at <= used.at - ${NOTED_EVERY_MS} * interval '1 millisecond')`;
}
