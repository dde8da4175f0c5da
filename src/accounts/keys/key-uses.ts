import type { Pool } from '../../core/postgres/db.ts';

type WriteUses = (pool: Pool, names: string[], times: string[]) => Promise<unknown>;

export const LAST_USE_INTERVAL_MS = 60_000;
const FLUSH_MS = 1_000;
const REMEMBERED_MAX = 50_000;

/** Records last uses, each at most once a minute and many in one statement, so that reads do not write. */
export class LastUseRecorder {
  readonly #pool: Pool;
  readonly #write: WriteUses;
  /** Read with every request, so it is emptied when it is full, without the bookkeeping of an LRU cache. */
  readonly #noted = new Map<string, number>();
  #pending = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, write: WriteUses = writeKeyUses) {
    this.#pool = pool;
    this.#write = write;
  }

  note(name: string, now: Date): void {
    const before = this.#noted.get(name);
    if (before !== undefined && now.getTime() < before + LAST_USE_INTERVAL_MS) return;
    if (this.#noted.size >= REMEMBERED_MAX) this.#noted.clear();
    this.#noted.set(name, now.getTime());
    this.#pending.set(name, now);
    this.#timer ??= setTimeout(() => void this.#flush().catch(() => undefined), FLUSH_MS).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
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
      and (k.last_used_at is null or k.last_used_at <= used.at - ${LAST_USE_INTERVAL_MS} * interval '1 millisecond')`;
}
