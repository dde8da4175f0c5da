import type { Duplex } from 'node:stream';
import pg from 'pg';
import { connectionError } from './connection-error.ts';
import type { Db } from './db.ts';
import type { SentQuery } from './statement.ts';

const LINE_END = 0x0a;

/**
 * Streams the rows of a query with one text column to `take`, in batches of at least `rowsAtOnce` except the last. The
 * server sends them as they are consumed and can use parallel workers, which it does not for a cursor.
 */
export async function copyOut(
  sql: Db,
  query: string,
  rowsAtOnce: number,
  take: (rows: string[]) => Promise<void>,
): Promise<void> {
  const rest = await new Promise<string[]>((resolve, reject) => {
    const copy = new CopyOut(`copy (${query}) to stdout`, rowsAtOnce, take) as CopyOut & SentQuery;
    copy.callback = (error) => {
      if (error) reject(connectionError(error));
      else
        copy.taken.then(() => {
          resolve(copy.texts);
        }, reject);
    };
    sql.send(copy);
  });
  if (rest.length > 0) await take(rest);
}

class CopyOut extends pg.Query {
  texts: string[] = [];
  /** Resolves when `take` has processed everything so far; a failure shows at the end. */
  taken: Promise<void> = Promise.resolve();
  #taking = false;
  #failed = false;
  readonly #rowsAtOnce: number;
  readonly #take: (rows: string[]) => Promise<void>;

  constructor(text: string, rowsAtOnce: number, take: (rows: string[]) => Promise<void>) {
    super(text);
    this.#rowsAtOnce = rowsAtOnce;
    this.#take = take;
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: { stream: Duplex }): void {
    // Rows after a failure are skipped: until the answer ends, the connection accepts no other statement, not even
    // rollback.
    if (this.#failed) return;
    addRows(this.texts, chunk);
    if (this.#taking || this.texts.length < this.#rowsAtOnce) return;
    const batch = this.texts;
    this.texts = [];
    this.#taking = true;
    stream.pause();
    this.taken = this.#take(batch).finally(() => {
      this.#taking = false;
      stream.resume();
    });
    this.taken.catch(() => {
      this.#failed = true;
    });
  }
}

/** Splits into rows. The server sends whole rows, each with a newline; newlines inside a row are escaped. */
function addRows(rows: string[], chunk: Buffer): void {
  for (let start = 0; start < chunk.length;) {
    const newline = chunk.indexOf(LINE_END, start);
    const end = newline < 0 ? chunk.length : newline;
    const text = chunk.toString('utf8', start, end);
    rows.push(text.includes('\\') ? text.replaceAll(ESCAPED, unescaped) : text);
    start = end + 1;
  }
}

const ESCAPED = /\\(.)/g;
const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescaped(_all: string, letter: string): string {
  return CONTROLS[letter] ?? letter;
}
