import type { Job, TaskList } from 'graphile-worker';
import { Counter, Histogram } from 'prom-client';
import type { Deps } from '../core/context.ts';
import { isLocked, type Db, type InTransaction } from '../core/postgres/db.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { Task } from './task.ts';

/** Lock timeout for statements of jobs, short because other jobs need the slot. */
export const LOCK_WAIT_MS = 250;
const AGAIN_MS = 1_000;
/** Priority of postponed jobs: lower than that of jobs that have not met a lock. */
const AFTER_OTHERS = 1;

export type Tasks = Readonly<Record<string, Task>>;

/** Returns the way into transactions for a job of a kind, until its signal aborts. */
type TransactionsOf = (kind: Kind, signal: AbortSignal) => InTransaction;

/** Wraps tasks for the queue: each is counted, logged, and cancelled when it takes too long. */
export class ObservedTasks {
  readonly #deps: Deps;
  readonly #transactionsOf: TransactionsOf;
  readonly #seconds;
  readonly #ended;

  constructor(deps: Deps, transactionsOf: TransactionsOf) {
    this.#deps = deps;
    this.#transactionsOf = transactionsOf;
    const registers = [deps.metrics.registry];
    this.#seconds = new Histogram({
      name: 'waypost_job_seconds',
      help: 'Duration of a job.',
      labelNames: ['task'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
      registers,
    });
    this.#ended = new Counter({
      name: 'waypost_jobs_total',
      help: 'Jobs by task and outcome; a job that failed or found a lock is retried.',
      labelNames: ['task', 'outcome'],
      registers,
    });
  }

  /** `begun` is called when a job was found, because there may be more. */
  listOf(tasks: Tasks, begun: () => void): TaskList {
    return Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [name, this.#one(name, task, begun)]),
    );
  }

  #one(name: string, task: Task, begun: () => void): TaskList[string] {
    const deps = this.#deps;
    const { limitMs } = KINDS[task.kind];
    return async (payload, { abortSignal, job }) => {
      begun();
      const stop = this.#seconds.startTimer({ task: name });
      try {
        await withLimit(limitMs, abortSignal, (signal) =>
          task.run(
            { deps, signal, inTransaction: this.#transactionsOf(task.kind, signal) },
            task.payload.parse(payload),
          ),
        );
        this.#ended.inc({ task: name, outcome: 'done' });
      } catch (thrown) {
        if (isLocked(thrown)) {
          await requeueLockedJob(deps.pool, job);
          this.#ended.inc({ task: name, outcome: 'locked' });
          deps.log.info({ task: name, job: job.id }, 'a job is postponed because a row it needs is locked');
          return;
        }
        this.#ended.inc({ task: name, outcome: 'failed' });
        deps.log.error({ err: thrown, task: name, job: job.id, attempt: job.attempts }, 'job failed');
        throw thrown;
      } finally {
        stop();
      }
    };
  }
}

/** Stops waiting for the work after the time limit, even if the work ignores its signal. */
export async function withLimit(
  limitMs: number,
  ending: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const own = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const overdue = new Error(`The job was cancelled because it took longer than ${limitMs / 1000} seconds.`);
    own.abort(overdue);
    reject(overdue);
  }, limitMs);
  const end = () => own.abort(ending.reason);
  ending.addEventListener('abort', end);
  try {
    await Promise.race([work(own.signal), late]);
  } finally {
    clearTimeout(timer);
    ending.removeEventListener('abort', end);
  }
}

/** Requeues a job that met a lock, with all its attempts, so that others get its slot. */
async function requeueLockedJob(db: Db, job: Job): Promise<void> {
  await db`
    select from graphile_worker.add_job(
      identifier => ${job.task_identifier}, payload => ${JSON.stringify(job.payload)}::text::json,
      run_at => now() + ${AGAIN_MS} * interval '1 millisecond', max_attempts => ${job.max_attempts}::int,
      job_key => ${job.key}, priority => ${AFTER_OTHERS}::int)`;
}
