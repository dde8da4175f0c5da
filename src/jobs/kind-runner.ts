import { EventEmitter } from 'node:events';
import { Logger, runTaskList, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import type { Deps } from '../core/context.ts';
import type { Log } from '../core/log.ts';
import { KINDS, placesOf, type Kind } from './kinds.ts';

const RESTART_MS = 500;
/** The time that a job in hand gets to finish when its worker pool ends; then its signal is aborted. */
const FINISH_MS = 5_000;
/** A worker pool that ended badly may never report its end. After this much more than the job limit it counts as gone. */
const DRAIN_MARGIN_MS = 30_000;
/**
 * Without batches graphile-worker records the end of a job in a promise that nobody holds: a database that dies at that
 * moment would end the process. With batches the worker pool ends instead, and a new one replaces it.
 */
const QUEUE_PRESET = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

interface Parts {
  kind: Kind;
  deps: Deps;
  /** The connections from which jobs are taken. They may be replaced, so each start asks again. */
  pool: () => pg.Pool;
  tasks: TaskList;
  /** Called when a worker pool has reached the queue for the first time. */
  started: () => void;
  /** Called with the id of a worker pool that has ended: its jobs can be taken by others. */
  gone: (runnerId: string) => void;
}

/** One worker pool of graphile-worker, from its start to its end. */
interface Run {
  workers: WorkerPool;
  /** Whether it has reached the queue. Until then graphile-worker may have cached a failure for ever. */
  reached: boolean;
  /** Whether it takes no more jobs. */
  ending: boolean;
  jobsInHand: number;
}

/**
 * Runs the jobs of one kind on this node. When a worker pool ends or cannot begin, another one replaces it at once, while
 * the first finishes the jobs that it has in hand.
 */
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

  /** The names under which it has taken jobs that are not finished, and takes new ones. */
  get ids(): string[] {
    return [this.#current, ...this.#draining].flatMap((run) => run?.workers.id ?? []);
  }

  /** How often it has looked at the queue successfully. */
  get looks(): number {
    return this.#looks;
  }

  /** How many jobs it has taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether every slot of the kind has a job in hand. */
  get isFull(): boolean {
    const { kind, deps } = this.#parts;
    return (this.#current?.jobsInHand ?? 0) >= placesOf(kind, deps.config);
  }

  start(): void {
    const { kind, deps, tasks, pool } = this.#parts;
    const events: WorkerEvents = new EventEmitter();
    const workers = runTaskList(
      {
        concurrency: placesOf(kind, deps.config),
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
    const ended = () => {
      this.#replace(run, undefined);
      this.#forget(run);
    };
    workers.promise.then(ended, (thrown: unknown) => {
      this.#replace(run, thrown);
      this.#forget(run);
    });
  }

  #follow(run: Run, events: WorkerEvents): void {
    const looked = () => {
      this.#looks++;
      if (run.reached) return;
      run.reached = true;
      this.#parts.started();
    };
    events.on('worker:getJob:empty', looked);
    events.on('job:start', () => {
      looked();
      this.#taken++;
      run.jobsInHand++;
    });
    events.on('job:complete', () => {
      run.jobsInHand--;
    });
    // graphile-worker caches the promise of its first query, also when that fails: such a pool never takes a job.
    events.on('worker:getJob:error', ({ error }) => {
      if (!run.reached) this.#replace(run, error);
    });
    // The pool ends by itself when it cannot record the end of a job. It waits for jobs in hand; new ones do not.
    events.on('pool:gracefulShutdown', () => {
      run.ending = true;
      this.#replace(run, undefined);
    });
  }

  /** Has one idle worker look for a job; a worker that finds one nudges the next. */
  nudge(): void {
    if (this.#closing) return;
    try {
      this.#current?.workers.nudge(1);
    } catch {
      // It is ending, and is replaced.
    }
  }

  /** Replaces a worker pool that takes no jobs although it has not ended. */
  restart(): void {
    if (this.#current !== undefined) this.#replace(this.#current, undefined);
  }

  /** Waits for jobs in hand. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    const run = this.#current;
    if (run === undefined) return;
    try {
      await run.workers.gracefulShutdown();
    } catch (thrown) {
      this.#parts.deps.log.warn({ err: thrown }, 'jobs in hand were left to other nodes');
    }
  }

  #replace(run: Run, thrown: unknown): void {
    if (this.#closing || run !== this.#current) return;
    const { deps, kind } = this.#parts;
    this.#current = undefined;
    this.#draining.add(run);
    deps.log.warn({ err: thrown, kind, runner: run.workers.id }, 'the job queue ended; restarting it');
    // All its workers have noticed the failure by then, so that none of them still waits for the queue.
    setImmediate(() => {
      if (!run.ending) Promise.resolve(run.workers.gracefulShutdown()).catch(() => undefined);
    });
    setTimeout(() => {
      this.#forget(run);
    }, KINDS[kind].limitMs + DRAIN_MARGIN_MS).unref();
    this.#restart = setTimeout(() => {
      this.start();
    }, RESTART_MS);
  }

  #forget(run: Run): void {
    const wasDraining = this.#draining.delete(run);
    if (wasDraining || this.#closing) this.#parts.gone(run.workers.id);
  }
}

/** Passes on what graphile-worker logs. Its metadata has payloads, which are data of callers, so only the text is kept. */
function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return;
    if (level === 'error' || level === 'warning') log.warn(`job queue: ${message}`);
    else log.debug(`job queue: ${message}`);
  });
}
