import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { FeedAhead } from './feed-ahead.ts';
import {
  readWeek,
  recordOf,
  verifiedUntilOf,
  type RecordMoment,
  type RecordRow,
  type Week,
} from './record-row.ts';

declare module '../core/context.ts' {
  interface Deps {
    feedRecords: FeedRecords;
  }
}

/** A record as text, without the three members that depend on the moment. */
interface KeptRecord {
  id: string;
  version: string;
  members: string;
  hours: string | null;
  week: number | null;
  /** Until when the hours count as verified, in milliseconds. */
  until: number;
}

export interface VersionedRow extends RecordRow {
  /** The transaction that wrote the place last. */
  version: string;
}

const RECORDS_MAX = 400_000;
const WEEKS_MAX = 50_000;

/**
 * Records that were made for a feed, kept as text by the version of their place: partners read the same places again
 * and again, and making a record costs more than all else in a page. The file is temporary and nobody else's.
 */
export class FeedRecords {
  readonly ahead = new FeedAhead();
  readonly #db = new DatabaseSync('');
  readonly #read: StatementSync;
  readonly #write: StatementSync;
  readonly #destinations = new Map<string, number>();
  #weeks: Week[] = [];
  readonly #weekNumbers = new Map<string, number>();
  #records = 0;

  constructor() {
    this.#db.exec(`
      pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -8192;
      create table record (destination integer not null, id text not null, version text not null, members text not null,
        hours text, week integer, until real not null, primary key (destination, id))`);
    this.#read = this.#db.prepare(
      'select id, version, members, hours, week, until from record where destination = ? and id between ? and ?',
    );
    this.#write = this.#db.prepare('insert or replace into record values (?, ?, ?, ?, ?, ?, ?)');
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
    const texts = new Map<string, string>();
    if (first === undefined || last === undefined) return texts;
    const number = this.#destinations.get(destinationId) ?? -1;
    const wanted = new Map(keys.map(({ id, version }) => [id, version]));
    const write = this.#writer(moment);
    for (const row of this.#read.all(number, first.id, last.id) as unknown as KeptRecord[])
      if (wanted.get(row.id) === row.version) texts.set(row.id, write(row));
    return texts;
  }

  /** Keeps what was read from the record, and gives it as text by id. */
  keep(destinationId: string, rows: readonly VersionedRow[], moment: RecordMoment): Map<string, string> {
    if (this.#records + rows.length > RECORDS_MAX || this.#weeks.length > WEEKS_MAX) this.#forget();
    const number = this.#destinations.get(destinationId) ?? this.#destinations.size;
    this.#destinations.set(destinationId, number);
    const write = this.#writer(moment);
    const texts = new Map<string, string>();
    this.#db.exec('begin');
    for (const row of rows) {
      const kept = this.#prepare(row, moment);
      const { id, version, members, hours, week, until } = kept;
      this.#write.run(number, id, version, members, hours, week, until);
      texts.set(row.id, write(kept));
    }
    this.#db.exec('commit');
    this.#records += rows.length;
    return texts;
  }

  close(): void {
    this.#db.close();
  }

  #prepare(row: VersionedRow, moment: RecordMoment): KeptRecord {
    const { hours, open_now: _open, timezone: _zone, ...members } = recordOf(row, moment);
    const { verified: _verified, ...said } = hours ?? { verified: false };
    return {
      id: row.id,
      version: row.version,
      members: JSON.stringify(members).slice(0, -1),
      hours: hours === null ? null : JSON.stringify(said).slice(0, -1),
      week: row.compiled === null ? null : this.#weekNumber(row.compiled),
      until: Math.max(0, Math.min(verifiedUntilOf(row), Number.MAX_SAFE_INTEGER)),
    };
  }

  #weekNumber(compiled: string): number {
    let number = this.#weekNumbers.get(compiled);
    if (number === undefined) {
      number = this.#weeks.push(readWeek(compiled)) - 1;
      this.#weekNumbers.set(compiled, number);
    }
    return number;
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
    this.#records = 0;
  }
}
