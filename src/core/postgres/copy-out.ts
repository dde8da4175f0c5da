import type { Duplex } from 'node:stream';
import pg from 'pg';
import { connectionError } from './connection-error.ts';
import type { Db } from './db.ts';
import type { SentQuery } from './statement.ts';

const LINE_END = 0x0a;

/**
 * Gives the rows of a query that has one column of text to a taker, at least so many at once but for the last. The
 * database sends them as they are taken, and may have found them with several processes, as it does not for a cursor.
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
  /** What was given so far was taken; what failed shows at the end. */
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
    // What follows a failure is passed over: amid an answer a connection takes no other statement, not even the rollback.
    if (this.#failed) return;
    addRows(this.texts, chunk);
    if (this.#taking || this.texts.length < this.#rowsAtOnce) return;
    const given = this.texts;
    this.texts = [];
    this.#taking = true;
    stream.pause();
    this.taken = this.#take(given).finally(() => {
      this.#taking = false;
      stream.resume();
    });
    this.taken.catch(() => {
      this.#failed = true;
    });
  }
}

/** The database sends whole rows, each with an end of line; one inside of a row it writes in another way. */
function addRows(rows: string[], sent: Buffer): void {
  for (let start = 0; start < sent.length;) {
    const found = sent.indexOf(LINE_END, start);
    const end = found < 0 ? sent.length : found;
    const text = sent.toString('utf8', start, end);
    rows.push(text.includes('\\') ? text.replaceAll(ESCAPED, unescaped) : text);
    start = end + 1;
  }
}

const ESCAPED = /\\(.)/g;
const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescaped(_all: string, letter: string): string {
  return CONTROLS[letter] ?? letter;
}
