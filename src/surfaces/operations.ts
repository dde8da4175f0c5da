import type { Config } from '../config.ts';
import type { Operation, OutgoingEvent } from '../core/operation.ts';
import { SUBMISSION_DECIDED } from '../submissions/review/decision-callback.ts';
import { WEBHOOK_EVENTS } from '../webhooks/booking-event.ts';
import { listClosures } from '../directory/closure/list-closures.ts';
import { listDestinations } from '../directory/list-destinations.ts';
import { changePlan, getAccount } from './agent/account.ts';
import { getPlaceForAgents } from './agent/get-place.ts';
import { licensePhotoForAgents, linkPhoto, quotePhoto } from './agent/photo-licences.ts';
import { listSubmissionsForAgents } from './agent/list-submissions.ts';
import { photoWallet, topUpWallet } from './agent/photo-wallet.ts';
import { recoverKey, rotateKey, signUp } from './agent/keys.ts';
import { searchPhotosForAgents } from './agent/search-photos.ts';
import { searchPlacesForAgents } from './agent/search-places.ts';
import { submitBusinessForAgents, submitPromoForAgents } from './agent/submit.ts';
import { bookingStatus } from './concierge/booking-status.ts';
import { cancelBookingForPartners, modifyBooking } from './concierge/change-booking.ts';
import { checkAvailability } from './concierge/check-availability.ts';
import { requestTable } from './concierge/request-table.ts';
import { messageVenue } from './concierge/message-venue.ts';
import { redeliverWebhook, testWebhook } from './concierge/resend-webhook.ts';
import { setWebhook, webhookStatus } from './concierge/webhook.ts';
import { bookingLink, getMenu, getReviews, placeDetails } from './partner/one-place.ts';
import { conciergeAnswer } from './partner/concierge-answer.ts';
import { directoryFeed } from './partner/directory-feed.ts';
import { getUsage } from './partner/get-usage.ts';
import { openPlaces, searchPlacesForPartners } from './partner/search-places.ts';
import { signUpPartner } from './partner/sign-up-partner.ts';
import { listBusinesses } from './reserve/list-businesses.ts';
import { restaurantReservation } from './reserve/restaurant-reservation.ts';

/** All operations of the service, in the order of the reference page. */
export const OPERATIONS: readonly Operation[] = [
  listDestinations,
  searchPlacesForAgents,
  getPlaceForAgents,
  listClosures,
  submitBusinessForAgents,
  submitPromoForAgents,
  listSubmissionsForAgents,
  signUp,
  getAccount,
  rotateKey,
  recoverKey,
  changePlan,
  searchPhotosForAgents,
  quotePhoto,
  licensePhotoForAgents,
  linkPhoto,
  photoWallet,
  topUpWallet,
  signUpPartner,
  getUsage,
  searchPlacesForPartners,
  openPlaces,
  placeDetails,
  bookingLink,
  getMenu,
  getReviews,
  directoryFeed,
  conciergeAnswer,
  checkAvailability,
  requestTable,
  bookingStatus,
  modifyBooking,
  cancelBookingForPartners,
  setWebhook,
  webhookStatus,
  testWebhook,
  messageVenue,
  redeliverWebhook,
];

/** Operations that only the Reserve button of assistants needs. */
const RESERVE_OPERATIONS: readonly Operation[] = [restaurantReservation, listBusinesses];

/** Operations that this installation serves. */
export function servedOperations({ reserve }: Pick<Config, 'reserve'>): readonly Operation[] {
  return reserve === undefined ? OPERATIONS : [...OPERATIONS, ...RESERVE_OPERATIONS];
}

/** Events that are posted to receivers. */
export const OUTGOING_EVENTS: readonly OutgoingEvent[] = [...WEBHOOK_EVENTS, SUBMISSION_DECIDED];
