import { setTimeout as delay } from 'node:timers/promises';
import { parseCronItems, run, type Logger, type Runner } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '../core/log.ts';
import { HOUR_MS } from '../core/time.ts';

export interface ScheduledTask {
  name: string;
  /** Minute, hour, day of the month, month and day of the week, in UTC. */
  schedule: string;
}

interface Parts {
  log: Log;
  logger: Logger;
  pool: () => pg.Pool;
  schedule: readonly ScheduledTask[];
  /** Called with true when the schedule runs, and with false when it ended or could not start. */
  changed: (isRunning: boolean) => void;
}

const RESTART_MS = 1_000;
const CLOSE_MS = 1_000;
/** When no node ran at the time of a task, the next start queues it if it was due within this period. */
const BACKFILL_MS = HOUR_MS;
/** graphile-worker starts a worker pool with every cron. This task is never queued, so that the pool takes no jobs. */
const NO_TASKS = { cron_has_no_jobs: () => undefined };

/** Queues tasks when they are due, once for all nodes. A waiting or failed job is replaced by the next one. */
export class CronRunner {
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #runner: Runner | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#parts.schedule.length > 0) this.#running = this.#keepRunning();
  }

  restart(): void {
    this.#runner?.stop().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.restart();
    // While the database is unavailable, the cron would only end at its next attempt to connect.
    await Promise.race([this.#running, delay(CLOSE_MS, undefined, { ref: false })]);
  }

  async #keepRunning(): Promise<void> {
    const { log, changed } = this.#parts;
    const { signal } = this.#stop;
    let isFailing = false;
    while (!signal.aborted) {
      try {
        this.#runner = await this.#run();
        isFailing = false;
        changed(true);
        if (this.#stop.signal.aborted) this.restart();
        await this.#runner.promise;
      } catch (thrown) {
        // One error for each outage: without a database it fails every second.
        log[isFailing ? 'debug' : 'error']({ err: thrown }, 'the schedule of tasks ended; restarting it');
        isFailing = true;
        changed(false);
      }
      this.#runner = undefined;
      await delay(RESTART_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #run(): Promise<Runner> {
    const { logger, pool, schedule } = this.#parts;
    return run({
      pgPool: pool(),
      logger,
      noHandleSignals: true,
      concurrency: 1,
      pollInterval: HOUR_MS,
      taskList: NO_TASKS,
      parsedCronItems: parseCronItems(
        schedule.map(({ name, schedule: match }) => ({
          task: name,
          match,
          identifier: name,
          options: { backfillPeriod: BACKFILL_MS, jobKey: name },
        })),
      ),
    });
  }
}
