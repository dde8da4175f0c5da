import type { Clock } from '../../core/clock.ts';
import type { Deps } from '../../core/context.ts';
import type { Db, Pool } from '../../core/postgres/db.ts';
import type { Progress } from '../../core/progress.ts';
import { DAY_MS } from '../../core/time.ts';
import { walkTimelines, type BrokenTimeline } from './walk-timelines.ts';

export interface TimelineCheck {
  beganAt: Date;
  endedAt: Date | null;
  bookings: number;
  entries: number;
  broken: number;
  faults: BrokenTimeline[];
}

const EVERY_MS = DAY_MS;
/** Bookings checked per hour, in a second or two. If there are more, one check takes several hours. */
const BOOKINGS_AN_HOUR = 10_000;
const FAULTS_KEPT = 20;

/** Continues or starts the daily check. When two nodes check the same page at once, it counts once. */
export async function checkTimelines(
  { pool, readPool, log }: Pick<Deps, 'pool' | 'readPool' | 'log'>,
  now: Date,
  maxBookings = BOOKINGS_AN_HOUR,
): Promise<void> {
  await pool`
    insert into timeline_check (began_at) select ${now}
    where not exists (select from timeline_check where began_at > ${new Date(now.getTime() - EVERY_MS)})
    on conflict do nothing`;
  const [check] = await pool<(CheckTotals & { id: string; reached: string })[]>`
    select id::text as id, reached, bookings, entries::int as entries, broken, faults
    from timeline_check where ended_at is null`;
  if (check === undefined) return;
  const { id, reached: cursor } = check;
  const totals: CheckTotals = { ...check };
  const until = check.bookings + maxBookings;
  let reached: string | null = cursor;
  for await (const page of walkTimelines(readPool, cursor)) {
    count(totals, page);
    ({ reached } = page);
    if (totals.bookings >= until) break;
  }
  const { bookings, entries, broken, faults } = totals;
  const [updated] = await pool`
    update timeline_check set reached = ${reached ?? cursor}, ended_at = ${reached === null ? now : null},
      bookings = ${bookings}, entries = ${entries}, broken = ${broken}, faults = ${pool.json(faults)}
    where id = ${id} and ended_at is null and reached = ${cursor} returning 1`;
  if (updated !== undefined && broken > check.broken)
    log.error({ timelines: faults }, 'booking timelines are broken; "waypost bookings verify" lists them');
}

export async function checkAllTimelines(
  pool: Pool,
  { clock, progress, found }: { clock: Clock; progress: Progress; found: (broken: BrokenTimeline) => void },
): Promise<TimelineCheck> {
  const beganAt = clock.now();
  const totals: CheckTotals = { bookings: 0, entries: 0, broken: 0, faults: [] };
  const [total] = await pool<{ bookings: number }[]>`select count(*)::int as bookings from booking`;
  for await (const page of walkTimelines(pool)) {
    count(totals, page);
    progress(totals.bookings, Math.max(total?.bookings ?? 0, totals.bookings));
    page.broken.forEach(found);
  }
  const { bookings, entries, broken, faults } = totals;
  const endedAt = clock.now();
  await pool`
    insert into timeline_check (began_at, ended_at, bookings, entries, broken, faults)
    values (${beganAt}, ${endedAt}, ${bookings}, ${entries}, ${broken}, ${pool.json(faults)})`;
  return { beganAt, endedAt, ...totals };
}

type CheckTotals = Pick<TimelineCheck, 'bookings' | 'entries' | 'broken' | 'faults'>;

function count(
  totals: CheckTotals,
  page: { bookings: number; entries: number; broken: BrokenTimeline[] },
): void {
  totals.bookings += page.bookings;
  totals.entries += page.entries;
  totals.broken += page.broken.length;
  totals.faults = [...totals.faults, ...page.broken].slice(0, FAULTS_KEPT);
}

export interface KnownChecks {
  last: TimelineCheck | undefined;
  underWay: TimelineCheck | undefined;
  soundAt: Date | null;
}

export async function readTimelineChecks(db: Db): Promise<KnownChecks> {
  const rows = await db<(TimelineCheck & { soundAt: Date | null })[]>`
    select began_at as "beganAt", ended_at as "endedAt", bookings, entries::int as entries, broken, faults,
      (select max(ended_at) from timeline_check where broken = 0) as "soundAt"
    from timeline_check where ended_at is null
      or id = (select id from timeline_check where ended_at is not null order by ended_at desc limit 1)`;
  return {
    last: rows.find(({ endedAt }) => endedAt !== null),
    underWay: rows.find(({ endedAt }) => endedAt === null),
    soundAt: rows[0]?.soundAt ?? null,
  };
}
