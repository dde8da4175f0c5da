import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Deps } from '../core/context.ts';
import {
  connect,
  POOL_END_SECONDS,
  STATEMENT_TIMEOUT_MS,
  transactionsOf,
  type Pool,
} from '../core/postgres/db.ts';
import { transactionsAtOnce } from '../core/postgres/connections/connections.ts';
import type { Listener } from '../core/postgres/listener.ts';
import { TransactionShares } from '../core/postgres/transaction-shares.ts';
import { JOB_ADDED } from './add-job.ts';
import { writeHeartbeat, noteGone, releaseDeadRunners } from './dead-runners.ts';
import { KindRunner, queueLogger } from './kind-runner.ts';
import { HOLDING_KINDS, KIND_NAMES } from './kinds.ts';
import { openQueuePool, poolForWorkers } from './queue-pool.ts';
import { CronRunner, type ScheduledTask } from './run-cron.ts';
import { LOCK_WAIT_MS, ObservedTasks, type Tasks } from './task-list.ts';
import { watchKinds } from './stalled-kinds.ts';

const SIGN_OF_LIFE_MS = 10_000;
/** Retry delay for recording the end of a worker pool while the database is unavailable. */
const GONE_AGAIN_MS = 1_000;
/** Restarts a kind that has due jobs and takes none for this long. */
const STALLED_AFTER_MS = 15_000;
const NODE_NAME = `${hostname()}, process ${process.pid}`;
/** Under load one poll covers many new jobs; otherwise each of them would cost a statement. */
const LOOK_EVERY_MS = 20;
/** The same for all kinds together, after notifications that do not name the task. */
const LOOK_EVERYWHERE_MS = 250;
/** Time limit for recording the ends of running jobs at shutdown, for when the database is gone. */
const CLOSE_MS = 15_000;
/** The kinds that do not wait for anybody outside share one share of the transactions. */
const SHORT = 'short';

interface Where {
  databaseUrl: string;
  listener: Listener;
  /** Must exceed two poll intervals of two seconds, during which an idle kind is silent. */
  stalledAfterMs?: number;
}

/** Runs jobs for as long as the service runs, each kind in its own slots. */
export function startJobs(
  deps: Deps,
  where: Where,
  tasks: Tasks,
  schedule: readonly ScheduledTask[] = [],
): { close(): Promise<void> } {
  const runner = new JobRunner(deps, where, tasks, schedule);
  runner.start();
  return runner;
}

