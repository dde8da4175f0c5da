import type { StatementSync } from 'node:sqlite';
import type { Segment } from './segment.ts';
import { putVarint } from './varint.ts';

/** The size at which FTS5 ends a page, and the first byte that it gives every term. */
const PAGE_BYTES = 4_050;
const MAIN_INDEX = 0x30;
/** The longest term that FTS5 takes. */
const TERM_BYTES_MAX = 32_768;
/** A list that goes on over so many pages gets an index of its own. */
const PAGES_WITH_INDEX = 4;

const SEGMENT = 1;
const SEGMENT_ID = SEGMENT * 2 ** 37;
const LIST_INDEX_ID = SEGMENT_ID + 2 ** 36;
const LEVEL_ID = 2 ** 31;
const STRUCTURE_ID = 10;
const AVERAGES_ID = 1;

/** One page of the index of a list, on its level: the lowest tells the first row of each page, the next of each of these. */
interface ListIndexPage {
  bytes: Buffer;
  length: number;
  number: number;
  firstRow: number;
  lastRow: number;
}

/**
 * Writes the full-text table of a segment in the form that FTS5 itself gives one that was optimised, from terms that
 * come in order. To hand rows to FTS5 instead costs five times as much: it sorts them by term, in parts, and merges those.
 */
export class TokenPages {
  readonly #pageBytes: number;
  readonly #data: StatementSync;
  readonly #terms: StatementSync;
  readonly #page = Buffer.alloc(2 * TERM_BYTES_MAX);
  readonly #starts = Buffer.alloc(PAGE_BYTES);
  #lastTerm = new Uint8Array(TERM_BYTES_MAX);
  #nextTerm = new Uint8Array(TERM_BYTES_MAX);
  readonly #listIndex: ListIndexPage[] = [];
  #length = 4;
  #startsLength = 0;
  #lastStart = 0;
  #lastTermLength = 0;
  #number = 1;
  #termOnPage = false;
  #rowOnPage = false;
  #rows = 0;
  /** The page whose first term is not noted yet, that term's beginning, and how many pages came after without a term. */
  #noted = { page: 1, term: new Uint8Array(), without: 0 };

  constructor(segment: Pick<Segment, 'statement'>, pageBytes = PAGE_BYTES) {
    this.#pageBytes = pageBytes;
    this.#data = segment.statement('replace into token_data (id, block) values (cast(? as integer), ?)');
    this.#terms = segment.statement('insert into token_idx values (?, ?, cast(? as integer))');
    this.#terms.setReadBigInts(true);
    this.#data.setReadBigInts(true);
  }

