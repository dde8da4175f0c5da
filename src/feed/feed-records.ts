import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Pool } from '../core/postgres/db.ts';
import { FeedAhead } from './feed-ahead.ts';
import {
  hoursSaid,
  standingRecord,
  verifiedUntilOf,
  Week,
  type RecordMoment,
  type VersionedRow,
} from '../directory/place/record-row.ts';

declare module '../core/context.ts' {
  interface Deps {
    feedRecords: FeedRecords;
  }
}

/** A record as text, without the three members that depend on the moment. */
export interface KeptRecord {
  id: string;
  version: string;
  members: string;
  hours: string | null;
  week: number | null;
  /** Until when the hours count as verified, in milliseconds. */
  until: number;
}

const RECORDS_MAX = 400_000;
const WEEKS_MAX = 50_000;
/** A statement for each row costs more than its row. */
const ROWS_AT_ONCE = 20;

/**
 * Records that were made for a feed, kept as text by the version of their place: partners read the same places again
 * and again, and making a record costs more than all else in a page. The file is temporary and nobody else's.
 */
export class FeedRecords {
  readonly ahead: FeedAhead;
  readonly #db = new DatabaseSync('');
  readonly #read: StatementSync;
  readonly #insert: StatementSync;
  readonly #insertMany: StatementSync;
  readonly #destinations = new Map<string, number>();
  #weeks: Week[] = [];
  readonly #weekNumbers = new Map<string, number>();
  #records = 0;
  #sequence = '';
  /** What was given out and still fits the numbers of the weeks. */
  #valid = new WeakSet<readonly KeptRecord[]>();

  constructor(pool: Pool) {
    this.ahead = new FeedAhead(pool);
    this.#db.exec(`
      pragma page_size = 8192; pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -8192;
      create table record (destination integer not null, id text not null, version text not null, members text not null,
        hours text, week integer, until real not null, primary key (destination, id))`);
    this.#read = this.#db.prepare(
      'select id, version, members, hours, week, until from record where destination = ? and id between ? and ?',
    );
    const row = '(?, ?, ?, ?, ?, ?, ?)';
    this.#insert = this.#db.prepare(`insert or replace into record values ${row}`);
    const rows = Array<string>(ROWS_AT_ONCE).fill(row).join(', ');
    this.#insertMany = this.#db.prepare(`insert or replace into record values ${rows}`);
  }

  /** In another sequence of changes the same version may be another record. */
  follow(sequence: string): void {
    if (sequence !== this.#sequence) this.#forget();
    this.#sequence = sequence;
  }

  /** Whether records of this destination are kept at all. */
  knows(destinationId: string): boolean {
    return this.#destinations.has(destinationId);
  }

  /** What is kept of a stretch of a destination, as text by id, where the version is the one that is asked for. */
  texts(
    destinationId: string,
    keys: readonly { id: string; version: string }[],
    moment: RecordMoment,
  ): Map<string, string> {
    const [first, last] = [keys[0], keys.at(-1)];
    if (first === undefined || last === undefined) return new Map();
    const number = this.#destinations.get(destinationId) ?? -1;
    const wanted = new Map(keys.map(({ id, version }) => [id, version]));
    const kept = this.#read.all(number, first.id, last.id) as unknown as KeptRecord[];
    return this.#write(
      kept.filter(({ id, version }) => wanted.get(id) === version),
      moment,
    );
  }

  /** Records that were made just now as text; undefined when so many came since that they are no longer known. */
  textsOf(records: readonly KeptRecord[], moment: RecordMoment): Map<string, string> | undefined {
    return this.#valid.has(records) ? this.#write(records, moment) : undefined;
  }

  /** Keeps what was read from the record, and gives it as text by id. */
  keep(destinationId: string, rows: readonly VersionedRow[], moment: RecordMoment): Map<string, string> {
    return this.#write(this.add(destinationId, rows, moment), moment);
  }

  /** Keeps what was read from the record. */
  add(destinationId: string, rows: readonly VersionedRow[], moment: RecordMoment): KeptRecord[] {
    if (this.#records + rows.length > RECORDS_MAX || this.#weeks.length > WEEKS_MAX) this.#forget();
    const number = this.#destinations.get(destinationId) ?? this.#destinations.size;
    this.#destinations.set(destinationId, number);
    const made = rows.map((row) => this.#prepare(row, moment));
    const values = ({ id, version, members, hours, week, until }: KeptRecord) =>
      [number, id, version, members, hours, week, until] as const;
    this.#db.exec('begin');
    const many = made.length - (made.length % ROWS_AT_ONCE);
    for (let at = 0; at < many; at += ROWS_AT_ONCE)
      this.#insertMany.run(...made.slice(at, at + ROWS_AT_ONCE).flatMap(values));
    for (const one of made.slice(many)) this.#insert.run(...values(one));
    this.#db.exec('commit');
    this.#records += rows.length;
    this.#valid.add(made);
    return made;
  }

  close(): void {
    this.#db.close();
  }

  #prepare(row: VersionedRow, moment: RecordMoment): KeptRecord {
    const week = row.compiled === null ? null : this.#weekNumber(row.compiled);
    const known = week === null ? undefined : this.#weeks[week];
    const said = hoursSaid(row);
    return {
      id: row.id,
      version: row.version,
      members: JSON.stringify(standingRecord(row, moment)).slice(0, -1),
      hours:
        said === null
          ? null
          : `{"structured":${known?.structuredJson ?? 'null'},${JSON.stringify(said).slice(1, -1)}`,
      week,
      until: Math.max(0, Math.min(verifiedUntilOf(row, known), Number.MAX_SAFE_INTEGER)),
    };
  }

  /** Most weeks were met before. */
  #weekNumber(compiled: string): number {
    let number = this.#weekNumbers.get(compiled);
    if (number === undefined) {
      number = this.#weeks.push(new Week(compiled)) - 1;
      this.#weekNumbers.set(compiled, number);
    }
    return number;
  }

  #write(kept: readonly KeptRecord[], moment: RecordMoment): Map<string, string> {
    const write = this.#writer(moment);
    return new Map(kept.map((one) => [one.id, write(one)]));
  }

  /** Puts in what depends on the moment. In one place and moment a week is open or not, whoever keeps it. */
  #writer({ timezone, now }: RecordMoment): (kept: KeptRecord) => string {
    const open = new Map<number, string>();
    const zone = JSON.stringify(timezone);
    const at = now.getTime();
    return ({ members, hours, week, until }) => {
      if (hours === null) return `${members},"hours":null,"open_now":null,"timezone":${zone}}`;
      const verified = week !== null && at <= until;
      let isOpen = verified ? open.get(week) : 'null';
      if (isOpen === undefined && week !== null)
        open.set(week, (isOpen = String(this.#weeks[week]?.isOpenAt(timezone, now) ?? null)));
      return `${members},"hours":${hours},"verified":${String(verified)}},"open_now":${isOpen ?? 'null'},"timezone":${zone}}`;
    };
  }

  #forget(): void {
    this.#db.exec('delete from record');
    this.ahead.forget();
    this.#destinations.clear();
    this.#weekNumbers.clear();
    this.#weeks = [];
    this.#valid = new WeakSet();
    this.#records = 0;
  }
}
