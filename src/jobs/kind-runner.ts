import { Logger, runTaskList, type TaskList, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import type { Deps } from '../core/context.ts';
import type { Log } from '../core/log.ts';
import { noteGone } from './dead-runners.ts';
import { placesOf, type Kind } from './kinds.ts';

const RESTART_MS = 1_000;
/** What a job in hand may take to finish when the service ends; then it is called off and left to others. */
const FINISH_MS = 5_000;
/**
 * Without batches the queue notes the end of a job in a promise that nobody holds: a database that dies at that
 * moment would end the process. In a batch the queue ends instead, and begins again.
 */
const QUEUE_PRESET = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

interface Parts {
  kind: Kind;
  deps: Deps;
  /** Where jobs are taken from. */
  pool: pg.Pool;
  tasks: TaskList;
  /** Tells the other nodes that this runner lives. */
  begun: () => void;
}

/** Runs the jobs of one kind on this node, and begins again by itself when the database was lost. */
export class KindRunner {
  readonly #parts: Parts;
  #workers: WorkerPool | undefined;
  #restart: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get kind(): Kind {
    return this.#parts.kind;
  }

  /** By what name it takes jobs; undefined between an end and the next beginning. */
  get id(): string | undefined {
    return this.#workers?.id;
  }

  start(): void {
    const { kind, deps, tasks, pool, begun } = this.#parts;
    const workers = runTaskList(
      {
        concurrency: placesOf(kind, deps.config),
        noHandleSignals: true,
        gracefulShutdownAbortTimeout: FINISH_MS,
        logger: queueLogger(deps.log),
        preset: QUEUE_PRESET,
      },
      tasks,
      pool,
    );
    this.#workers = workers;
    begun();
    workers.promise.then(
      () => {
        this.#ended(workers.id, undefined);
      },
      (thrown: unknown) => {
        this.#ended(workers.id, thrown);
      },
    );
  }

  /** Has one idle worker look for a job; whoever finds one has the next look. */
  nudge(): void {
    if (this.#closing) return;
    try {
      this.#workers?.nudge(1);
    } catch {
      // It is ending, and begins again.
    }
  }

  /** Waits for jobs in hand, and signs off. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    const workers = this.#workers;
    if (workers === undefined) return;
    try {
      await workers.gracefulShutdown();
      await noteGone(this.#parts.deps.pool, workers.id);
    } catch (thrown) {
      this.#parts.deps.log.warn({ err: thrown }, 'jobs in hand were left to other nodes');
    }
  }

  #ended(runnerId: string, thrown: unknown): void {
    if (this.#closing) return;
    const { deps, kind } = this.#parts;
    this.#workers = undefined;
    deps.log.warn({ err: thrown, kind, runner: runnerId }, 'the job queue ended and begins again');
    // What it had in hand can be taken up by others at once, and by this node after its new start.
    noteGone(deps.pool, runnerId).catch(() => undefined);
    this.#restart = setTimeout(() => {
      this.start();
    }, RESTART_MS);
  }
}

/** What the queue says of itself. Its lines carry payloads, which are data of callers: only the words are kept. */
function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return;
    if (level === 'error' || level === 'warning') log.warn(`job queue: ${message}`);
    else log.debug(`job queue: ${message}`);
  });
}