  /**
   * Adds a term with the rows that have it, given by their places in a list of row ids. Terms come in the order of
   * their bytes, rows in that of their ids; a row that comes again is left out.
   */
  add(text: Uint8Array, rows: Uint32Array, rowids: Float64Array): void {
    if (rows.length === 0) return;
    this.#beginTerm(text);
    for (let i = 0; i < rows.length;) {
      if (this.#length + this.#startsLength >= this.#pageBytes) this.#flush();
      this.#addWhole(rowids[rows[i++] ?? 0] ?? 0);
      i = this.#addSteps(rows, rowids, i);
    }
  }

  #beginTerm(text: Uint8Array): void {
    const [term, last] = [this.#nextTerm, this.#lastTerm];
    const length = Math.min(text.length + 1, TERM_BYTES_MAX);
    term[0] = MAIN_INDEX;
    for (let i = 1; i < length; i++) term[i] = text[i - 1] ?? 0;
    if (this.#length + this.#startsLength + length + 2 >= this.#pageBytes && this.#length > 4) this.#flush();
    this.#startsLength = putVarint(this.#starts, this.#startsLength, this.#length - this.#lastStart);
    this.#lastStart = this.#length;
    let kept = 0;
    const both = Math.min(length, this.#lastTermLength);
    while (kept < both && term[kept] === last[kept]) kept++;
    if (this.#termOnPage) {
      this.#length = putVarint(this.#page, this.#length, kept);
    } else {
      if (this.#number !== 1) this.#note(term.slice(0, kept + 1));
      kept = 0;
    }
    this.#length = putVarint(this.#page, this.#length, length - kept);
    for (let i = kept; i < length; i++) this.#page[this.#length++] = term[i] ?? 0;
    [this.#lastTerm, this.#nextTerm, this.#lastTermLength] = [term, last, length];
    this.#termOnPage = true;
    this.#rowOnPage = true;
    this.#levelOf(0).number = this.#number;
  }

  /** The first row of a list, or of a page, stands there as it is. */
  #addWhole(rowid: number): void {
    if (!this.#rowOnPage) {
      this.#page.writeUInt16BE(this.#length, 0);
      this.#indexList(0, rowid, this.#number);
    }
    this.#length = putVarint(this.#page, this.#length, rowid);
    this.#rowOnPage = true;
    this.#rows++;
  }

  /** The others by how far they are from the one before; gives the first that the page has no room for. */
  #addSteps(rows: Uint32Array, rowids: Float64Array, from: number): number {
    const page = this.#page;
    const end = this.#pageBytes - this.#startsLength;
    let length = this.#length;
    let lastRow = rows[from - 1] ?? 0;
    let last = rowids[lastRow] ?? 0;
    let i = from;
    for (; i < rows.length; i++) {
      const row = rows[i] ?? 0;
      if (row === lastRow) continue;
      if (length >= end) break;
      const rowid = rowids[row] ?? 0;
      length = putVarint(page, length, rowid - last);
      last = rowid;
      lastRow = row;
      this.#rows++;
    }
    this.#length = length;
    return i;
  }

  finish(places: number): void {
    if (this.#length > 4) this.#flush();
    const pages = this.#number - 1;
    if (pages === 0) return;
    this.#note(new Uint8Array());
    const averages = Buffer.alloc(32);
    this.#write(
      AVERAGES_ID,
      averages.subarray(0, putVarint(averages, putVarint(averages, 0, places), this.#rows)),
    );
    const structure = Buffer.alloc(32);
    // After the cookie of its settings: one level, one segment, no writes to count; no merge at work, its pages.
    const length = [1, 1, 0, 0, 1, SEGMENT, 1, pages].reduce((at, fact) => putVarint(structure, at, fact), 4);
    this.#write(STRUCTURE_ID, structure.subarray(0, length));
  }

  #flush(): void {
    this.#page.writeUInt16BE(this.#length, 2);
    if (!this.#termOnPage) this.#noted.without++;
    this.#length += this.#starts.copy(this.#page, this.#length, 0, this.#startsLength);
    this.#write(SEGMENT_ID + this.#number, this.#page.subarray(0, this.#length));
    this.#page.fill(0, 0, 4);
    this.#length = 4;
    this.#startsLength = 0;
    this.#lastStart = 0;
    this.#number++;
    this.#termOnPage = false;
    this.#rowOnPage = false;
  }

  /** Notes where the page is found whose first term came last, and goes on to the page at hand. */
  #note(term: Uint8Array<ArrayBuffer>): void {
    const indexed = this.#noted.without >= PAGES_WITH_INDEX && (this.#listIndex[0]?.length ?? 0) > 0;
    for (const [level, index] of this.#listIndex.entries()) {
      if (index.length === 0) break;
      if (indexed) this.#writeListIndex(level, index);
      index.length = 0;
    }
    this.#terms.run(SEGMENT, this.#noted.term, this.#noted.page * 2 + (indexed ? 1 : 0));
    this.#noted = { page: this.#number, term, without: 0 };
  }

  /** Notes the first row of a page without a term, so that a search can pass over pages. */
  #indexList(level: number, row: number, page: number): void {
    const index = this.#levelOf(level);
    const full = index.length >= this.#pageBytes;
    if (full) {
      index.bytes[0] = 1;
      this.#writeListIndex(level, index);
      const above = this.#levelOf(level + 1);
      if (above.length === 0) {
        above.number = index.number;
        appendFirst(above, 0, index.number, index.firstRow);
      }
      index.length = 0;
      index.number++;
    }
    if (index.length === 0) appendFirst(index, full ? 1 : 0, page, row);
    else index.length = putVarint(index.bytes, index.length, row - index.lastRow);
    index.lastRow = row;
    if (full) this.#indexList(level + 1, row, index.number);
  }

  #levelOf(level: number): ListIndexPage {
    return (this.#listIndex[level] ??= {
      bytes: Buffer.alloc(PAGE_BYTES + 32),
      length: 0,
      number: 0,
      firstRow: 0,
      lastRow: 0,
    });
  }

  #writeListIndex(level: number, { number, bytes, length }: ListIndexPage): void {
    this.#write(LIST_INDEX_ID + level * LEVEL_ID + number, bytes.subarray(0, length));
  }

  #write(id: number, block: Uint8Array): void {
    this.#data.run(id, block);
  }
}

function appendFirst(index: ListIndexPage, inner: 0 | 1, page: number, row: number): void {
  index.length = putVarint(index.bytes, putVarint(index.bytes, putVarint(index.bytes, 0, inner), page), row);
  index.firstRow = row;
  index.lastRow = row;
}
