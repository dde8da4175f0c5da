import { closedSet } from '../../core/input/closed-set.ts';
import sets from './sets.json' with { type: 'json' };

export const submittedVerticalSet = closedSet('SubmittedVertical', sets.SubmittedVertical, {
  explainedInTools: false,
});

/** Verticals of places. The constraint place_vertical_known has the same values. No map lists a beach as a business. */
export const verticalSet = closedSet(
  'Vertical',
  { ...sets.SubmittedVertical, beach: 'A beach.' },
  { explainedInTools: false },
);
