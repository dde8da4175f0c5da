import type { Deps } from '../../../core/context.ts';
import { STAFF_CHANNEL } from '../../../bookings/channels/channels.ts';
import { channelsWithSender } from '../../../messages/message-channels.ts';
import { NOT_HELD_SQL } from '../../../submissions/review/review.ts';
import { TAKEDOWN_SQL } from '../../../submissions/submission.ts';

/** Queues that people work off. Each has a page at `/console/` and its name. */
const QUEUES = [
  'review',
  'desk',
  'photos',
  'positions',
  'bookings',
  'deliveries',
  'outbox',
  'partners',
] as const;
export type QueueName = (typeof QUEUES)[number];

export interface Backlog {
  count: number;
  /** Time since which the oldest item has waited; null without items. */
  oldest: Date | null;
  /** The ids of the oldest items. */
  first: readonly string[];
}

type Backlogs = Readonly<Record<QueueName, Backlog>>;

const FIRST = 3;

/** Counts what waits in all queues, by one statement, because every page of the console shows it. */
export async function readBacklogs(
  deps: Pick<Deps, 'pool' | 'mail' | 'twilio' | 'config'>,
): Promise<Backlogs> {
  const { pool } = deps;
  const rows = await pool<(Backlog & { queue: QueueName })[]>`
    select queue, count(*)::int as count, min(since) as oldest,
           (array_agg(id order by since, id))[1:${FIRST}] as first
    from (
      select 'review' as queue, s.id, s.updated_at as since from submission s ${pool.unsafe(TAKEDOWN_SQL)}
      where s.status = 'pending_review' and t.submission_id is null and ${pool.unsafe(NOT_HELD_SQL)}
      union all
      select 'desk', submission_id, created_at from desk_task where done_at is null
      union all
      select 'desk', a.booking_id, a.claimed_at from venue_ask a join booking b on b.id = a.booking_id
      where a.channel = ${STAFF_CHANNEL} and a.state in ('waiting','asked')
        and case when a.step = 'ask' then b.status in ('sent','asking') and a.revision = b.revision
                 else a.state = 'waiting' end
      union all
      select 'photos', id, created_at from photo where state = 'to_check'
      union all
      select 'positions', 'move_' || m.id, m.asked_at from venue_move m join place p on p.id = m.place_id
      where m.state = 'waiting' and p.removed_at is null
      union all
      select 'bookings', id, created_at from booking where status in ('sent','asking','offered') and not waiting and not rehearsal
      union all
      select 'deliveries', id, created_at from webhook_delivery where state = 'pending' and attempts > 0
      union all
      select 'outbox', id, created_at from message
      where state in ('queued','outbox') and not channel = any(${channelsWithSender(deps)}) and body is not null
      union all
      select 'partners', partner_id, made_at from partner_application where state = 'open'
    ) as waiting group by queue`;
  const found = new Map(rows.map(({ queue, ...backlog }) => [queue, backlog]));
  const all = QUEUES.map((queue) => [queue, found.get(queue) ?? { count: 0, oldest: null, first: [] }]);
  return Object.fromEntries(all) as Backlogs;
}

/** An item of a queue: what it is called, and its page. */
export interface BacklogItem {
  name: string;
  href: string;
}

/** Finds the names of the oldest items of all queues. */
export async function nameFirstItems(
  { pool }: Pick<Deps, 'pool'>,
  backlogs: Backlogs,
): Promise<Readonly<Record<QueueName, readonly BacklogItem[]>>> {
  const ids = QUEUES.flatMap((queue) => backlogs[queue].first);
  const rows = await pool<{ id: string; name: string | null; record: string }[]>`
    select s.id, coalesce(r.content->>'title', r.content->>'name') as name, s.id as record
    from submission s join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    where s.id = any(${ids})
    union all
    select f.id, p.name, f.id from photo f join place p on p.id = f.place_id where f.id = any(${ids})
    union all
    select 'move_' || m.id, p.name, 'move_' || m.id from venue_move m join place p on p.id = m.place_id
    where 'move_' || m.id = any(${ids})
    union all
    select b.id, p.name, b.id from booking b left join place p on p.id = b.place_id where b.id = any(${ids})
    union all
    select d.id, n.name, coalesce(d.booking_id, '') from webhook_delivery d join partner n on n.id = d.partner_id
    where d.id = any(${ids})
    union all
    select id, subject, id from message where id = any(${ids})
    union all
    select id, name, id from partner where id = any(${ids})`;
  const named = new Map(rows.map((row) => [row.id, row]));
  const itemsOf = (queue: QueueName) =>
    backlogs[queue].first.map((id) => {
      const { name = null, record = id } = named.get(id) ?? {};
      return { name: name ?? 'A place that is no longer listed', href: HREFS[queue](record) };
    });
  return Object.fromEntries(QUEUES.map((queue) => [queue, itemsOf(queue)])) as Record<
    QueueName,
    BacklogItem[]
  >;
}

const HREFS: Readonly<Record<QueueName, (record: string) => string>> = {
  review: (id) => `/console/review/${id}`,
  desk: (id) => `/console/desk#${id}`,
  photos: (id) => `/console/photos/${id}`,
  positions: (id) => `/console/positions#${id}`,
  bookings: (id) => `/console/bookings/${id}`,
  deliveries: (id) => (id === '' ? '/console/deliveries' : `/console/bookings/${id}`),
  outbox: (id) => `/console/outbox?subject_id=${id}`,
  partners: (id) => `/console/partners/${id}`,
};
