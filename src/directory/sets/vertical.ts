import { closedSet } from '../../core/input/closed-set.ts';

/** Verticals for submitted businesses. */
const SUBMITTED = {
  restaurant: 'Serves meals.',
  cafe: 'Coffee, tea and small dishes.',
  bar: 'Drinks, also pubs and wine bars.',
  hotel: 'Rooms with hotel services.',
  guesthouse: 'A small house with rooms for guests, also apartments.',
  hostel: 'Beds in shared rooms.',
  spa: 'Baths, saunas and treatments.',
  massage: 'Massages.',
  boat: 'Trips, rides and charters on the water.',
  tour: 'Guided tours and activities.',
  market: 'A market or a food hall.',
  shop: 'Sells goods.',
  transport: 'Stations, ferries, rentals and the like.',
  taxi: 'Taxis and drivers.',
  event: 'A venue for events, or an event.',
  clinic: 'Doctors, dentists, pharmacies and hospitals.',
  salon: 'Hair, nails and beauty.',
  gym: 'Sports and fitness.',
  attraction: 'A sight, a museum or a park.',
  nightclub: 'Dancing at night.',
  other: 'Anything else.',
} as const;

export const submittedVerticalSet = closedSet('SubmittedVertical', SUBMITTED, { explainedInTools: false });

/** Verticals of places. The constraint place_vertical_known has the same values. No map lists a beach as a business. */
export const verticalSet = closedSet(
  'Vertical',
  { ...SUBMITTED, beach: 'A beach.' },
  { explainedInTools: false },
);
