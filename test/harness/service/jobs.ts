import { setTimeout as pause } from 'node:timers/promises';
import type { StepContext } from '../../../src/core/context.ts';
import { transactionsOf } from '../../../src/core/postgres/db.ts';
import type { Task } from '../../../src/jobs/task.ts';
import { MAINTENANCE_TASKS } from '../../../src/node/tasks.ts';
import type { TestService } from './service.ts';
import { PATIENCE_MS } from '../patience.ts';

/** Lets time pass: for the clock of the service, and for the queue, whose waits are counted by the database. */
export async function passTime(service: TestService, ms: number): Promise<void> {
  const { pool } = service.database;
  // A job in hand has read the time already, and would put the next one off by what it read.
  const patientUntil = performance.now() + IN_HAND_MS;
  while (performance.now() < patientUntil) {
    const [inHand] = await pool`select 1 from graphile_worker._private_jobs where locked_at is not null`;
    if (inHand === undefined) break;
    await pause(LOOK_AGAIN_MS);
  }
  service.clock.advance(ms);
  await pool`update graphile_worker._private_jobs set run_at = run_at - ${ms} * interval '1 millisecond'`;
  await pool`select pg_notify('jobs:insert', '{"count": 100}')`;
}

/** Waits until there is something to see. It gives up with an error, so that a hang has a name. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const begunAt = performance.now();
  for (let waited = 0; waited < PATIENCE_MS; waited = performance.now() - begunAt) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    // Polls less often after a long wait, because a request for a page or a table costs time.
    await pause(Math.min(LOOK_SELDOM_MS, Math.max(LOOK_AGAIN_MS, waited / 8)));
  }
  throw new Error(`It was waited for in vain: ${what}`);
}

/** Ends every transaction that waits for the world outside, as the death of its node does. */
export async function loseTransactions({ database }: TestService): Promise<void> {
  await database.pool`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`;
}

/** The context of a claimed step. */
export function stepOf({ app: { deps } }: TestService): StepContext {
  return { deps, inTransaction: transactionsOf(deps.pool) };
}

/** Does a job once more, as a node does that took it from one that died. */
export async function runTask(service: TestService, task: Task, payload: object): Promise<void> {
  const { signal } = new AbortController();
  await task.run({ ...stepOf(service), signal }, task.payload.parse(payload));
}

/** No job takes so long on any machine; should a test let one hang, time passes all the same. */
const IN_HAND_MS = 30_000;
const LOOK_AGAIN_MS = 20;
const LOOK_SELDOM_MS = 250;

/** Runs every task of the maintenance schedule once. */
export async function runMaintenance({ app: { deps } }: TestService): Promise<void> {
  const job = { deps, inTransaction: transactionsOf(deps.pool), signal: new AbortController().signal };
  for (const task of Object.values(MAINTENANCE_TASKS)) await task.run(job, {});
}
