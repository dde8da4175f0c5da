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
import type { Listener } from '../core/postgres/listener.ts';
import { JOB_ADDED } from './add-job.ts';
import { noteAlive, noteGone, releaseDeadRunners } from './dead-runners.ts';
import { KindRunner } from './kind-runner.ts';
import { HOLDING_KINDS, KIND_NAMES, placesOf } from './kinds.ts';
import { openQueuePool, poolForWorkers } from './queue-pool.ts';
import { LOCK_WAIT_MS } from './step-aside.ts';
import { Counted, type Tasks } from './task-list.ts';
import { watchKinds } from './stalled-kinds.ts';

const SIGN_OF_LIFE_MS = 10_000;
/** After an end that could not be recorded because the database was away. */
const GONE_AGAIN_MS = 1_000;
/** A kind that has due jobs and takes none for this long is restarted. */
const STALLED_AFTER_MS = 15_000;
/** How other nodes and the console name this one. */
const NODE_NAME = `${hostname()}, process ${process.pid}`;
/** Under load one look at the queue is for many new jobs: each of them would else cost a statement. */
const LOOK_EVERY_MS = 20;
/** The same for all kinds together, after jobs of which nobody says what kind they are. */
const LOOK_EVERYWHERE_MS = 250;
/** When the database is gone, the process does not wait any longer for jobs in hand to be noted. */
const CLOSE_MS = 15_000;
/** Connections for transactions of jobs that do not wait for anybody outside. */
const SHORT_TRANSACTIONS = 4;

interface Where {
  databaseUrl: string;
  listener: Listener;
  /** Longer than two poll intervals of two seconds, in which an idle kind is silent. */
  stalledAfterMs?: number;
}

/** Runs jobs for as long as the service runs, each kind in places of its own. */
export function startJobs(deps: Deps, where: Where, tasks: Tasks): { close(): Promise<void> } {
  const runner = new JobRunner(deps, where, tasks);
  runner.start();
  return runner;
}

class JobRunner {
  readonly #deps: Deps;
  readonly #where: Where;
  readonly #workPool: Pool;
  readonly #kinds: KindRunner[];
  readonly #tasks: Tasks;
  readonly #watching = new AbortController();
  #queuePool: pg.Pool;
  /** Worker pools that have ended, until the database knows it. */
  readonly #gone = new Set<string>();
  #noting: Promise<void> | undefined;
  #signs: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(deps: Deps, where: Where, tasks: Tasks) {
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
    const counted = new Counted({
      // Single statements of jobs, too, must neither wait for long nor take connections from requests.
      deps: Object.create(deps, { pool: { value: this.#workPool } }) as Deps,
      inTransaction: transactionsOf(this.#workPool),
    });
    const pool = () => poolForWorkers(this.#queuePool);
    const started = () => void this.#signOfLife();
    const gone = (runnerId: string) => {
      this.#gone.add(runnerId);
      this.#noting ??= this.#noteGone().finally(() => (this.#noting = undefined));
    };
    this.#kinds = KIND_NAMES.flatMap((kind) => {
      const own = Object.fromEntries(Object.entries(tasks).filter(([, task]) => task.kind === kind));
      if (Object.keys(own).length === 0) return [];
      const list = counted.listOf(own, () => {
        runner.nudge();
      });
      const runner: KindRunner = new KindRunner({ kind, deps, pool, tasks: list, started, gone });
      return [runner];
    });
  }

  start(): void {
    const { listener, stalledAfterMs = STALLED_AFTER_MS } = this.#where;
    for (const kind of this.#kinds) kind.start();
    this.#signs = setInterval(() => void this.#signOfLife(), SIGN_OF_LIFE_MS).unref();
    // Without these, or until the database is back, the queue is looked at every two seconds.
    const everywhere = atMostEvery(LOOK_EVERYWHERE_MS, () => {
      this.#nudge(this.#kinds);
    });
    listener.on('jobs:insert', everywhere, everywhere).catch(() => undefined);
    const looks = new Map(
      this.#kinds.map((one) => [
        one.kind,
        atMostEvery(LOOK_EVERY_MS, () => {
          this.#nudge([one]);
        }),
      ]),
    );
    const lookFor = (task: string) => looks.get(this.#tasks[task]?.kind ?? 'upkeep')?.();
    listener.on(JOB_ADDED, lookFor).catch(() => undefined);
    void watchKinds({
      deps: this.#deps,
      runners: this.#kinds,
      tasks: this.#tasks,
      stalledAfterMs,
      signal: this.#watching.signal,
      restartsAgain: () => {
        this.#replaceQueuePool();
      },
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#signs);
    this.#watching.abort();
    await within(CLOSE_MS, this.#stop());
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#kinds.map((kind) => kind.close()));
    await this.#noting;
    await this.#deps.outgoing.close();
    await this.#workPool.end({ timeout: POOL_END_SECONDS });
    await this.#queuePool.end();
  }

  /** A restart that did not help may have got the same broken connections again. */
  #replaceQueuePool(): void {
    const old = this.#queuePool;
    this.#queuePool = openQueuePool(this.#where.databaseUrl, this.#deps.log);
    old.end().catch(() => undefined);
  }

  /** Gives the jobs of worker pools that have ended back to the queue, as soon as the database answers. */
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
      await noteAlive(pool, NODE_NAME, alive);
      const dead = await releaseDeadRunners(pool);
      if (dead > 0) log.warn({ runners: dead }, 'jobs of nodes that died were given back to the queue');
    } catch (thrown) {
      if (!this.#closing)
        log.debug({ err: thrown }, 'the sign of life of the job queue could not be written');
    }
  }
}

/**
 * Connections for the statements of jobs, apart from those of requests: other sides that do not answer keep some of
 * them for as long as an attempt lasts, and there is one for each place that can be held so.
 */
function openWorkPool({ config }: Deps, databaseUrl: string): Pool {
  const held = HOLDING_KINDS.reduce((sum, kind) => sum + placesOf(kind, config), 0);
  return connect(databaseUrl, {
    max: held + SHORT_TRANSACTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: LOCK_WAIT_MS,
  });
}

/** Does it at once, and what comes within the span after that together at its end. */
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
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
