import { closedSet } from '../../core/input/closed-set.ts';

/** Maintainer of a listing. */
export const badgeSet = closedSet('Badge', {
  mapped: 'It comes from a map or a submission; the venue has not claimed it.',
  claimed: 'The venue claimed its listing and looks after it.',
});

export const openStateSet = closedSet('OpenState', {
  open: 'Open at this moment, by verified hours.',
  closed_now: 'Closed at this moment, by verified hours.',
  unverified: 'No verified hours; that does not mean closed.',
  closed: 'It appears to have closed for good: send nobody.',
});

/** Evidence that a place has closed for good. */
export const closureEvidenceSet = closedSet('ClosureEvidence', {
  website_dead: 'Its website is gone.',
  published_report: 'A published source says so.',
  venue_said: 'The venue itself said so.',
});

export const closureConfidenceSet = closedSet('ClosureConfidence', {
  none: 'Nothing says that it has closed.',
  suspected: 'One sign says so; it is still listed.',
  believed: 'It is treated as closed.',
});

export const closureStateSet = closedSet('ClosureState', {
  closed: 'It is believed closed.',
  reopened: 'It was believed closed, and is not any more.',
});

export const reopenedBySet = closedSet('ReopenedBy', {
  staff: 'Our staff found it open.',
  venue: 'The venue said so.',
  website: 'Its website is back.',
  import: 'A newer map has it again.',
});

export const placePhotoKindSet = closedSet('PlacePhotoKind', {
  listing: "The venue's own.",
  member: "A traveller's, checked by a person.",
});

/** Kinds of promotions. */
export const promoKindSet = closedSet(
  'PromoKind',
  {
    promo: 'A lower price or something extra.',
    special: 'A dish, room or service that is offered for a limited time.',
    event: 'Something that happens at a time.',
    ad: 'A plain advertisement.',
  },
  { explainedInTools: false },
);
