import { flushCompileCache } from 'node:module';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { endPastReviewAccounts } from '../accounts/review-account.ts';
import { forgetPartnerLinks } from '../accounts/partners/partner-link.ts';
import { forgetSessions } from '../accounts/sign-in/session.ts';
import { forgetOldAttempts } from '../accounts/sign-in/sign-in-lock.ts';
import { forgetSignInCodes } from '../accounts/sign-in/sign-in-code.ts';
import { forgetOldSessions } from '../accounts/sign-in/staff-session.ts';
import { callbackDelivery } from '../callbacks/deliver-callback.ts';
import { eraseGuestNames } from '../bookings/maintenance/erase-guest-names.ts';
import { checkTimelines } from '../bookings/maintenance/check-timelines.ts';
import { noteNoShows } from '../bookings/maintenance/note-no-shows.ts';
import { requeueLostBookings } from '../bookings/maintenance/requeue-lost-bookings.ts';
import type { Deps } from '../core/context.ts';
import { transactionsOf } from '../core/postgres/db.ts';
import type { Listener } from '../core/postgres/listener.ts';
import { startHoursRenewal } from '../directory/hours/renew-hours.ts';
import { startWebsiteProbes } from '../directory/website-probe/probe-websites.ts';
import { forgetDeadJobs } from '../jobs/forget-jobs.ts';
import { deleteOldPriceViews } from '../licensing/price-view.ts';
import { forgetLinkCodes } from '../members/member-link.ts';
import { forgetOldMessages } from '../messages/forget-messages.ts';
import { forgetPastWindows } from '../metering/rate-window.ts';
import { deleteUnusedFiles } from '../photos/delete-files.ts';
import { forgetOldAnswers } from '../protocol/run/idempotency.ts';
import { webhookDelivery } from '../webhooks/deliver-webhook.ts';
import { HOUR_MS } from '../core/time.ts';
import { forgetClaimCodes } from '../venue/claim-code.ts';

const HOUSEKEEPING_MS = HOUR_MS;
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
  where: { databaseUrl: string; listener: Listener },
): Promise<NodeWork> {
  await readyOrLate(deps);
  const { startJobs } = await import('../jobs/run-jobs.ts');
  const { addServiceMetrics: addMetrics } = await import('./service-metrics.ts');
  const { TASKS } = await import('./tasks.ts');
  addMetrics(deps);
  const housekeeping = startHousekeeping(deps);
  const probes = deps.config.probeWebsites
    ? startWebsiteProbes({ ...deps, inTransaction: transactionsOf(deps.pool) })
    : undefined;
  const renewal = startHoursRenewal(deps);
  const close = async () => {
    housekeeping.close();
    await probes?.close();
    await renewal.close();
  };
  const jobs = startJobs(deps, where, TASKS);
  await loadLater();
  return { rounds: { close }, jobs };
}

/** Starts the background work of a serving process; the main process does the rest. */
export async function startServing(deps: Deps): Promise<NodeWork> {
  await readyOrLate(deps);
  const forget = () => {
    deps.sessions.forgetExpiredHere(deps.clock.now());
  };
  const forgetting = setInterval(forget, HOUSEKEEPING_MS).unref();
  const close = () => {
    clearInterval(forgetting);
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

/** Deletes expired data and checks invariants every hour. Every node does it; running it twice is harmless. */
function startHousekeeping(deps: Deps): { close(): void } {
  const timer = setInterval(() => void runHousekeeping(deps), HOUSEKEEPING_MS).unref();
  return {
    close: () => {
      clearInterval(timer);
    },
  };
}

export async function runHousekeeping(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  try {
    await Promise.all([
      forgetOldAnswers(deps.pool, now),
      forgetPastWindows(deps.pool, now),
      callbackDelivery.forgetOld(deps.pool, now),
      webhookDelivery.forgetOld(deps.pool, now),
      forgetOldMessages(deps.pool, now),
      forgetDeadJobs(deps.pool, now),
      deps.sessions.forgetExpired(now),
      forgetOldSessions(deps.pool, now),
      forgetOldAttempts(deps.pool, now),
      forgetSessions(deps.pool, now),
      eraseGuestNames(transactionsOf(deps.pool), now),
      requeueLostBookings(deps.pool, now),
      noteNoShows({ deps, inTransaction: transactionsOf(deps.pool) }),
      checkTimelines(deps, now),
      forgetLinkCodes(deps.pool, now),
      forgetSignInCodes(deps.pool, now),
      forgetClaimCodes(deps.pool, now),
      forgetPartnerLinks(deps.pool, now),
      deleteOldPriceViews(deps.pool, now),
      transactionsOf(deps.pool)((tx) => endPastReviewAccounts(tx, { now, newId: deps.newId })),
      deleteUnusedFiles(deps),
    ]);
  } catch (thrown) {
    deps.log.error({ err: thrown }, 'housekeeping failed; it will be retried');
  }
}
