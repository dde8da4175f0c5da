import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { TokenPages } from '../../../src/search/store/token-pages.ts';

interface Row {
  rowid: number;
  tokens: string[];
}

suite('the pages of a full-text table that is written whole', () => {
  test('are those that FTS5 itself writes', () => {
    for (const pageBytes of [4_050, 200, 64]) {
      const rows = madeUpRows(6_000);
      const theirs = byFts5(rows, pageBytes);
      const ours = byPages(rows, pageBytes);
      assert.deepEqual(pagesOf(ours), pagesOf(theirs), `pages of ${pageBytes} bytes`);
      assert.deepEqual(termsOf(ours), termsOf(theirs), `pages of ${pageBytes} bytes`);
    }
  });

  test('are sound in the eyes of FTS5, and searched by it', () => {
    const rows = madeUpRows(3_000);
    const db = byPages(rows, 4_050);
    db.exec("insert into token (token) values ('integrity-check')");
    const expected = rows.filter(({ tokens }) => tokens.includes('every') && tokens.includes('w_7'));
    const found = db
      .prepare(`select rowid from token where token match '"every" AND "w_7"' order by rowid`)
      .all();
    assert.deepEqual(
      found.map((row) => row['rowid']),
      expected.map(({ rowid }) => rowid),
    );
  });

  test('are none at all where there is nothing to find', () => {
    const db = byPages([], 4_050);
    db.exec("insert into token (token) values ('integrity-check')");
    assert.deepEqual(db.prepare(`select rowid from token where token match '"any"'`).all(), []);
  });
});

/**
 * Some tokens stand on every row, some on a few, some on one; ids have gaps as large as those between two ranks. All of
 * it fits in a thousand of the smallest pages, after which FTS5 takes a break in merging and begins a new page.
 */
function madeUpRows(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    rowid: Math.floor(i / 700) * 2 ** 40 + i * 3 + 1,
    tokens: [
      ...['every', `w_${i % 13}`, i % 5 === 0 ? 'ümläut' : '寿司'],
      ...(i % 50 === 0 ? [`n_${i}${'x'.repeat(i % 61)}`] : []),
    ],
  }));
}

function newTable(pageBytes: number): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.enableDefensive(false);
  db.exec(
    `create virtual table token using fts5(tokens, content='', columnsize=0, detail=none, tokenize="ascii tokenchars '_'")`,
  );
  if (pageBytes !== 4_050) db.exec(`insert into token (token, rank) values ('pgsz', ${pageBytes})`);
  return db;
}

function byFts5(rows: readonly Row[], pageBytes: number): DatabaseSync {
  const db = newTable(pageBytes);
  const insert = db.prepare('insert into token (rowid, tokens) values (?, ?)');
  insert.setReadBigInts(true);
  // Each half is a part of its own, so that there is something to merge.
  for (const half of [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)]) {
    db.exec('begin');
    for (const { rowid, tokens } of half) insert.run(rowid, tokens.join(' '));
    db.exec('commit');
  }
  db.exec("insert into token (token) values ('optimize')");
  return db;
}

function byPages(rows: readonly Row[], pageBytes: number): DatabaseSync {
  const db = newTable(pageBytes);
  const lists = new Map<string, number[]>();
  for (const [row, { tokens }] of rows.entries())
    for (const token of tokens) {
      const list = lists.get(token);
      if (list === undefined) lists.set(token, [row]);
      else list.push(row);
    }
  const pages = new TokenPages({ statement: (sql) => db.prepare(sql) }, pageBytes);
  const rowids = Float64Array.from(rows, ({ rowid }) => rowid);
  const sorted = [...lists].map(([token, list]) => ({ bytes: Buffer.from(token), list }));
  // A row that comes twice is taken once.
  for (const { bytes, list } of sorted.sort((a, b) => a.bytes.compare(b.bytes)))
    pages.add(bytes, Uint32Array.from(list.flatMap((row) => (row % 3 === 0 ? [row, row] : [row]))), rowids);
  pages.finish(rows.length);
  return db;
}

const SEGMENT_BITS = 37n;

/** By their ids without the number of the segment, which counts the parts that were merged. */
function pagesOf(db: DatabaseSync): { id: bigint; block: string }[] {
  const statement = db.prepare('select id, block from token_data where id > 10 order by id');
  statement.setReadBigInts(true);
  return statement
    .all()
    .map((row) => ({
      id: (row['id'] as bigint) & ((1n << SEGMENT_BITS) - 1n),
      block: Buffer.from(row['block'] as Uint8Array).toString('hex'),
    }));
}

function termsOf(db: DatabaseSync): unknown[] {
  return db.prepare('select hex(term) as term, pgno from token_idx order by 1, 2').all();
}
