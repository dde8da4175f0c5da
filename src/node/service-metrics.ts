import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Deps } from '../core/context.ts';
import type { Pool } from '../core/postgres/db.ts';
import { RELEASE } from '../core/release.ts';
import { gaveUp } from '../jobs/forget-jobs.ts';
import { KIND_NAMES, type Kind } from '../jobs/kinds.ts';
import { MESSAGE_CHANNEL_NAMES, type MessageChannel } from '../messages/message-channels.ts';
import { TASKS } from './tasks.ts';

/** Timeout for reading the backlog, after which the database is reported as down. */
const READ_MS = 2_000;

interface KindFigures {
  waiting: number;
  running: number;
  dead: number;
  oldest: number;
}

interface Waiting {
  to: 'webhook' | 'callback' | MessageChannel;
  pending: number;
  oldest: number;
}

/** The state of the database at one moment, which is the same on every node. */
interface Backlog {
  jobs: Map<Kind, KindFigures>;
  deliveries: Waiting[];
  outbox: number;
  stoppedMaps: number;
  standbys: { standby: string; sync: string; bytes: number }[];
}

/** Adds the metrics an operator looks at first. Of several processes only the main one reports them. */
export function addServiceMetrics({ metrics: { registry }, pool, log, config }: Deps): void {
  addBuildInfo(registry);
  let reading: Promise<Backlog | undefined> | undefined;
  // All gauges are collected in the same turn and share one query.
  const read = () =>
    (reading ??= Promise.race([readBacklog(pool), delay(READ_MS, undefined, { ref: false })])
      .catch((thrown: unknown) => {
        log.debug({ err: thrown }, 'the backlog could not be read');
        return undefined;
      })
      .finally(() => (reading = undefined)));
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    report: (own: Gauge<Label>, backlog: Backlog) => void,
  ) =>
    new Gauge({
      ...{ name: `waypost_${name}`, help, labelNames: [...labelNames], registers: [registry] },
      async collect() {
        this.reset();
        const backlog = await read();
        if (backlog !== undefined) report(this, backlog);
        // Without labels, a reset leaves a zero that was never measured.
        else if (labelNames.length === 0) this.remove();
      },
    });
  const ofKinds = (name: string, help: string, figure: keyof KindFigures) =>
    gauge(name, help, ['kind'], (own, { jobs }) => {
      for (const kind of KIND_NAMES) own.set({ kind }, jobs.get(kind)?.[figure] ?? 0);
    });
  ofKinds('jobs_waiting', 'Jobs of a kind that are due and not started.', 'waiting');
  ofKinds('jobs_running', 'Jobs of a kind that a node is running.', 'running');
  ofKinds('jobs_dead', 'Jobs of a kind that failed permanently.', 'dead');
  ofKinds('jobs_oldest_seconds', 'Time since the oldest waiting job of a kind became due.', 'oldest');
  gauge('deliveries_pending', 'Outbound items that are not delivered yet.', ['to'], (own, { deliveries }) => {
    for (const { to, pending } of deliveries) own.set({ to }, pending);
  });
  gauge('deliveries_oldest_seconds', 'Age of the oldest undelivered item.', ['to'], (own, { deliveries }) => {
    for (const { to, oldest } of deliveries) own.set({ to }, oldest);
  });
  gauge('outbox_messages', 'Messages in the outbox that staff have to pass on.', [], (own, { outbox }) =>
    own.set(outbox),
  );
  gauge(
    'map_watches_stopped',
    'Maps that are no longer updated because a change file cannot be used.',
    [],
    (own, { stoppedMaps }) => own.set(stoppedMaps),
  );
  gauge(
    'replication_behind_bytes',
    'What a standby of the database has not replayed yet, in bytes of the log.',
    ['standby', 'sync'],
    (own, { standbys }) => {
      for (const { standby, sync, bytes } of standbys) own.set({ standby, sync }, bytes);
    },
  );
  new Gauge({
    ...{ name: 'waypost_disk_free_ratio', help: 'Free part of the disk of DATA_DIR.', registers: [registry] },
    async collect() {
      const { bavail, blocks } = await statfs(config.dataDir);
      this.set(bavail / blocks);
    },
  });
  new Gauge({
    ...{ name: 'waypost_database_up', help: '1 while the database answers.', registers: [registry] },
    async collect() {
      this.set((await read()) === undefined ? 0 : 1);
    },
  });
}

function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'waypost_build_info',
    help: 'Always 1; the labels show the version, its commit and the Node version.',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  }).set({ ...RELEASE, node: process.version }, 1);
}

async function readBacklog(pool: Pool): Promise<Backlog> {
  const [jobs, deliveries, [outbox], [maps], standbys] = await Promise.all([
    pool<(KindFigures & { task: string })[]>`
      select task_identifier as task, count(*) filter (where ${due(pool)})::int as waiting,
        count(*) filter (where locked_at is not null)::int as running,
        count(*) filter (where ${gaveUp(pool)})::int as dead,
        coalesce(extract(epoch from now() - min(run_at) filter (where ${due(pool)})), 0)::float8 as oldest
      from graphile_worker.jobs group by task_identifier`,
    pool<Waiting[]>`
      select 'webhook' as to, count(*)::int as pending, ${age(pool)} as oldest
        from webhook_delivery where state = 'pending'
      union all
      select 'callback', count(*)::int, ${age(pool)} from callback_delivery where state = 'pending'
      union all
      select name, count(message.id)::int, ${age(pool)} from unnest(${MESSAGE_CHANNEL_NAMES}::text[]) as channels (name)
        left join message on channel = name and state in ('queued', 'sending') group by name`,
    pool<{ waiting: number }[]>`select count(*)::int as waiting from message where state = 'outbox'`,
    pool<{ stopped: number }[]>`select count(*)::int as stopped from map_watch_stop`,
    // A user without pg_monitor sees a standby, but not its position.
    pool<Backlog['standbys']>`
      select application_name as standby, coalesce(sync_state, 'unknown') as sync,
        max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 as bytes
      from pg_stat_replication where state = 'streaming' and not pg_is_in_recovery()
        and replay_lsn is not null group by 1, 2`,
  ]);
  const kinds = new Map<Kind, KindFigures>();
  for (const { task, ...own } of jobs) {
    const kind = TASKS[task]?.kind ?? 'upkeep';
    const { waiting, running, dead, oldest } = kinds.get(kind) ?? {
      waiting: 0,
      running: 0,
      dead: 0,
      oldest: 0,
    };
    kinds.set(kind, {
      waiting: waiting + own.waiting,
      running: running + own.running,
      dead: dead + own.dead,
      oldest: Math.max(oldest, own.oldest),
    });
  }
  return {
    jobs: kinds,
    deliveries: [...deliveries],
    outbox: outbox?.waiting ?? 0,
    stoppedMaps: maps?.stopped ?? 0,
    standbys: [...standbys],
  };
}

function due(pool: Pool) {
  return pool`run_at <= now() and locked_at is null and attempts < max_attempts`;
}

function age(pool: Pool) {
  return pool`coalesce(extract(epoch from now() - min(created_at)), 0)::float8`;
}
