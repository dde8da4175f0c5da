import { EventEmitter } from 'node:events';
import { Logger, runTaskList, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import type { Deps } from '../core/context.ts';
import type { Log } from '../core/log.ts';
import { KINDS, slotsFor, type Kind } from './kinds.ts';

const RESTART_MS = 500;
/** Time for running jobs to finish when their worker pool ends; then their signal is aborted. */
const FINISH_MS = 5_000;
/** A worker pool that ended badly may never report its end. It counts as gone this long after the job time limit. */
const DRAIN_MARGIN_MS = 30_000;
/** Without batches, a database failure at the end of a job would end the process; with them only the pool ends. */
const QUEUE_PRESET = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

interface Parts {
  kind: Kind;
  deps: Deps;
  /** Returns the connection pool from which jobs are taken. It may be replaced, so each start calls this again. */
  pool: () => pg.Pool;
  tasks: TaskList;
  started: () => void;
  /** Called with the id of a worker pool that has ended, so that others can take its jobs. */
  gone: (runnerId: string) => void;
}

interface Run {
  workers: WorkerPool;
  /** True once it has reached the queue. Until then graphile-worker may have cached a failure forever. */
  reached: boolean;
  ending: boolean;
  jobsInHand: number;
}

/** Runs the jobs of one kind. A pool that ends is replaced at once, while the old one finishes its jobs. */
export class KindRunner {
  readonly #parts: Parts;
  #current: Run | undefined;
  readonly #draining = new Set<Run>();
  #restart: NodeJS.Timeout | undefined;
  #closing = false;
  #looks = 0;
  #taken = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get kind(): Kind {
    return this.#parts.kind;
  }

  /** Ids of the worker pools that take jobs or still have unfinished ones. */
  get ids(): string[] {
    return [this.#current, ...this.#draining].flatMap((run) => run?.workers.id ?? []);
  }

  get looks(): number {
    return this.#looks;
  }

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    const { kind, deps } = this.#parts;
    return (this.#current?.jobsInHand ?? 0) >= slotsFor(kind, deps.config);
  }

  start(): void {
    const { kind, deps, tasks, pool } = this.#parts;
    const events: WorkerEvents = new EventEmitter();
    const workers = runTaskList(
      {
        concurrency: slotsFor(kind, deps.config),
        noHandleSignals: true,
        gracefulShutdownAbortTimeout: FINISH_MS,
        logger: queueLogger(deps.log),
        preset: QUEUE_PRESET,
        events,
      },
      tasks,
      pool(),
    );
    const run: Run = { workers, reached: false, ending: false, jobsInHand: 0 };
    this.#current = run;
    this.#follow(run, events);
    const onEnd = () => {
      this.#replace(run, undefined);
      this.#forget(run);
    };
    workers.promise.then(onEnd, (thrown: unknown) => {
      this.#replace(run, thrown);
      this.#forget(run);
    });
  }

  #follow(run: Run, events: WorkerEvents): void {
    const onPoll = () => {
      this.#looks++;
      if (run.reached) return;
      run.reached = true;
      this.#parts.started();
    };
    events.on('worker:getJob:empty', onPoll);
    events.on('job:start', () => {
      onPoll();
      this.#taken++;
      run.jobsInHand++;
    });
    events.on('job:complete', () => run.jobsInHand--);
    // graphile-worker caches the promise of its first query even when it fails: such a pool never takes a job.
    events.on('worker:getJob:error', ({ error }) => {
      if (!run.reached) this.#replace(run, error);
    });
    // The pool ends when it cannot record the end of a job. New jobs do not wait for its running ones.
    events.on('pool:gracefulShutdown', () => {
      run.ending = true;
      this.#replace(run, undefined);
    });
  }

  /** Lets one idle worker poll for a job; a worker that finds one nudges the next. */
  nudge(): void {
    if (this.#closing) return;
    try {
      this.#current?.workers.nudge(1);
    } catch {
      // The worker pool is ending and will be replaced.
    }
  }

  restart(): void {
    if (this.#current !== undefined) this.#replace(this.#current, undefined);
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    const run = this.#current;
    if (run === undefined) return;
    try {
      await run.workers.gracefulShutdown();
    } catch (thrown) {
      this.#parts.deps.log.warn({ err: thrown }, 'running jobs were released to other nodes');
    }
  }

  #replace(run: Run, thrown: unknown): void {
    if (this.#closing || run !== this.#current) return;
    const { deps, kind } = this.#parts;
    this.#current = undefined;
    this.#draining.add(run);
    deps.log.warn({ err: thrown, kind, runner: run.workers.id }, 'the job queue ended; restarting it');
    // By then all its workers have noticed the failure, so none of them still waits for the queue.
    setImmediate(() => {
      if (!run.ending) Promise.resolve(run.workers.gracefulShutdown()).catch(() => undefined);
    });
    setTimeout(() => this.#forget(run), KINDS[kind].limitMs + DRAIN_MARGIN_MS).unref();
    this.#restart = setTimeout(() => this.start(), RESTART_MS);
  }

  #forget(run: Run): void {
    const wasDraining = this.#draining.delete(run);
    if (wasDraining || this.#closing) this.#parts.gone(run.workers.id);
  }
}

/** Forwards the library's log without its metadata, which contains callers' data. */
export function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return;
    if (level === 'error' || level === 'warning') log.warn(`job queue: ${message}`);
    else log.debug(`job queue: ${message}`);
  });
}
