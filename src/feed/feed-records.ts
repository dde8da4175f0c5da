import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Pool } from '../core/postgres/db.ts';
import { jsonMember, writeMembers } from '../core/text/json-text.ts';
import type { Languages } from '../core/text/languages.ts';
import { joinFacts, quoteUntrusted } from '../core/text/tool-text.ts';
import { hoursJson, recordJson } from '../directory/place/place-fields.ts';
import { phoneTexts, shownPhones } from '../directory/place/shown-phones.ts';
import type { GeneratedName } from '../directory/place/generated-name.ts';
import { chooseDisplayName, type NamesByLanguage } from '../directory/place/place-names.ts';
import type { CachedRecord } from './cached-record.ts';
import { FeedPrefetcher } from './feed-prefetcher.ts';
import {
  sourcedHours,
  storedRecord,
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

/** Time and reader of a page. */
interface FeedMoment extends RecordMoment {
  country: string;
  /** Languages for names; undefined: names as on the signs. */
  languages: Languages | undefined;
}

/** A record of the feed. */
export interface FeedRecord {
  json: string;
  /** The place as one line of text. */
  line: string;
}

const RECORDS_MAX = 400_000;
const WEEKS_MAX = 50_000;
/** Rows per insert statement: one statement per row costs more than the row itself. */
const ROWS_AT_ONCE = 20;

/** Everything that the name of a record in the reader's language depends on. */
type NamesInCache = { names: NamesByLanguage } & Pick<GeneratedName, 'name_generated' | 'category' | 'area'>;

/** Null for a record with one name. */
function namesJson(row: VersionedRow, names: NamesByLanguage | undefined): string | null {
  const { name_generated, category, area } = row;
  if (name_generated)
    return JSON.stringify({ names: {}, name_generated, category, area } satisfies NamesInCache);
  return names === undefined ? null : JSON.stringify({ names } satisfies NamesInCache);
}

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
      create table record (destination integer not null, id text not null, version text not null, name text not null,
        names text, members text not null, hours text, line text not null, week integer, until real not null, hours_from text, primary key (destination, id))`);
    this.#read = this.#db.prepare(
      'select id, version, name, names, members, hours, line, week, until, hours_from from record where destination = ? and id between ? and ?',
    );
    const row = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
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
    moment: FeedMoment,
  ): Map<string, FeedRecord> {
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
  textsOf(records: readonly CachedRecord[], moment: FeedMoment): Map<string, FeedRecord> | undefined {
    return this.#valid.has(records) ? this.#write(records, moment) : undefined;
  }

  /** Caches rows that were read from the database, and returns them as text by id. */
  addAndRender(
    destinationId: string,
    rows: readonly VersionedRow[],
    moment: FeedMoment,
  ): Map<string, FeedRecord> {
    return this.#write(this.add(destinationId, rows, moment), moment);
  }

  add(destinationId: string, rows: readonly VersionedRow[], moment: RecordMoment): CachedRecord[] {
    if (this.#records + rows.length > RECORDS_MAX || this.#weeks.length > WEEKS_MAX) this.#clear();
    const number = this.#destinations.get(destinationId) ?? this.#destinations.size;
    this.#destinations.set(destinationId, number);
    const records = rows.map((row) => this.#prepare(row, moment));
    const values = (record: CachedRecord) => {
      const { id, version, name, names, members, hours, line, week, until, hours_from } = record;
      return [number, id, version, name, names, members, hours, line, week, until, hours_from] as const;
    };
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
    const record = storedRecord(row, moment);
    const { category, area, website } = row;
    const until = verifiedUntilOf(row, recordWeek);
    return {
      id: row.id,
      version: row.version,
      name: row.name,
      names: namesJson(row, record.names),
      members: writeMembers(record),
      hours:
        hours && jsonMember('structured', recordWeek?.structuredJson ?? 'null') + hoursJson.stored(hours),
      line: joinFacts(
        quoteUntrusted(category),
        quoteUntrusted(area),
        ...phoneTexts(shownPhones(row)),
        website,
      ),
      week,
      until: Math.max(0, Math.min(until, Number.MAX_SAFE_INTEGER)),
      hours_from: Number.isFinite(until) ? (hours?.observed_at.slice(0, 10) ?? null) : null,
    };
  }

  /** Returns the number of a week. Most places share a week with another, so that each is stored once. */
  #weekNumber(compiled: string): number {
    return this.#weekNumbers.getOrInsertComputed(
      compiled,
      () => this.#weeks.push(new RecordWeek(compiled)) - 1,
    );
  }

  #write(records: readonly CachedRecord[], moment: FeedMoment): Map<string, FeedRecord> {
    const write = this.#writer(moment);
    return new Map(records.map((record) => [record.id, write(record)]));
  }

  /**
   * Adds the name in the reader's language and the fields that depend on the time. Whether a week is open is computed
   * once per time zone and moment, for all places that share it.
   */
  #writer({ timezone, now, country, languages }: FeedMoment): (record: CachedRecord) => FeedRecord {
    const open = new Map<number, boolean | null>();
    const at = now.getTime();
    const isOpen = (week: number) => {
      let state = open.get(week);
      if (state === undefined) open.set(week, (state = this.#weeks[week]?.isOpenAt(timezone, now) ?? null));
      return state;
    };
    return ({ id, name: sign, names, members, hours, line, week, until, hours_from }) => {
      const { name, local: local_name } =
        languages === undefined || names === null
          ? { name: sign, local: undefined }
          : chooseDisplayName({ ...(JSON.parse(names) as NamesInCache), name: sign, country }, languages);
      const verified = hours !== null && week !== null && at <= until;
      const state = week !== null && (verified || hours_from !== null) ? isOpen(week) : null;
      const open_now = verified ? state : null;
      const byHours =
        verified || state === null || hours_from === null ? {} : { open_by_hours: state, hours_from };
      const head = recordJson.id({ place_id: id }) + recordJson.name({ name, local_name });
      const wholeHours = hours === null ? 'null' : `${hoursJson.computed({ verified })}${hours}}`;
      const computed =
        jsonMember('hours', wholeHours) + recordJson.computed({ open_now, ...byHours, timezone });
      return { json: `${head}${members}${computed}}`, line: joinFacts(id, quoteUntrusted(name), line) };
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
