import type { Clock } from '../../core/clock.ts';
import type { Deps } from '../../core/context.ts';
import type { Db, Pool } from '../../core/postgres/db.ts';
import type { Progress } from '../../core/progress.ts';
import { DAY_MS } from '../../core/time.ts';
import { walkTimelines, type BrokenTimeline } from './walk-timelines.ts';

/** One check of all timelines, as far as it has come. */
export interface TimelineCheck {
  beganAt: Date;
  /** Null while it is under way. */
  endedAt: Date | null;
  bookings: number;
  entries: number;
  broken: number;
  /** The first of the broken ones. */
  faults: BrokenTimeline[];
}

const EVERY_MS = DAY_MS;
/** So many bookings an hour and node: a second or two. A check of more of them takes more hours. */
const BOOKINGS_AN_HOUR = 10_000;
const FAULTS_KEPT = 20;

/** Goes on with the check of the day, or begins it. What two nodes look at in the same moment counts once. */
export async function checkTimelines(
  { pool, readPool, log }: Pick<Deps, 'pool' | 'readPool' | 'log'>,
  now: Date,
  most = BOOKINGS_AN_HOUR,
): Promise<void> {
  await pool`
    insert into timeline_check (began_at) select ${now}
    where not exists (select from timeline_check where began_at > ${new Date(now.getTime() - EVERY_MS)})
    on conflict do nothing`;
  const [under] = await pool<(Counted & { id: string; reached: string })[]>`
    select id::text as id, reached, bookings, entries::int as entries, broken, faults
    from timeline_check where ended_at is null`;
  if (under === undefined) return;
  const { id, reached: before } = under;
  const counted: Counted = { ...under };
  const until = under.bookings + most;
  let reached: string | null = before;
  for await (const page of walkTimelines(readPool, before)) {
    count(counted, page);
    ({ reached } = page);
    if (counted.bookings >= until) break;
  }
  const { bookings, entries, broken, faults } = counted;
  const [noted] = await pool`
    update timeline_check set reached = ${reached ?? before}, ended_at = ${reached === null ? now : null},
      bookings = ${bookings}, entries = ${entries}, broken = ${broken}, faults = ${pool.json(faults)}
    where id = ${id} and ended_at is null and reached = ${before} returning 1`;
  if (noted !== undefined && broken > under.broken)
    log.error({ timelines: faults }, 'timelines of bookings are broken; waypost bookings verify names all');
}

/** Checks all timelines at once and notes what was found. */
export async function checkAllTimelines(
  pool: Pool,
  { clock, progress, found }: { clock: Clock; progress: Progress; found: (broken: BrokenTimeline) => void },
): Promise<TimelineCheck> {
  const beganAt = clock.now();
  const counted: Counted = { bookings: 0, entries: 0, broken: 0, faults: [] };
  const [total] = await pool<{ bookings: number }[]>`select count(*)::int as bookings from booking`;
  for await (const page of walkTimelines(pool)) {
    count(counted, page);
    progress(counted.bookings, Math.max(total?.bookings ?? 0, counted.bookings));
    page.broken.forEach(found);
  }
  const { bookings, entries, broken, faults } = counted;
  const endedAt = clock.now();
  await pool`
    insert into timeline_check (began_at, ended_at, bookings, entries, broken, faults)
    values (${beganAt}, ${endedAt}, ${bookings}, ${entries}, ${broken}, ${pool.json(faults)})`;
  return { beganAt, endedAt, ...counted };
}

type Counted = Pick<TimelineCheck, 'bookings' | 'entries' | 'broken' | 'faults'>;

function count(
  counted: Counted,
  page: { bookings: number; entries: number; broken: BrokenTimeline[] },
): void {
  counted.bookings += page.bookings;
  counted.entries += page.entries;
  counted.broken += page.broken.length;
  counted.faults = [...counted.faults, ...page.broken].slice(0, FAULTS_KEPT);
}

export interface KnownChecks {
  /** The last that came to its end. */
  last: TimelineCheck | undefined;
  underWay: TimelineCheck | undefined;
  /** When one last ended that found nothing. */
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
