import { sendRecoveryLink } from '../accounts/agents/send-recovery-link.ts';
import { sendPartnerLink } from '../accounts/partners/send-partner-link.ts';
import { advanceBooking, advanceInSystem } from '../bookings/asking/advance-booking.ts';
import { venueMessageFinished } from '../bookings/asking/venue-message-finished.ts';
import { callbackDelivery } from '../callbacks/deliver-callback.ts';
import { publishDemoPhotos } from '../demo/photos/demo-photos.ts';
import type { Task, TaskName } from '../jobs/task.ts';
import { deliverMessage, deliverVenueMail, deliverVenueText } from '../messages/deliver-message.ts';
import { cleanUpOauth } from '../oauth/tidy-oauth.ts';
import { endDrop } from '../photos/drop.ts';
import { processPhoto } from '../photos/process-photo.ts';
import { webhookDelivery } from '../webhooks/deliver-webhook.ts';

/** Background tasks by the name under which they are queued. */
export const TASKS: Record<TaskName, Task> = {
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