class JobRunner {
  readonly #deps: Deps;
  readonly #where: Where;
  readonly #workPool: Pool;
  readonly #kinds: KindRunner[];
  readonly #tasks: Tasks;
  readonly #cron: CronRunner;
  readonly #watching = new AbortController();
  #queuePool: pg.Pool;
  /** Worker pools that have ended, until the database has recorded it. */
  readonly #gone = new Set<string>();
  #noting: Promise<void> | undefined;
  #releasing: Promise<void> | undefined;
  #signs: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(deps: Deps, where: Where, tasks: Tasks, schedule: readonly ScheduledTask[]) {
    this.#deps = deps;
    this.#where = where;
    this.#tasks = tasks;
    this.#queuePool = openQueuePool(where.databaseUrl, deps.log);
    this.#workPool = openWorkPool(deps, where.databaseUrl);
    deps.metrics.watchPool('jobs', () => this.#workPool.use());
    deps.metrics.watchPool('queue', () => {
      const { totalCount, idleCount: idle, waitingCount: waiting } = this.#queuePool;
      return { inUse: totalCount - idle, idle, waiting };
    });
    deps.stalledKinds.register(deps.metrics.registry);
    const shares = new TransactionShares(
      transactionsOf(this.#workPool),
      transactionsAtOnce(deps.config.pools.jobs),
      [...HOLDING_KINDS, SHORT],
    );
    const observedTasks = new ObservedTasks(
      // Single statements of jobs, too, must neither wait for long nor take connections from requests.
      Object.create(deps, { pool: { value: this.#workPool } }) as Deps,
      (kind, signal) => shares.of(HOLDING_KINDS.includes(kind) ? kind : SHORT, signal),
    );
    const pool = () => poolForWorkers(this.#queuePool);
    this.#cron = new CronRunner({
      log: deps.log,
      logger: queueLogger(deps.log),
      pool,
      schedule,
      changed: (isRunning) => {
        deps.stalledKinds.scheduleChanged(isRunning);
      },
    });
    const started = () => void this.#signOfLife();
    const gone = (runnerId: string) => {
      this.#gone.add(runnerId);
      this.#noting ??= this.#noteGone().finally(() => (this.#noting = undefined));
    };
    this.#kinds = KIND_NAMES.flatMap((kind) => {
      const own = Object.fromEntries(Object.entries(tasks).filter(([, task]) => task.kind === kind));
      if (Object.keys(own).length === 0) return [];
      const list = observedTasks.listOf(own, () => runner.nudge());
      const runner: KindRunner = new KindRunner({ kind, deps, pool, tasks: list, started, gone });
      return [runner];
    });
  }

  start(): void {
    const { listener, stalledAfterMs = STALLED_AFTER_MS } = this.#where;
    for (const kind of this.#kinds) kind.start();
    this.#cron.start();
    this.#signs = setInterval(() => void this.#signOfLife(), SIGN_OF_LIFE_MS).unref();
    // Without these notifications, or until the database is back, the queue is polled every two seconds.
    const everywhere = atMostEvery(LOOK_EVERYWHERE_MS, () => this.#nudge(this.#kinds));
    listener.on('jobs:insert', everywhere, everywhere).catch(() => undefined);
    const looks = new Map(
      this.#kinds.map((one) => [one.kind, atMostEvery(LOOK_EVERY_MS, () => this.#nudge([one]))]),
    );
    const lookFor = (task: string) => looks.get(this.#tasks[task]?.kind ?? 'upkeep')?.();
    listener.on(JOB_ADDED, lookFor).catch(() => undefined);
    void watchKinds({
      deps: this.#deps,
      runners: this.#kinds,
      tasks: this.#tasks,
      stalledAfterMs,
      signal: this.#watching.signal,
      restartsAgain: () => this.#replaceQueuePool(),
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#signs);
    this.#watching.abort();
    await within(CLOSE_MS, this.#stop());
  }

  async #stop(): Promise<void> {
    await Promise.all([this.#cron, ...this.#kinds].map((part) => part.close()));
    await this.#noting;
    await this.#deps.deliveryPool.close();
    await this.#workPool.end({ timeout: POOL_END_SECONDS });
    await this.#queuePool.end();
  }

  /** Replaces the connections, because a restart that did not help may have reused the same broken ones. */
  #replaceQueuePool(): void {
    const old = this.#queuePool;
    this.#queuePool = openQueuePool(this.#where.databaseUrl, this.#deps.log);
    this.#cron.restart();
    old.end().catch(() => undefined);
  }

  /** Returns the jobs of ended worker pools to the queue as soon as the database answers. */
  async #noteGone(): Promise<void> {
    while (this.#gone.size > 0) {
      const ids = [...this.#gone];
      try {
        await noteGone(this.#deps.pool, ids);
        for (const id of ids) this.#gone.delete(id);
        this.#nudge(this.#kinds);
      } catch {
        if (this.#closing) return;
        await delay(GONE_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  #nudge(kinds: readonly KindRunner[]): void {
    if (this.#closing) return;
    for (const kind of kinds) kind.nudge();
  }

  async #signOfLife(): Promise<void> {
    const { pool, log, stalledKinds } = this.#deps;
    const alive = this.#kinds.flatMap(({ kind, ids }) =>
      ids.map((id) => ({ id, kind, stalledSince: stalledKinds.since(kind) })),
    );
    try {
      await writeHeartbeat(pool, NODE_NAME, alive);
      // One at a time: each holds a connection while the table of jobs is locked.
      this.#releasing ??= releaseDeadRunners(pool)
        .then((dead) => {
          if (dead > 0) log.warn({ runners: dead }, 'jobs of dead nodes were returned to the queue');
        })
        .finally(() => (this.#releasing = undefined));
      await this.#releasing;
    } catch (thrown) {
      if (!this.#closing) log.debug({ err: thrown }, 'the heartbeat of the job queue could not be written');
    }
  }
}

function openWorkPool({ config }: Deps, databaseUrl: string): Pool {
  return connect(databaseUrl, {
    max: config.pools.jobs,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: LOCK_WAIT_MS,
  });
}

/** Throttles: runs the first call at once, and merges calls within the span after it into one at its end. */
function atMostEvery(spanMs: number, act: () => void): () => void {
  let pause: NodeJS.Timeout | undefined;
  let again = false;
  const once = () => {
    again = pause !== undefined;
    if (again) return;
    act();
    pause = setTimeout(() => {
      pause = undefined;
      if (again) once();
    }, spanMs).unref();
  };
  return once;
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
