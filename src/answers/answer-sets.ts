import { closedSet } from '../core/input/closed-set.ts';

/** Constraints that can be relaxed when nothing matches, the least important first. */
export const relaxedSet = closedSet('Relaxed', {
  rating: 'The places are rated lower.',
  price: 'The places have another price range.',
  area: 'The places are in another area.',
  near: 'The places are farther away.',
  diet: 'It is not recorded that the places cater for the diet.',
  time: 'The places are not known to be open then.',
  cuisine: 'The places have another cuisine.',
  category: 'The places are of another kind.',
});
export type Relaxed = (typeof relaxedSet.values)[number];
