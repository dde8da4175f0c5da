import { Logger, runTaskList, type TaskList, type WorkerPool } from 'graphile-worker';
import pg from 'pg';
import { Counter, Histogram } from 'prom-client';
import type { Deps } from '../core/context.ts';
import type { Log } from '../core/log.ts';
import { clientOptions } from '../core/postgres/client-options.ts';
import { transactionsOf } from '../core/postgres/db.ts';
import { noteAlive, noteGone, releaseDeadRunners } from './dead-runners.ts';
import type { Task } from './task.ts';

const SIGN_OF_LIFE_MS = 10_000;
const RESTART_MS = 1_000;
/** What a job in hand may take to finish when the service ends; then it is called off and left to others. */
const FINISH_MS = 5_000;
/**
 * Without batches the queue notes the end of a job in a promise that nobody holds: a database that dies at that
 * moment would end the process. In a batch the queue ends instead, and begins again.
 */
const QUEUE_PRESET = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };
/** When even that is not heard, because the database is gone, the process does not wait any longer. */
const CLOSE_MS = 15_000;

/** Runs jobs for as long as the service runs, and begins again by itself when the database was lost. */
export function startJobs(
  deps: Deps,
  databaseUrl: string,
  tasks: Readonly<Record<string, Task>>,
): { close(): Promise<void> } {
  const runner = new JobRunner(deps, databaseUrl, tasks);
  runner.start();
  return runner;
}

class JobRunner {
  readonly #deps: Deps;
  readonly #pool: pg.Pool;
  readonly #tasks: TaskList;
  readonly #signs: NodeJS.Timeout;
  #workers: WorkerPool | undefined;
  #restart: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(deps: Deps, databaseUrl: string, tasks: Readonly<Record<string, Task>>) {
    const { jobsAtOnce } = deps.config;
    this.#deps = deps;
    // One connection listens; the others take jobs and note their ends, which is short.
    this.#pool = new pg.Pool({
      ...clientOptions(databaseUrl, { name: 'waypost jobs' }),
      max: jobsAtOnce + 1,
    });
    const lost = (error: Error) => {
      deps.log.debug({ err: error }, 'a connection of the job queue was lost');
    };
    this.#pool.on('error', lost);
    this.#pool.on('connect', (client) => client.on('error', lost));
    this.#tasks = taskList(deps, tasks);
    this.#signs = setInterval(() => void this.#signOfLife(), SIGN_OF_LIFE_MS).unref();
  }

  start(): void {
    const { config, log } = this.#deps;
    const workers = runTaskList(
      {
        concurrency: config.jobsAtOnce,
        noHandleSignals: true,
        gracefulShutdownAbortTimeout: FINISH_MS,
        logger: queueLogger(log),
        preset: QUEUE_PRESET,
      },
      this.#tasks,
      this.#pool,
    );
    this.#workers = workers;
    void this.#signOfLife();
    workers.promise.then(
      () => {
        this.#ended(workers.id, undefined);
      },
      (thrown: unknown) => {
        this.#ended(workers.id, thrown);
      },
    );
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#signs);
    clearTimeout(this.#restart);
    await within(CLOSE_MS, this.#stop());
  }

  async #stop(): Promise<void> {
    const workers = this.#workers;
    try {
      await workers?.gracefulShutdown();
      if (workers !== undefined) await noteGone(this.#deps.pool, workers.id);
    } catch (thrown) {
      this.#deps.log.warn({ err: thrown }, 'jobs in hand were left to other nodes');
    }
    await this.#pool.end();
  }

  #ended(runnerId: string, thrown: unknown): void {
    if (this.#closing) return;
    this.#deps.log.warn({ err: thrown, runner: runnerId }, 'the job queue ended and begins again');
    // What it had in hand can be taken up by others at once, and by this node after its new start.
    noteGone(this.#deps.pool, runnerId).catch(() => undefined);
    this.#restart = setTimeout(() => {
      this.start();
    }, RESTART_MS);
  }

  async #signOfLife(): Promise<void> {
    const { pool, log } = this.#deps;
    const id = this.#workers?.id;
    if (id === undefined) return;
    try {
      await noteAlive(pool, id);
      const dead = await releaseDeadRunners(pool);
      if (dead > 0) log.warn({ runners: dead }, 'jobs of nodes that died were given back to the queue');
    } catch (thrown) {
      if (!this.#closing) log.debug({ err: thrown }, 'no sign of life could be given');
    }
  }
}

/** The tasks as the queue calls them, each counted and logged. */
function taskList(deps: Deps, tasks: Readonly<Record<string, Task>>): TaskList {
  const { metrics, log } = deps;
  const registers = [metrics.registry];
  const seconds = new Histogram({
    name: 'waypost_job_seconds',
    help: 'Time that a job took.',
    labelNames: ['task'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
    registers,
  });
  const ended = new Counter({
    name: 'waypost_jobs_total',
    help: 'Jobs by task and outcome; a failed one is tried again.',
    labelNames: ['task', 'outcome'],
    registers,
  });
  const inTransaction = transactionsOf(deps.pool);
  const counted =
    (name: string, task: Task): TaskList[string] =>
    async (payload, { abortSignal: signal, job }) => {
      const stop = seconds.startTimer({ task: name });
      try {
        await task.run({ deps, signal, inTransaction }, task.payload.parse(payload));
        ended.inc({ task: name, outcome: 'done' });
      } catch (thrown) {
        ended.inc({ task: name, outcome: 'failed' });
        log.error({ err: thrown, task: name, job: job.id, attempt: job.attempts }, 'job failed');
        throw thrown;
      } finally {
        stop();
      }
    };
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, counted(name, task)]));
}

/** What the queue says of itself. Its lines carry payloads, which are data of callers: only the words are kept. */
function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return;
    if (level === 'error' || level === 'warning') log.warn(`job queue: ${message}`);
    else log.debug(`job queue: ${message}`);
  });
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
