import { closedSet } from '../../core/input/closed-set.ts';
import sets from './sets.json' with { type: 'json' };

export const placeSourceSet = closedSet('PlaceSource', sets.PlaceSource);

/** Source of opening hours. The constraint place_hours_source_known has the same values. */
export const hoursSourceSet = closedSet('HoursSource', sets.HoursSource);

export const ratingSourceSet = closedSet('RatingSource', sets.RatingSource);

export const menuSourceSet = closedSet('MenuSource', sets.MenuSource);

/** Fields of a record that sources can provide. */
export const placeFieldSet = closedSet('PlaceField', sets.PlaceField);
export type PlaceField = (typeof placeFieldSet.values)[number];

/** Reason why a place is removed from a partner's copy. */
export const removalReasonSet = closedSet('LeftBecause', sets.LeftBecause);
