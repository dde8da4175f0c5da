import type { Db } from '../../core/postgres/db.ts';
import { HOUR_MS } from '../../core/time.ts';
import { TAKEDOWN_SQL } from '../submission.ts';
import { NOT_HELD_SQL } from './review.ts';

export interface ReviewMetrics {
  pending: number;
  /** Number that have waited longer than one working day. */
  overdue: number;
  oldest_at: Date | null;
  /** Pending submissions by waiting time. */
  ages: { label: string; count: number }[];
  /** Decisions per UTC day, oldest first. */
  days: { day: string; approved: number; rejected: number }[];
}

const AGES: readonly [label: string, untilHours: number][] = [
  ['< 4 h', 4],
  ['4–12 h', 12],
  ['12–24 h', 24],
  ['1–2 d', 48],
  ['2–4 d', 96],
  ['> 4 d', Number.POSITIVE_INFINITY],
];

/** Figures for the overview: pending submissions, their waiting times, and decisions. */
export async function readReviewMetrics(
  db: Db,
  now: Date,
  days: number,
  isOverdue: (submittedAt: Date) => boolean,
): Promise<ReviewMetrics> {
  const waiting = await db<{ updated_at: Date }[]>`
    select s.updated_at from submission s ${db.unsafe(TAKEDOWN_SQL)}
    where s.status = 'pending_review' and t.submission_id is null and ${db.unsafe(NOT_HELD_SQL)} order by s.updated_at`;
  const hours = waiting.map(({ updated_at }) => (now.getTime() - updated_at.getTime()) / HOUR_MS);
  return {
    pending: waiting.length,
    overdue: waiting.filter(({ updated_at }) => isOverdue(updated_at)).length,
    oldest_at: waiting[0]?.updated_at ?? null,
    ages: AGES.map(([label, until], index) => {
      const since = AGES[index - 1]?.[1] ?? 0;
      return { label, count: hours.filter((age) => age >= since && age < until).length };
    }),
    days: await decisionsByDay(db, now, days),
  };
}

async function decisionsByDay(db: Db, now: Date, days: number): Promise<ReviewMetrics['days']> {
  return db<ReviewMetrics['days']>`
    select to_char(day, 'YYYY-MM-DD') as day,
           count(d.*) filter (where d.decision = 'approved')::int as approved,
           count(d.*) filter (where d.decision = 'rejected')::int as rejected
    from generate_series(date_trunc('day', ${now}::timestamptz at time zone 'UTC') - make_interval(days => ${days - 1}),
                         date_trunc('day', ${now}::timestamptz at time zone 'UTC'), interval '1 day') as day
    left join submission_decision d
      on d.decided_at >= day at time zone 'UTC' and d.decided_at < (day + interval '1 day') at time zone 'UTC'
    group by day order by day`;
}
