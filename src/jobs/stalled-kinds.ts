import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Deps } from '../core/context.ts';
import type { Pool } from '../core/postgres/db.ts';
import type { KindRunner } from './kind-runner.ts';
import { KIND_NAMES, type Kind } from './kinds.ts';
import type { Tasks } from './task-list.ts';

declare module '../core/context.ts' {
  interface Deps {
    stalledKinds: StalledKinds;
  }
}

/** Shown by /readyz, also by the serving processes of a node. */
interface JobState {
  kinds: Kind[];
  /** Absent where no schedule of maintenance tasks was started. */
  maintenance?: 'running' | 'degraded';
}

/** The kinds of jobs that this node does not take although some are due, and since when. */
export class StalledKinds {
  #since = new Map<Kind, Date>();
  #restarts: Counter<'kind'> | undefined;
  #maintenance: JobState['maintenance'];
  /** Called after each change; a node with several processes forwards the state to them. */
  changed: (state: JobState) => void = () => undefined;

  get state(): JobState {
    return { kinds: this.kinds, ...(this.#maintenance !== undefined && { maintenance: this.#maintenance }) };
  }

  get kinds(): Kind[] {
    return [...this.#since.keys()].sort();
  }

  since(kind: Kind): Date | undefined {
    return this.#since.get(kind);
  }

  restarted(kind: Kind, now: Date): void {
    this.#restarts?.inc({ kind });
    if (this.#since.has(kind)) return;
    this.#since.set(kind, now);
    this.changed(this.state);
  }

  recovered(kind: Kind): void {
    if (this.#since.delete(kind)) this.changed(this.state);
  }

  /** Records whether the schedule of maintenance tasks runs. */
  scheduleChanged(isRunning: boolean): void {
    const maintenance = isRunning ? 'running' : 'degraded';
    if (maintenance === this.#maintenance) return;
    this.#maintenance = maintenance;
    this.changed(this.state);
  }

  /** Adopts the findings of the process that runs this node's jobs. */
  replaceAll({ kinds, maintenance }: JobState, now: Date): void {
    this.#since = new Map(kinds.map((kind) => [kind, now]));
    this.#maintenance = maintenance;
  }

  register(registry: Registry): void {
    const registers = [registry];
    const stalled = (kind: Kind) => Number(this.#since.has(kind));
    new Gauge({
      name: 'waypost_jobs_stalled',
      help: '1 while jobs of a kind are due and this node starts none.',
      labelNames: ['kind'],
      registers,
      collect() {
        for (const kind of KIND_NAMES) this.set({ kind }, stalled(kind));
      },
    });
    this.#restarts = new Counter({
      name: 'waypost_job_restarts_total',
      help: 'How often this node restarted a stalled kind of job.',
      labelNames: ['kind'],
      registers,
    });
    for (const kind of KIND_NAMES) this.#restarts.inc({ kind }, 0);
  }
}

const WATCH_MS = 2_000;
/** A slower database counts as unavailable: then no kind can take jobs, and none is at fault. */
const ANSWER_MS = 2_000;
/** A longer round is ignored, because the process itself was blocked. */
const ROUND_MAX_MS = 10_000;

interface Watched {
  runner: KindRunner;
  looks: number;
  taken: number;
  /** Time in which the database answered but the kind did not poll the queue. */
  silentMs: number;
  /** Time in which jobs were due and the kind had a free slot but took none. */
  idleMs: number;
}

interface Watchdog {
  deps: Pick<Deps, 'pool' | 'clock' | 'log' | 'stalledKinds'>;
  runners: readonly KindRunner[];
  tasks: Tasks;
  stalledAfterMs: number;
  signal: AbortSignal;
  /** Called before restarting a kind for which an earlier restart did not help. */
  restartsAgain: () => void;
}

/** Restarts each kind that is stalled although the database answers, until the signal is aborted. */
export async function watchKinds(watchdog: Watchdog): Promise<void> {
  const { deps, runners, tasks, stalledAfterMs, signal } = watchdog;
  const kinds = runners.map((runner) => ({ runner, looks: 0, taken: 0, silentMs: 0, idleMs: 0 }));
  const roundMs = Math.min(WATCH_MS, stalledAfterMs / 3);
  const isClosing = () => signal.aborted;
  const answer = onceAtATime(() => deps.pool`select 1`.then(() => true));
  const readDue = onceAtATime(() => dueKinds(deps.pool, tasks));
  while (!isClosing()) {
    const startedAt = performance.now();
    await delay(roundMs, undefined, { signal, ref: false }).catch(() => undefined);
    const answers = await inTime(answer());
    const due = await inTime(readDue());
    const passedMs = performance.now() - startedAt;
    if (isClosing() || answers !== true || passedMs > ROUND_MAX_MS) continue;
    for (const watched of kinds) {
      observe(watched, due?.has(watched.runner.kind) ?? false, passedMs);
      judge(watched, watchdog, stalledAfterMs);
    }
  }
}

function observe(watched: Watched, isDue: boolean, passedMs: number): void {
  const { looks, taken, isFull } = watched.runner;
  watched.silentMs = looks === watched.looks && !isFull ? watched.silentMs + passedMs : 0;
  watched.idleMs = isDue && taken === watched.taken && !isFull ? watched.idleMs + passedMs : 0;
  watched.looks = looks;
  watched.taken = taken;
}

function judge(watched: Watched, { deps, restartsAgain }: Watchdog, stalledAfterMs: number): void {
  const { runner, silentMs, idleMs } = watched;
  const { kind } = runner;
  const stalledMs = Math.max(silentMs, idleMs);
  if (stalledMs === 0) deps.stalledKinds.recovered(kind);
  if (stalledMs < stalledAfterMs) return;
  if (deps.stalledKinds.since(kind) !== undefined) restartsAgain();
  deps.log.error({ kind, ms: Math.round(stalledMs) }, 'jobs of a kind are stalled; restarting the kind');
  deps.stalledKinds.restarted(kind, deps.clock.now());
  watched.silentMs = watched.idleMs = 0;
  runner.restart();
}

async function dueKinds(pool: Pool, tasks: Tasks): Promise<Set<Kind>> {
  const due = await pool<{ task: string }[]>`
    select t.identifier as task from graphile_worker._private_tasks t
    where t.identifier = any(${Object.keys(tasks)}::text[]) and exists (
      select from graphile_worker._private_jobs j
      where j.task_id = t.id and j.is_available and j.run_at < now() - interval '1 second')`;
  return new Set(due.flatMap(({ task }) => tasks[task]?.kind ?? []));
}

/**
 * A read that waits for a lock holds its connection until its timeout. Further ones would take all connections of the
 * pool, and pages would wait as well.
 */
function onceAtATime<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => (pending ??= read().finally(() => (pending = undefined)));
}

/** Returns undefined when the database does not answer in time, or fails. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  const late = delay(ANSWER_MS, undefined, { ref: false });
  return Promise.race([answer.catch(() => undefined), late]);
}
