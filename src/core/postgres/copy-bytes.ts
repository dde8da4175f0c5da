import type { Duplex } from 'node:stream';
import pg from 'pg';
import { connectionError } from './connection-error.ts';
import type { Db } from './db.ts';
import type { SentQuery } from './statement.ts';

const BLOCK_BYTES = 64 * 1024;

/** Gives what a query finds to a taker, in the text format of COPY as it stands, and returns how many rows that were. */
export async function copyBytes(
  sql: Db,
  query: string,
  take: (block: Buffer) => Promise<void>,
): Promise<number> {
  const { rows, rest } = await new Promise<{ rows: number; rest: Buffer }>((resolve, reject) => {
    const copy = new CopyBytes(`copy (${query}) to stdout`, take) as CopyBytes & SentQuery;
    copy.callback = (error) => {
      if (error) reject(connectionError(error));
      else
        copy.taken.then(() => {
          resolve({ rows: copy.sent, rest: copy.flush() });
        }, reject);
    };
    sql.send(copy);
  });
  if (rest.length > 0) await take(rest);
  return rows;
}

class CopyBytes extends pg.Query {
  /** How many rows came. A member of the name `rows` would mean something to the client. */
  sent = 0;
  /** What was given so far was taken; what failed shows at the end. */
  taken: Promise<void> = Promise.resolve();
  #held: Buffer[] = [];
  #heldBytes = 0;
  #taking = false;
  #failed = false;
  readonly #take: (block: Buffer) => Promise<void>;

  constructor(text: string, take: (block: Buffer) => Promise<void>) {
    super(text);
    this.#take = take;
  }

  /** The database sends each row on its own. */
  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: { stream: Duplex }): void {
    // What follows a failure is passed over: amid an answer a connection takes no other statement, not even the rollback.
    if (this.#failed) return;
    this.sent++;
    // The client uses its own buffer again for what comes next.
    this.#held.push(Buffer.from(chunk));
    this.#heldBytes += chunk.length;
    if (this.#taking || this.#heldBytes < BLOCK_BYTES) return;
    this.#taking = true;
    stream.pause();
    this.taken = this.#take(this.flush()).finally(() => {
      this.#taking = false;
      stream.resume();
    });
    this.taken.catch(() => {
      this.#failed = true;
    });
  }

  flush(): Buffer {
    const block = Buffer.concat(this.#held, this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
    return block;
  }
}
