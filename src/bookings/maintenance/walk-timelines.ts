import type { Db } from '../../core/postgres/db.ts';
import type { BookingStatus } from '../booking.ts';
import { NO_BOOKING, timelineFault, type StoredEntry, type TimelineFault } from './timeline-fault.ts';

/** A broken timeline, in the form in which the daily check stores it. */
export interface BrokenTimeline extends TimelineFault {
  booking_id: string;
}

interface WalkedPage {
  bookings: number;
  entries: number;
  broken: BrokenTimeline[];
  /** Cursor: the id of the last booking of this page; null on the last page. */
  reached: string | null;
}

type Row = { id: string; status: BookingStatus | null; lastSequence: number; reached: string | null } & (
  StoredEntry | { sequence: null }
);

const BOOKINGS_AT_ONCE = 100;

/** Checks the timelines of all bookings after an id, in the order of ids, and holds one page in memory at a time. */
export async function* walkTimelines(db: Db, after = ''): AsyncGenerator<WalkedPage> {
  for (let reached: string | null = after; reached !== null;) {
    const page = pageOf(await readRows(db, reached));
    yield page;
    ({ reached } = page);
  }
}

/**
 * Reads a page of bookings with their entries in one statement, because bookings change meanwhile. `at` is
 * null for a timestamp with fractions of a millisecond: the service hashes and stores whole milliseconds.
 */
function readRows(db: Db, after: string): Promise<Row[]> {
  return db<Row[]>`
    with page as materialized (
      select id, status, last_sequence from booking where id > ${after} order by id limit ${BOOKINGS_AT_ONCE}),
    reach as materialized (select case when count(*) = ${BOOKINGS_AT_ONCE} then max(id) end as last from page)
    select coalesce(p.id, e.booking_id) as id, p.status, p.last_sequence as "lastSequence",
      (select last from reach) as reached, e.booking_id as "bookingId", e.sequence,
      case when e.at between '0001-01-01' and '9999-12-31' and e.at = date_trunc('milliseconds', e.at) then e.at end as at,
      e.event, e.from_status as from, e.to_status as to, e.actor, e.channel, e.revision, e.text,
      encode(e.hash, 'hex') as hash
    from page p full join (
      select * from booking_entry
      where booking_id > ${after} and booking_id <= coalesce((select last from reach), 'zzzz')) e on e.booking_id = p.id
    order by 1, e.sequence`;
}

function pageOf(rows: readonly Row[]): WalkedPage {
  const page: WalkedPage = { bookings: 0, entries: 0, broken: [], reached: rows[0]?.reached ?? null };
  for (const [booking_id, [first, ...rest]] of Map.groupBy(rows, ({ id }) => id)) {
    if (first === undefined) continue;
    const entries = [first, ...rest].filter((row) => row.sequence !== null);
    page.entries += entries.length;
    const { status, lastSequence } = first;
    if (status !== null) page.bookings += 1;
    const fault =
      status === null
        ? { sequence: first.sequence ?? 0, what: NO_BOOKING }
        : timelineFault({ status, lastSequence }, entries);
    if (fault !== undefined) page.broken.push({ booking_id, ...fault });
  }
  return page;
}
