import type { Operation } from '../core/operation.ts';
import { listDestinations } from '../directory/list-destinations.ts';
import { changePlan } from './agent/change-plan.ts';
import { getAccount } from './agent/get-account.ts';
import { getPlaceForAgents } from './agent/get-place.ts';
import { listSubmissionsForAgents } from './agent/list-submissions.ts';
import { recoverKey } from './agent/recover-key.ts';
import { rotateKey } from './agent/rotate-key.ts';
import { searchPlacesForAgents } from './agent/search-places.ts';
import { signUp } from './agent/sign-up.ts';
import { submitBusinessForAgents } from './agent/submit-business.ts';
import { submitPromoForAgents } from './agent/submit-promo.ts';
import { bookingLink } from './partner/booking-link.ts';
import { directoryFeed } from './partner/directory-feed.ts';
import { getMenu } from './partner/get-menu.ts';
import { getReviews } from './partner/get-reviews.ts';
import { openPlaces } from './partner/open-places.ts';
import { placeDetails } from './partner/place-details.ts';
import { searchPlacesForPartners } from './partner/search-places.ts';

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
  searchPlacesForPartners,
  openPlaces,
  placeDetails,
  bookingLink,
  getMenu,
  getReviews,
  directoryFeed,
];
