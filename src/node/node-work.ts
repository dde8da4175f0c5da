import { flushCompileCache } from 'node:module';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../core/context.ts';
import { transactionsOf } from '../core/postgres/db.ts';
import type { Listener } from '../core/postgres/listener.ts';
import { startHoursRenewal } from '../directory/hours/renew-hours.ts';
import { startWebsiteProbes } from '../directory/website-probe/probe-websites.ts';
import { HOUR_MS } from '../core/time.ts';

/** Maximum time that jobs wait for an index that is still being built. */
const READY_MS = 5_000;

/** Modules not needed at start, loaded one by one soon afterwards so that the first request does not wait for them. */
const LOADED_LATER = [
  () => import('../oauth/provider.ts'),
  () => import('../answers/answer-question.ts'),
  () => import('sharp'),
];

export interface NodeWork {
  rounds: { close(): Promise<void> };
  jobs: { close(): Promise<void> };
}

/** Starts the node's background work (periodic tasks and jobs) once it is ready, or after READY_MS. */
export async function startWork(
  deps: Deps,
  where: { databaseUrl: string; listener: Listener; isScheduled: boolean },
): Promise<NodeWork> {
  await readyOrLate(deps);
  const { startJobs } = await import('../jobs/run-jobs.ts');
  const { addServiceMetrics } = await import('./service-metrics.ts');
  const { MAINTENANCE, TASKS } = await import('./tasks.ts');
  addServiceMetrics(deps);
  const forgetting = startForgetting(deps);
  const probes = deps.config.probeWebsites
    ? startWebsiteProbes({ ...deps, inTransaction: transactionsOf(deps.pool) })
    : undefined;
  const renewal = startHoursRenewal(deps);
  const close = async () => {
    forgetting.close();
    await probes?.close();
    await renewal.close();
  };
  const jobs = startJobs(deps, where, TASKS, where.isScheduled ? MAINTENANCE : []);
  await loadLater();
  return { rounds: { close }, jobs };
}

/** Starts the background work of a serving process; the main process does the rest. */
export async function startServing(deps: Deps): Promise<NodeWork> {
  await readyOrLate(deps);
  const forgetting = startForgetting(deps);
  const close = () => {
    forgetting.close();
    return Promise.resolve();
  };
  await loadLater();
  return { rounds: { close }, jobs: { close } };
}

async function readyOrLate(deps: Deps): Promise<void> {
  await Promise.race([deps.places.whenReady(), delay(READY_MS, undefined, { ref: false })]);
  // Let other waiters run first.
  await setImmediate();
}

async function loadLater(): Promise<void> {
  for (const load of LOADED_LATER) {
    await load();
    await setImmediate();
  }
  // A process that is killed would lose the compile cache that the next start can use.
  flushCompileCache();
}

/** Removes expired sessions from this process every hour; one node removes them from the database. */
function startForgetting({ sessions, clock }: Deps): { close(): void } {
  const forget = () => sessions.forgetExpiredHere(clock.now());
  const timer = setInterval(forget, HOUR_MS).unref();
  return { close: () => clearInterval(timer) };
}
