import { z } from 'zod';
import { sendRecoveryLink } from '../accounts/agents/send-recovery-link.ts';
import { sendPartnerLink } from '../accounts/partners/send-partner-link.ts';
import { endPastReviewAccounts } from '../accounts/review-account.ts';
import { advanceBooking, advanceInSystem } from '../bookings/asking/advance-booking.ts';
import { advanceChoice } from '../bookings/choices/advance-choice.ts';
import { venueMessageFinished } from '../bookings/asking/venue-message-finished.ts';
import { checkTimelines } from '../bookings/maintenance/check-timelines.ts';
import { eraseGuestNames } from '../bookings/maintenance/erase-guest-names.ts';
import { noteNoShows } from '../bookings/channels/venue-system/note-no-shows.ts';
import { rehearse } from '../bookings/rehearsal/rehearse.ts';
import { drillJob } from '../bookings/kill-switch/drill-job.ts';
import { requeueLostBookings } from '../bookings/maintenance/requeue-lost-bookings.ts';
import { callbackDelivery } from '../callbacks/deliver-callback.ts';
import type { Pool } from '../core/postgres/db.ts';
import { publishDemoPhotos } from '../demo/photos/demo-photos.ts';
import { forgetDeadJobs } from '../jobs/forget-jobs.ts';
import type { ScheduledTask } from '../jobs/run-cron.ts';
import { defineTask, type Job, type Task, type TaskName } from '../jobs/task.ts';
import { deliverMessage, deliverVenueMail, deliverVenueText } from '../messages/deliver-message.ts';
import { requeueLostMessages } from '../messages/message-job.ts';
import { forgetPartnerCalls } from '../metering/partner-calls.ts';
import { forgetPastWindows } from '../metering/rate-window.ts';
import { forgetOldOauth } from '../oauth/forget-oauth.ts';
import { deleteUnusedFiles } from '../photos/delete-files.ts';
import { endDrop } from '../photos/drop.ts';
import { processPhoto } from '../photos/process-photo.ts';
import { forgetOldAnswers } from '../protocol/run/idempotency.ts';
import { deleteExpired } from '../retention/delete-expired.ts';
import { applyDecision } from '../submissions/review/hold-decision.ts';
import { webhookDelivery } from '../webhooks/deliver-webhook.ts';

const QUEUED_TASKS: Record<TaskName, Task> = {
  deliver_message: deliverMessage,
  deliver_venue_mail: deliverVenueMail,
  deliver_venue_text: deliverVenueText,
  deliver_callback: callbackDelivery.task,
  deliver_webhook: webhookDelivery.task,
  advance_booking: advanceBooking,
  advance_in_system: advanceInSystem,
  advance_choice: advanceChoice,
  venue_message_finished: venueMessageFinished,
  rehearse,
  apply_decision: applyDecision,
  drill_kill_switch: drillJob,
  send_recovery_link: sendRecoveryLink,
  send_partner_link: sendPartnerLink,
  process_photo: processPhoto,
  end_drop: endDrop,
  demo_photos: publishDemoPhotos,
};

/** Minute 17 of every hour, when few other programs start theirs. */
const HOURLY = '17 * * * *';
/** Every five minutes: receivers and venues wait for these. */
const OFTEN = '*/5 * * * *';

/** Deletes expired data and checks invariants. Each task can run again at any time without harm. */
const MAINTENANCE_WORK: Readonly<Record<string, (job: Job) => Promise<void>>> = {
  delete_expired: async ({ deps, signal }) => {
    const deleted = await deleteExpired(deps.pool, deps.clock.now(), { signal });
    if (Object.keys(deleted).length > 0) deps.log.info({ deleted }, 'expired rows deleted');
  },
  forget_answers: withNow(forgetOldAnswers),
  forget_rate_windows: withNow(forgetPastWindows),
  forget_partner_calls: withNow(forgetPartnerCalls),
  forget_callbacks: withNow((pool, now) => callbackDelivery.forgetOld(pool, now)),
  forget_webhook_deliveries: withNow((pool, now) => webhookDelivery.forgetOld(pool, now)),
  forget_dead_jobs: withNow(forgetDeadJobs),
  forget_mcp_sessions: ({ deps }) => deps.sessions.forgetExpired(deps.clock.now()),
  erase_guest_names: ({ deps, inTransaction }) => eraseGuestNames(inTransaction, deps.clock.now()),
  requeue_lost_bookings: withNow(requeueLostBookings),
  requeue_lost_deliveries: withNow(requeueLostDeliveries),
  note_no_shows: noteNoShows,
  check_timelines: ({ deps }) => checkTimelines(deps, deps.clock.now()),
  forget_oauth: ({ deps, inTransaction }) => inTransaction((tx) => forgetOldOauth(tx, deps.clock.now())),
  end_review_accounts: ({ deps: { clock, newId }, inTransaction }) =>
    inTransaction((tx) => endPastReviewAccounts(tx, { now: clock.now(), newId })),
  delete_unused_photos: ({ deps }) => deleteUnusedFiles(deps),
};

export const MAINTENANCE: readonly ScheduledTask[] = Object.keys(MAINTENANCE_WORK).map((name) => ({
  name,
  schedule: name.startsWith('requeue_') ? OFTEN : HOURLY,
}));

export const MAINTENANCE_TASKS: Readonly<Record<string, Task>> = Object.fromEntries(
  Object.entries(MAINTENANCE_WORK).map(([name, run]) => {
    // It calls venues' own systems.
    const kind = name === 'note_no_shows' ? 'asking_by_system' : 'upkeep';
    return [name, defineTask({ kind, payload: z.object({}), run })];
  }),
);

export const TASKS: Record<TaskName, Task> & Readonly<Record<string, Task>> = {
  ...QUEUED_TASKS,
  ...MAINTENANCE_TASKS,
};

async function requeueLostDeliveries(pool: Pool): Promise<void> {
  await callbackDelivery.requeueLost(pool);
  await webhookDelivery.requeueLost(pool);
  await requeueLostMessages(pool);
}

function withNow(clean: (pool: Pool, now: Date) => Promise<void>): (job: Job) => Promise<void> {
  return ({ deps }) => clean(deps.pool, deps.clock.now());
}
