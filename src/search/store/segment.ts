import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { IndexedRow } from '../build/indexed-row.ts';

/** Bumped whenever the shape or the meaning of the file changes: a node then builds a new one. */
export const INDEX_VERSION = 5;

// The pages that are read most stay in memory. Mapping the file would cost as much memory for whatever pages come first.
const CACHE_KIB = 192 * 1024;

const COLUMNS = 'd.rowid, d.place_id, d.card, d.booked, d.placed';

type Tuple = [rowid: number, placeId: string, card: string, booked: number, placed: number];

/** A page of an answer and one more, which tells whether there is a next. */
const FIRST_PAGE = 21;
const PAGE_GROWTH = 4;

const SCHEMA = `
  create table meta (name text primary key, value text not null) without rowid;
  create table destination (number integer primary key, id text not null unique, slug text not null, timezone text not null);
  create table doc (
    rowid integer primary key, place_id text not null, card text not null, booked integer not null,
    placed integer not null);
  create table hours (id integer primary key, compiled text not null);
  create table open_hours (destination integer not null, hour integer not null, bits blob not null, primary key (destination, hour)) without rowid;
  create table ranked (destination integer primary key, rowids blob not null);
  create table word (id integer primary key, word text not null unique, places integer not null);
  create virtual table word_gram using fts5(grams, content='', detail=none, tokenize="ascii");
`;

/** The tokens of a file that is written once. Its pages are written whole, see TokenPages. */
const WRITTEN_TOKENS = tokenTable('columnsize=0');
/** Rows that can be taken out again need a note on each. */
const CHANGING_TOKENS = tokenTable('contentless_delete=1');

function tokenTable(option: string): string {
  return `create virtual table token using fts5(tokens, content='', ${option}, detail=none, tokenize="ascii tokenchars '_'");`;
}

/** One SQLite file, or one in memory, with the statements that searches need. */
export class Segment {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(db: DatabaseSync) {
    this.db = db;
  }

  /** A new, empty file for one writer that starts over after a crash: nothing needs to be durable on the way. */
  static create(path: string): Segment {
    const db = new DatabaseSync(path);
    // What SQLite guards against here is a program that may not lose its file; a build that fails begins again.
    db.enableDefensive(false);
    db.exec(
      `pragma page_size = 8192; pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; pragma cache_size = -65536`,
    );
    db.exec(SCHEMA + WRITTEN_TOKENS);
    return new Segment(db);
  }

  /** An empty one in memory, whose rows come and go. */
  static inMemory(): Segment {
    const db = new DatabaseSync(':memory:');
    db.exec(`${SCHEMA + CHANGING_TOKENS} create index doc_place on doc (place_id);`);
    return new Segment(db);
  }

  static openReadOnly(path: string): Segment {
    // Nobody writes to it again, so nothing needs to be locked or looked at before each statement.
    const file = pathToFileURL(path);
    file.searchParams.set('immutable', '1');
    const db = new DatabaseSync(file, { readOnly: true });
    db.exec(`pragma mmap_size = 0; pragma cache_size = -${CACHE_KIB}; pragma query_only = on`);
    return new Segment(db);
  }

  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /**
   * Runs a statement that changes something. It reports the last row that was written, which can be one inside a
   * full-text table, with a number that is too large for one of JavaScript: the driver would throw after the change.
   */
  change(sql: string, ...values: SQLInputValue[]): { changes: number; rowid: number } {
    const statement = this.statement(sql);
    statement.setReadBigInts(true);
    const { changes, lastInsertRowid } = statement.run(...values);
    return { changes: Number(changes), rowid: Number(lastInsertRowid) };
  }

  meta(name: string): string | undefined {
    return (
      this.statement('select value from meta where name = ?').get(name) as { value: string } | undefined
    )?.value;
  }

  /** The rows that match (all, without an expression), best first, after a given rank. Pages grow as the caller reads on. */
  *rows(match: string | undefined, after: number): Generator<IndexedRow> {
    const source =
      match === undefined
        ? 'doc d where d.rowid > ? order by d.rowid'
        : // The order must be named by the token's row: by the other, SQLite reads and sorts all that matches.
          'token join doc d on d.rowid = token.rowid where token match ? and token.rowid > ? order by token.rowid';
    const statement = this.#tuples(`select ${COLUMNS} from ${source} limit ?`);
    const asked = match === undefined ? [] : [match];
    let last = after;
    for (let limit = FIRST_PAGE; ; limit *= PAGE_GROWTH) {
      const page = statement.all(...asked, last, limit) as unknown as Tuple[];
      for (const tuple of page) yield new IndexedRow(...tuple);
      const end = page.at(-1);
      if (end === undefined || page.length < limit) return;
      last = end[0];
    }
  }

  /** A statement whose rows come as lists, which costs half of what objects do. */
  #tuples(sql: string): StatementSync {
    const known = this.#statements.has(sql);
    const statement = this.statement(sql);
    if (!known) statement.setReturnArrays(true);
    return statement;
  }

  row(rowid: number): IndexedRow | undefined {
    const statement = this.#tuples(`select ${COLUMNS} from doc d where rowid = ?`);
    const tuple = statement.get(rowid) as unknown as Tuple | undefined;
    return tuple === undefined ? undefined : new IndexedRow(...tuple);
  }

  rowMatches(rowid: number, match: string): boolean {
    // A number is bound as a float, and FTS5 leaves out a rowid that is asked for by anything but an integer.
    const sql = 'select 1 from token where token match ? and rowid = cast(? as integer)';
    return this.statement(sql).get(match, rowid) !== undefined;
  }

  /** How many rows match, and which: to name them takes longer than to count them. */
  count(match: string): number {
    const sql = 'select count(*) as rows from token where token match ?';
    return (this.statement(sql).get(match) as { rows: number }).rows;
  }

  /** Whether at least so many rows match; looks at no more of them. */
  matchesAtLeast(match: string, rows: number): boolean {
    const sql = 'select count(*) as rows from (select 1 from token where token match ? limit ?)';
    return (this.statement(sql).get(match, rows) as { rows: number }).rows >= rows;
  }

  *rowids(match: string): Generator<number> {
    for (const row of this.statement('select rowid from token where token match ?').iterate(match))
      yield (row as { rowid: number }).rowid;
  }

  /** Whether any row has this token. */
  holds(token: string): boolean {
    return (
      this.statement('select 1 from token where token match ? limit 1').get(
        `"${token.replaceAll('"', '')}"`,
      ) !== undefined
    );
  }

  rowidOfPlace(placeId: string): number | undefined {
    return (
      this.statement('select rowid from doc where place_id = ?').get(placeId) as { rowid: number } | undefined
    )?.rowid;
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }
}

/** SQLITE_IOERR, SQLITE_CORRUPT and SQLITE_NOTADB, whose further bits tell more. */
const DAMAGE = new Set([10, 11, 26]);

/** Whether something failed because a file does not hold what was written to it; a card or hours may be no JSON either. */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof SyntaxError) return true;
  return DAMAGE.has(((thrown as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff);
}
