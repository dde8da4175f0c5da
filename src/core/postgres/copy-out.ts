import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from './db.ts';

const LINE_END = 0x0a;
const BYTES_AHEAD = 512 * 1024;

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
  let rows: string[] = [];
  const failures: unknown[] = [];
  const give = () => {
    const given = rows;
    rows = [];
    return take(given);
  };
  const taker = new Writable({
    highWaterMark: BYTES_AHEAD,
    writev(sent: { chunk: Buffer }[], done) {
      if (failures.length === 0) for (const { chunk } of sent) addRows(rows, chunk);
      if (rows.length < rowsAtOnce) {
        done();
        return;
      }
      // What follows is passed over: amid an answer a connection takes no other statement, not even the rollback.
      const failed = (thrown: unknown) => void failures.push(thrown);
      void give()
        .catch(failed)
        .then(() => {
          done();
        });
    },
  });
  await pipeline(await sql.unsafe(`copy (${query}) to stdout`).readable(), taker);
  if (failures.length > 0) throw failures[0];
  if (rows.length > 0) await give();
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
