import { closedSet } from '../../core/input/closed-set.ts';
import sets from './sets.json' with { type: 'json' };

/** Facts that a source can only affirm or deny. */
export const saidSet = closedSet('Said', sets.Said);
export const wheelchairSet = closedSet('Wheelchair', sets.Wheelchair);
export const internetSet = closedSet('InternetAccess', sets.InternetAccess);
export const smokingSet = closedSet('Smoking', sets.Smoking);

/** Takeaway and delivery. */
export const mealsOutSet = closedSet('MealsOut', sets.MealsOut);
export const reservationSet = closedSet('Reservation', sets.Reservation);
export const dogsSet = closedSet('Dogs', sets.Dogs);

/** Wishes that callers can search by: a place matches a wish that its facts fulfil. */
export const wishSet = closedSet('Wish', sets.Wish, { explainedInTools: false });

/** Wishes about the price that a text can contain, besides those of wishSet. */
export const priceWishSet = closedSet('PriceWish', sets.PriceWish);

/** Levels of price_range that callers can search by. */
export const priceLevelSet = closedSet('PriceLevel', sets.PriceLevel, { explainedInTools: false });
