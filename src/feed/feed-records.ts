import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Pool } from '../core/postgres/db.ts';
import type { CachedRecord } from './cached-record.ts';
import { FeedPrefetcher } from './feed-prefetcher.ts';
import {
  sourcedHours,
  timeIndependentRecord,
  verifiedUntilOf,
  RecordWeek,
  type RecordMoment,
  type VersionedRow,
} from '../directory/place/record-row.ts';

declare module '../core/context.ts' {
  interface Deps {
    feedRecords: FeedRecords;
  }
}

const RECORDS_MAX = 400_000;
const WEEKS_MAX = 50_000;
/** Rows per insert statement: one statement per row costs more than the row itself. */
const ROWS_AT_ONCE = 20;

/** Cache of feed records as text, by version of their place, in a temporary SQLite file of this process. */
export class FeedRecords {
  readonly prefetcher: FeedPrefetcher;
  readonly #db = new DatabaseSync('');
  readonly #read: StatementSync;
  readonly #insert: StatementSync;
  readonly #insertMany: StatementSync;
  readonly #destinations = new Map<string, number>();
  #weeks: RecordWeek[] = [];
  readonly #weekNumbers = new Map<string, number>();
  #records = 0;
  #sequence = '';
  /** Record lists that were returned and whose week numbers are still valid. */
  #valid = new WeakSet<readonly CachedRecord[]>();

  constructor(pool: Pool) {
    this.prefetcher = new FeedPrefetcher(pool);
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

  /** Clears the cache when the change sequence differs, because the same version may mean another record. */
  useSequence(sequence: string): void {
    if (sequence !== this.#sequence) this.#clear();
    this.#sequence = sequence;
  }

  /** True when any records of this destination are cached. */
  hasDestination(destinationId: string): boolean {
    return this.#destinations.has(destinationId);
  }

  /** Returns the cached records of a key range whose version matches, as text by id. */
  texts(
    destinationId: string,
    keys: readonly { id: string; version: string }[],
    moment: RecordMoment,
  ): Map<string, string> {
    const [first, last] = [keys[0], keys.at(-1)];
    if (first === undefined || last === undefined) return new Map();
    const number = this.#destinations.get(destinationId) ?? -1;
    const versions = new Map(keys.map(({ id, version }) => [id, version]));
    const records = this.#read.all(number, first.id, last.id) as unknown as CachedRecord[];
    return this.#write(
      records.filter(({ id, version }) => versions.get(id) === version),
      moment,
    );
  }

  /** Returns fresh records as text; undefined when their week numbers are invalid, because the cache was cleared. */
  textsOf(records: readonly CachedRecord[], moment: RecordMoment): Map<string, string> | undefined {
    return this.#valid.has(records) ? this.#write(records, moment) : undefined;
  }

  /** Caches rows that were read from the database, and returns them as text by id. */
  addAndRender(
    destinationId: string,
    rows: readonly VersionedRow[],
    moment: RecordMoment,
  ): Map<string, string> {
    return this.#write(this.add(destinationId, rows, moment), moment);
  }

  add(destinationId: string, rows: readonly VersionedRow[], moment: RecordMoment): CachedRecord[] {
    if (this.#records + rows.length > RECORDS_MAX || this.#weeks.length > WEEKS_MAX) this.#clear();
    const number = this.#destinations.get(destinationId) ?? this.#destinations.size;
    this.#destinations.set(destinationId, number);
    const records = rows.map((row) => this.#prepare(row, moment));
    const values = ({ id, version, members, hours, week, until }: CachedRecord) =>
      [number, id, version, members, hours, week, until] as const;
    this.#db.exec('begin');
    const batched = records.length - (records.length % ROWS_AT_ONCE);
    for (let at = 0; at < batched; at += ROWS_AT_ONCE)
      this.#insertMany.run(...records.slice(at, at + ROWS_AT_ONCE).flatMap(values));
    for (const record of records.slice(batched)) this.#insert.run(...values(record));
    this.#db.exec('commit');
    this.#records += rows.length;
    this.#valid.add(records);
    return records;
  }

  close(): void {
    this.#db.close();
  }

  #prepare(row: VersionedRow, moment: RecordMoment): CachedRecord {
    const week = row.compiled === null ? null : this.#weekNumber(row.compiled);
    const recordWeek = week === null ? undefined : this.#weeks[week];
    const hours = sourcedHours(row);
    return {
      id: row.id,
      version: row.version,
      members: JSON.stringify(timeIndependentRecord(row, moment)).slice(0, -1),
      hours:
        hours === null
          ? null
          : `{"structured":${recordWeek?.structuredJson ?? 'null'},${JSON.stringify(hours).slice(1, -1)}`,
      week,
      until: Math.max(0, Math.min(verifiedUntilOf(row, recordWeek), Number.MAX_SAFE_INTEGER)),
    };
  }

  /** Returns the number of a week. Most places share a week with another, so that each is stored once. */
  #weekNumber(compiled: string): number {
    return this.#weekNumbers.getOrInsertComputed(
      compiled,
      () => this.#weeks.push(new RecordWeek(compiled)) - 1,
    );
  }

  #write(records: readonly CachedRecord[], moment: RecordMoment): Map<string, string> {
    const write = this.#writer(moment);
    return new Map(records.map((record) => [record.id, write(record)]));
  }

  /** Adds the members that depend on the time. Whether a week is open is computed once for all its places. */
  #writer({ timezone, now }: RecordMoment): (record: CachedRecord) => string {
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

  #clear(): void {
    this.#db.exec('delete from record');
    this.prefetcher.forget();
    this.#destinations.clear();
    this.#weekNumbers.clear();
    this.#weeks = [];
    this.#valid = new WeakSet();
    this.#records = 0;
  }
}
