import type { Wish } from '../../../directory/place/facts.ts';

/** Labels of the feature filters. */
export const WISH_WORDS: Readonly<Record<Wish, string>> = {
  wheelchair: 'Wheelchair access',
  wifi: 'Wi-Fi',
  outdoor_seating: 'Seats outside',
  vegan: 'Vegan food',
  vegetarian: 'Vegetarian food',
  halal: 'Halal food',
  kosher: 'Kosher food',
  gluten_free: 'Gluten-free food',
  takeaway: 'Takeaway',
  delivery: 'Delivery',
  no_smoking: 'No smoking inside',
  cards: 'Cards taken',
  reservation: 'Takes reservations',
  dogs: 'Dogs welcome',
  free: 'Free entry',
};
