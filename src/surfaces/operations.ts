import type { Operation } from '../core/operation.ts';
import { listDestinations } from '../directory/list-destinations.ts';
import { getPlaceForAgents } from './agent/get-place.ts';
import { searchPlacesForAgents } from './agent/search-places.ts';
import { signUp } from './agent/sign-up.ts';
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
  signUp,
  searchPlacesForPartners,
  openPlaces,
  placeDetails,
  bookingLink,
  getMenu,
  getReviews,
  directoryFeed,
];
