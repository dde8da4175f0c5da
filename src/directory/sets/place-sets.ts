import { closedSet } from '../../core/input/closed-set.ts';
import sets from './sets.json' with { type: 'json' };

/** Maintainer of a listing. */
export const badgeSet = closedSet('Badge', sets.Badge);
export const openStateSet = closedSet('OpenState', sets.OpenState);

/** Evidence that a place has closed for good. */
export const closureEvidenceSet = closedSet('ClosureEvidence', sets.ClosureEvidence);
export const closureConfidenceSet = closedSet('ClosureConfidence', sets.ClosureConfidence);
export const closureStateSet = closedSet('ClosureState', sets.ClosureState);
export const reopenedBySet = closedSet('ReopenedBy', sets.ReopenedBy);
export const placePhotoKindSet = closedSet('PlacePhotoKind', sets.PlacePhotoKind);

export const promoKindSet = closedSet('PromoKind', sets.PromoKind, { explainedInTools: false });

/** Card fields that a brief card has on request. */
export const cardFieldSet = closedSet('CardField', sets.CardField, { explainedInTools: false });
