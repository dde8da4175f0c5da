import type { Config } from '../config.ts';
import type { Operation, OutgoingEvent } from '../core/operation.ts';
import { SUBMISSION_DECIDED } from '../submissions/review/decision-callback.ts';
import { WEBHOOK_EVENTS } from '../webhooks/booking-event.ts';
import { listClosures } from '../directory/closure/list-closures.ts';
import { listDestinations } from '../directory/list-destinations.ts';
import { changePlan } from './agent/account/change-plan.ts';
import { getAccount } from './agent/account/get-account.ts';
import { getPlaceForAgents } from './agent/get-place.ts';
import { licensePhotoForAgents } from './agent/photos/license-photo.ts';
import { linkPhoto } from './agent/photos/link-photo.ts';
import { listSubmissionsForAgents } from './agent/submissions/list-submissions.ts';
import { photoWallet } from './agent/photos/photo-wallet.ts';
import { quotePhoto } from './agent/photos/quote-photo.ts';
import { recoverKey } from './agent/account/recover-key.ts';
import { rotateKey } from './agent/account/rotate-key.ts';
import { searchPhotosForAgents } from './agent/photos/search-photos.ts';
import { searchPlacesForAgents } from './agent/search-places.ts';
import { signUp } from './agent/account/sign-up.ts';
import { submitBusinessForAgents } from './agent/submissions/submit-business.ts';
import { submitPromoForAgents } from './agent/submissions/submit-promo.ts';
import { topUpWallet } from './agent/photos/top-up-wallet.ts';
import { bookingStatus } from './concierge/booking-status.ts';
import { cancelBookingForPartners } from './concierge/cancel-booking.ts';
import { checkAvailability } from './concierge/check-availability.ts';
import { modifyBooking } from './concierge/modify-booking.ts';
import { requestTable } from './concierge/request-table.ts';
import { setWebhook } from './concierge/set-webhook.ts';
import { webhookStatus } from './concierge/webhook-status.ts';
import { bookingLink } from './partner/booking-link.ts';
import { conciergeAnswer } from './partner/concierge-answer.ts';
import { directoryFeed } from './partner/directory-feed.ts';
import { getMenu } from './partner/get-menu.ts';
import { getReviews } from './partner/get-reviews.ts';
import { getUsage } from './partner/get-usage.ts';
import { openPlaces } from './partner/open-places.ts';
import { placeDetails } from './partner/place-details.ts';
import { searchPlacesForPartners } from './partner/search-places.ts';
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
];

/** Operations that only the Reserve button of assistants needs. */
const RESERVE_OPERATIONS: readonly Operation[] = [restaurantReservation, listBusinesses];

/** Operations that this installation serves. */
export function servedOperations({ reserve }: Pick<Config, 'reserve'>): readonly Operation[] {
  return reserve === undefined ? OPERATIONS : [...OPERATIONS, ...RESERVE_OPERATIONS];
}

/** Events that are posted to receivers. */
export const OUTGOING_EVENTS: readonly OutgoingEvent[] = [...WEBHOOK_EVENTS, SUBMISSION_DECIDED];
