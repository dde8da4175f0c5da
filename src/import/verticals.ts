import type { verticalSet } from '../directory/sets/vertical.ts';

export type Vertical = (typeof verticalSet.values)[number];

/** Verticals in order of precedence for a place that matches several. */
export const VERTICALS = (
  'hostel guesthouse hotel massage spa nightclub bar cafe restaurant boat tour market taxi transport event clinic ' +
  'salon gym beach attraction shop other'
).split(' ') as Vertical[];
