import { forgetPartnerLinks } from './accounts/partners/partner-link.ts';
import { forgetSessions } from './accounts/sign-in/session.ts';
import { forgetOldAttempts } from './accounts/sign-in/sign-in-lock.ts';
import { forgetSignInCodes } from './accounts/sign-in/sign-in-code.ts';
import { forgetOldSessions } from './accounts/sign-in/staff-session.ts';
import { forgetOldCallbacks } from './callbacks/callback-state.ts';
import { eraseGuestNames } from './bookings/upkeep/erase-guest-names.ts';
import { checkTimelines } from './bookings/upkeep/check-timelines.ts';
import { noteNoShows } from './bookings/upkeep/note-no-shows.ts';
import { wakeForgotten } from './bookings/upkeep/wake-forgotten.ts';
import type { Deps } from './core/context.ts';
import { transactionsOf } from './core/postgres/db.ts';
import { forgetSights } from './licensing/sight.ts';
import { forgetLinkCodes } from './members/member-link.ts';
import { forgetPastWindows } from './metering/rate-window.ts';
import { deleteUnusedFiles } from './photos/delete-files.ts';
import { forgetOldAnswers } from './protocol/run/idempotency.ts';
import { forgetOldDeliveries } from './webhooks/delivery-state.ts';
import { HOUR_MS } from './core/time.ts';
import { forgetClaimCodes } from './venue/claim-code.ts';

const HOUSEKEEPING_MS = HOUR_MS;

/**
 * Forgets, every hour, what nobody needs any more, and checks what must not change. Every node does it; none of it matters
 * twice.
 */
export function startHousekeeping(deps: Deps): { close(): void } {
  const timer = setInterval(() => void tidy(deps), HOUSEKEEPING_MS).unref();
  return {
    close: () => {
      clearInterval(timer);
    },
  };
}

async function tidy(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  try {
    await Promise.all([
      forgetOldAnswers(deps.pool, now),
      forgetPastWindows(deps.pool, now),
      forgetOldCallbacks(deps.pool, now),
      forgetOldDeliveries(deps.pool, now),
      deps.sessions.forgetExpired(now),
      forgetOldSessions(deps.pool, now),
      forgetOldAttempts(deps.pool, now),
      forgetSessions(deps.pool, now),
      eraseGuestNames(deps.pool, now),
      wakeForgotten(deps.pool, now),
      noteNoShows({ deps, inTransaction: transactionsOf(deps.pool) }),
      checkTimelines(deps, now),
      forgetLinkCodes(deps.pool, now),
      forgetSignInCodes(deps.pool, now),
      forgetClaimCodes(deps.pool, now),
      forgetPartnerLinks(deps.pool, now),
      forgetSights(deps.pool, now),
      deleteUnusedFiles(deps),
    ]);
  } catch (thrown) {
    deps.log.error({ err: thrown }, 'housekeeping failed; it will be tried again');
  }
}
