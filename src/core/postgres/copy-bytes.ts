import type { Duplex } from 'node:stream';
import pg from 'pg';
import { connectionError } from './connection-error.ts';
import type { Db } from './db.ts';
import type { SentQuery } from './statement.ts';

const BLOCK_BYTES = 64 * 1024;

/** Streams the result of a query in COPY's text format to `take`, and returns the number of rows. */
export async function copyBytes(
  sql: Db,
  query: string,
  take: (block: Buffer) => Promise<void>,
): Promise<number> {
  const { rows, rest } = await new Promise<{ rows: number; rest: Buffer }>((resolve, reject) => {
    const copy = new CopyBytes(`copy (${query}) to stdout`, take) as CopyBytes & SentQuery;
    copy.callback = (error) => {
      if (error) reject(connectionError(error));
      else copy.taken.then(() => resolve({ rows: copy.sent, rest: copy.flush() }), reject);
    };
    sql.send(copy);
  });
  if (rest.length > 0) await take(rest);
  return rows;
}

class CopyBytes extends pg.Query {
  /** Number of received rows. A member named `rows` would have a meaning for the client. */
  sent = 0;
  taken: Promise<void> = Promise.resolve();
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #taking = false;
  #failed = false;
  readonly #take: (block: Buffer) => Promise<void>;

  constructor(text: string, take: (block: Buffer) => Promise<void>) {
    super(text);
    this.#take = take;
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: { stream: Duplex }): void {
    // Until the answer ends, the connection accepts no other statement, not even rollback.
    if (this.#failed) return;
    this.sent++;
    // The client reuses its own buffer for the next data.
    this.#pending.push(Buffer.from(chunk));
    this.#pendingBytes += chunk.length;
    if (this.#taking || this.#pendingBytes < BLOCK_BYTES) return;
    this.#taking = true;
    stream.pause();
    this.taken = this.#take(this.flush()).finally(() => {
      this.#taking = false;
      stream.resume();
    });
    this.taken.catch(() => (this.#failed = true));
  }

  flush(): Buffer {
    const block = Buffer.concat(this.#pending, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    return block;
  }
}
