import { copyBytes } from './copy-bytes.ts';
import type { Db } from './db.ts';

const LINE_END = 0x0a;

/** Streams the rows of a query with one text column in batches. Unlike a cursor, it can use parallel workers. */
export async function copyOut(
  sql: Db,
  query: string,
  rowsAtOnce: number,
  take: (rows: string[]) => Promise<void>,
): Promise<void> {
  let rows: string[] = [];
  await copyBytes(sql, query, async (block) => {
    addRows(rows, block);
    if (rows.length < rowsAtOnce) return;
    const batch = rows;
    rows = [];
    await take(batch);
  });
  if (rows.length > 0) await take(rows);
}

/** Splits into rows. The server sends whole rows, each with a newline; newlines inside a row are escaped. */
function addRows(rows: string[], chunk: Buffer): void {
  for (let start = 0; start < chunk.length;) {
    const newline = chunk.indexOf(LINE_END, start);
    const end = newline < 0 ? chunk.length : newline;
    const text = chunk.toString('utf8', start, end);
    rows.push(
      text.includes('\\')
        ? text.replaceAll(ESCAPED, (_, letter: string) => CONTROLS[letter] ?? letter)
        : text,
    );
    start = end + 1;
  }
}

const ESCAPED = /\\(.)/g;
const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
