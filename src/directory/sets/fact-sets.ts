import { closedSet } from '../../core/input/closed-set.ts';

/** Facts that a source can only affirm or deny. */
export const saidSet = closedSet('Said', { yes: 'The source says yes.', no: 'The source says no.' });

export const wheelchairSet = closedSet('Wheelchair', {
  yes: 'Fully wheelchair-accessible.',
  limited: 'Partly wheelchair-accessible, or with help.',
  no: 'Not wheelchair-accessible.',
  designated: 'Designed for people in wheelchairs.',
});

export const internetSet = closedSet('InternetAccess', {
  free: 'Free for guests.',
  paid: 'Guests pay for it.',
  yes: 'Available; the price is unknown.',
  no: 'There is none.',
});

export const smokingSet = closedSet('Smoking', {
  yes: 'People may smoke everywhere.',
  no: 'Smoking is not allowed.',
  outside: 'People may smoke outside only.',
  separated: 'There is an area for smokers.',
  isolated: 'There is a closed room for smokers.',
  dedicated: 'Designed for smokers.',
});

/** Takeaway and delivery. */
export const mealsOutSet = closedSet('MealsOut', {
  yes: 'It does this.',
  no: 'It does not do this.',
  only: 'It does only this; guests cannot eat there.',
});

export const reservationSet = closedSet('Reservation', {
  yes: 'Tables can be reserved.',
  no: 'Tables cannot be reserved.',
  recommended: 'Guests should reserve.',
  required: 'Guests must reserve.',
  members_only: 'Only members may reserve.',
});

export const dogsSet = closedSet('Dogs', {
  yes: 'Dogs may come in.',
  no: 'Dogs may not come in.',
  leashed: 'Dogs may come in on a leash.',
  outside: 'Dogs may come to the tables outside.',
});

/** Wishes that callers can search by: a place matches a wish that its facts fulfil. */
export const wishSet = closedSet(
  'Wish',
  {
    wheelchair: 'Wheelchair-accessible.',
    wifi: 'Guests can use the internet.',
    outdoor_seating: 'There are seats outside.',
    vegan: 'It has vegan dishes.',
    vegetarian: 'It has vegetarian dishes.',
    halal: 'It has halal dishes.',
    kosher: 'It has kosher dishes.',
    gluten_free: 'It has dishes without gluten.',
    takeaway: 'Meals can be taken away.',
    delivery: 'It delivers meals.',
    no_smoking: 'No smoking inside.',
    cards: 'It takes cards.',
    reservation: 'Tables can be reserved.',
    dogs: 'Dogs may come in.',
    free: 'Entry costs nothing.',
  },
  { explainedInTools: false },
);

/** Wishes about the price that a text can contain, besides those of wishSet. */
export const priceWishSet = closedSet('PriceWish', {
  cheap: 'Its price range is $.',
  expensive: 'Its price range is above $.',
});

/** Levels of price_range that callers can search by. */
export const priceLevelSet = closedSet(
  'PriceLevel',
  { $: 'Cheap.', $$: 'Moderate.', $$$: 'Expensive.', $$$$: 'Very expensive.' },
  { explainedInTools: false },
);
