import { z } from 'zod';
import { sendRecoveryLink } from '../accounts/agents/send-recovery-link.ts';
import { forgetPartnerLinks } from '../accounts/partners/partner-link.ts';
import { sendPartnerLink } from '../accounts/partners/send-partner-link.ts';
import { endPastReviewAccounts } from '../accounts/review-account.ts';
import { forgetSessions } from '../accounts/sign-in/session.ts';
import { forgetSignInCodes } from '../accounts/sign-in/sign-in-code.ts';
import { forgetOldAttempts } from '../accounts/sign-in/sign-in-lock.ts';
import { forgetOldSessions } from '../accounts/sign-in/staff-session.ts';
import { advanceBooking, advanceInSystem } from '../bookings/asking/advance-booking.ts';
import { venueMessageFinished } from '../bookings/asking/venue-message-finished.ts';
import { checkTimelines } from '../bookings/maintenance/check-timelines.ts';
import { eraseGuestNames } from '../bookings/maintenance/erase-guest-names.ts';
import { noteNoShows } from '../bookings/maintenance/note-no-shows.ts';
import { requeueLostBookings } from '../bookings/maintenance/requeue-lost-bookings.ts';
import { callbackDelivery } from '../callbacks/deliver-callback.ts';
import type { Pool } from '../core/postgres/db.ts';
import { publishDemoPhotos } from '../demo/photos/demo-photos.ts';
import { forgetDeadJobs } from '../jobs/forget-jobs.ts';
import type { Kind } from '../jobs/kinds.ts';
import type { ScheduledTask } from '../jobs/run-cron.ts';
import { defineTask, type Job, type Task, type TaskName } from '../jobs/task.ts';
import { deleteOldPriceViews } from '../licensing/price-view.ts';
import { forgetLinkCodes } from '../members/member-link.ts';
import { deliverMessage, deliverVenueMail, deliverVenueText } from '../messages/deliver-message.ts';
import { forgetOldMessages } from '../messages/forget-messages.ts';
import { forgetPastWindows } from '../metering/rate-window.ts';
import { cleanUpOauth } from '../oauth/tidy-oauth.ts';
import { deleteUnusedFiles } from '../photos/delete-files.ts';
import { endDrop } from '../photos/drop.ts';
import { processPhoto } from '../photos/process-photo.ts';
import { forgetOldAnswers } from '../protocol/run/idempotency.ts';
import { forgetClaimCodes } from '../venue/claim-code.ts';
import { webhookDelivery } from '../webhooks/deliver-webhook.ts';

const QUEUED_TASKS: Record<TaskName, Task> = {
  deliver_message: deliverMessage,
  deliver_venue_mail: deliverVenueMail,
  deliver_venue_text: deliverVenueText,
  deliver_callback: callbackDelivery.task,
  deliver_webhook: webhookDelivery.task,
  advance_booking: advanceBooking,
  advance_in_system: advanceInSystem,
  venue_message_finished: venueMessageFinished,
  send_recovery_link: sendRecoveryLink,
  send_partner_link: sendPartnerLink,
  tidy_oauth: cleanUpOauth,
  process_photo: processPhoto,
  end_drop: endDrop,
  demo_photos: publishDemoPhotos,
};

interface MaintenanceTask extends ScheduledTask {
  /** `upkeep` unless another is given. */
  kind?: Kind;
  run: (job: Job) => Promise<void>;
}

/** Minute 17, when few other programs start theirs. */
const HOURLY = '17 * * * *';

/** Deletes expired data and checks invariants. Each task can run again at any time without harm. */
export const MAINTENANCE: readonly MaintenanceTask[] = [
  { name: 'forget_answers', schedule: HOURLY, run: withNow(forgetOldAnswers) },
  { name: 'forget_rate_windows', schedule: HOURLY, run: withNow(forgetPastWindows) },
  {
    name: 'forget_callbacks',
    schedule: HOURLY,
    run: withNow((pool, now) => callbackDelivery.forgetOld(pool, now)),
  },
  {
    name: 'forget_webhook_deliveries',
    schedule: HOURLY,
    run: withNow((pool, now) => webhookDelivery.forgetOld(pool, now)),
  },
  { name: 'forget_messages', schedule: HOURLY, run: withNow(forgetOldMessages) },
  { name: 'forget_dead_jobs', schedule: HOURLY, run: withNow(forgetDeadJobs) },
  {
    name: 'forget_mcp_sessions',
    schedule: HOURLY,
    run: ({ deps }) => deps.sessions.forgetExpired(deps.clock.now()),
  },
  { name: 'forget_staff_sessions', schedule: HOURLY, run: withNow(forgetOldSessions) },
  { name: 'forget_sign_in_attempts', schedule: HOURLY, run: withNow(forgetOldAttempts) },
  { name: 'forget_sessions', schedule: HOURLY, run: withNow(forgetSessions) },
  {
    name: 'erase_guest_names',
    schedule: HOURLY,
    run: ({ deps, inTransaction }) => eraseGuestNames(inTransaction, deps.clock.now()),
  },
  { name: 'requeue_lost_bookings', schedule: HOURLY, run: withNow(requeueLostBookings) },
  // It calls venues' own systems.
  { name: 'note_no_shows', schedule: HOURLY, kind: 'asking_by_system', run: noteNoShows },
  { name: 'check_timelines', schedule: HOURLY, run: ({ deps }) => checkTimelines(deps, deps.clock.now()) },
  { name: 'forget_link_codes', schedule: HOURLY, run: withNow(forgetLinkCodes) },
  { name: 'forget_sign_in_codes', schedule: HOURLY, run: withNow(forgetSignInCodes) },
  { name: 'forget_claim_codes', schedule: HOURLY, run: withNow(forgetClaimCodes) },
  { name: 'forget_partner_links', schedule: HOURLY, run: withNow(forgetPartnerLinks) },
  { name: 'forget_price_views', schedule: HOURLY, run: withNow(deleteOldPriceViews) },
  {
    name: 'end_review_accounts',
    schedule: HOURLY,
    run: ({ deps: { clock, newId }, inTransaction }) =>
      inTransaction((tx) => endPastReviewAccounts(tx, { now: clock.now(), newId })),
  },
  { name: 'delete_unused_photos', schedule: HOURLY, run: ({ deps }) => deleteUnusedFiles(deps) },
];

/** The same as tasks. */
export const MAINTENANCE_TASKS: Readonly<Record<string, Task>> = Object.fromEntries(
  MAINTENANCE.map(({ name, kind = 'upkeep', run }) => [
    name,
    defineTask({ kind, payload: z.object({}), run }),
  ]),
);

/** Background tasks by the name under which they are queued. */
export const TASKS: Record<TaskName, Task> & Readonly<Record<string, Task>> = {
  ...QUEUED_TASKS,
  ...MAINTENANCE_TASKS,
};

function withNow(clean: (pool: Pool, now: Date) => Promise<void>): (job: Job) => Promise<void> {
  return ({ deps }) => clean(deps.pool, deps.clock.now());
}
