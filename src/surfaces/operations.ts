import type { Operation } from '../core/operation.ts';
import { listDestinations } from '../directory/list-destinations.ts';
import { changePlan } from './agent/change-plan.ts';
import { getAccount } from './agent/get-account.ts';
import { getPlaceForAgents } from './agent/get-place.ts';
import { licensePhotoForAgents } from './agent/license-photo.ts';
import { linkPhoto } from './agent/link-photo.ts';
import { listSubmissionsForAgents } from './agent/list-submissions.ts';
import { photoWallet } from './agent/photo-wallet.ts';
import { quotePhoto } from './agent/quote-photo.ts';
import { recoverKey } from './agent/recover-key.ts';
import { rotateKey } from './agent/rotate-key.ts';
import { searchPhotosForAgents } from './agent/search-photos.ts';
import { searchPlacesForAgents } from './agent/search-places.ts';
import { signUp } from './agent/sign-up.ts';
import { submitBusinessForAgents } from './agent/submit-business.ts';
import { submitPromoForAgents } from './agent/submit-promo.ts';
import { topUpWallet } from './agent/top-up-wallet.ts';
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

/** Everything that programs can ask of the service, in the order in which the reference shows it. */
export const OPERATIONS: readonly Operation[] = [
  listDestinations,
  searchPlacesForAgents,
  getPlaceForAgents,
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
