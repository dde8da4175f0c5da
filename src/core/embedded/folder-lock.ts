import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

/** Any number of processes may hold `shared`, and one of them `service`. `exclusive` excludes all others. */
type LockKind = 'shared' | 'service' | 'exclusive';

const POLL_MS = 20;
const SLOW_MS = 5_000;
const SQLITE_BUSY = 5;

// SQLite's three locks (SHARED, RESERVED, EXCLUSIVE) are exactly these kinds.
const BEGIN: Record<LockKind, string> = {
  shared: 'begin; select count(*) from sqlite_schema',
  service: 'begin immediate',
  exclusive: 'begin exclusive',
};

// Prevents garbage collection of the databases, which would silently release their locks.
const heldDatabases = new Set<DatabaseSync>();

/** An inter-process lock that the kernel releases when its holder dies. It uses SQLite's locks on an empty file. */
export class LockFile {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 0 });
    heldDatabases.add(this.#database);
  }

  tryLock(kind: LockKind): boolean {
    try {
      // Without an in-memory journal SQLite would leave a journal file beside the lock.
      this.#database.exec(`pragma journal_mode = memory; ${BEGIN[kind]}`);
      return true;
    } catch (error) {
      this.unlock();
      if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
      throw error;
    }
  }

  unlock(): void {
    if (this.#database.isTransaction) this.#database.exec('rollback');
  }

  close(): void {
    this.#database.close();
    heldDatabases.delete(this.#database);
  }
}

/** Runs `action` while no other process, and no other caller in this one, holds the same lock. */
export async function withExclusiveLock<T>(
  path: string,
  onSlow: () => void,
  action: () => Promise<T>,
): Promise<T> {
  const lock = new LockFile(path);
  const slow = setTimeout(onSlow, SLOW_MS);
  try {
    while (!lock.tryLock('exclusive')) await delay(POLL_MS);
    clearTimeout(slow);
    return await action();
  } finally {
    clearTimeout(slow);
    lock.close();
  }
}
