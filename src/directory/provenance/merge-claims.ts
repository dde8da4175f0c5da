import { CONTACT_FIELDS, SHARED_FIELDS, type ClaimField } from './field.ts';
import { withClaims, recordSource, claimsFor, type PlaceWithClaims } from './apply-field-claims.ts';
import type { FieldClaim } from './field-claim.ts';

/**
 * Merges the claims of two records of one place: the kept record gets those claims of the other whose origin it has
 * none of. A contact that was published in either record stays published. The claims of a map are dropped for a record
 * that has vanished from it.
 */
export function mergeClaims(
  kept: PlaceWithClaims,
  gone: PlaceWithClaims,
  { vanished }: { vanished: boolean },
): PlaceWithClaims {
  return SHARED_FIELDS.reduce((place, field) => {
    const claims = claimsFor(gone, field).filter(({ by }) => !vanished || by !== 'map');
    return mergeFieldClaims(place, gone, field, claims);
  }, kept);
}

function mergeFieldClaims(
  kept: PlaceWithClaims,
  gone: PlaceWithClaims,
  field: ClaimField,
  candidates: readonly FieldClaim[],
): PlaceWithClaims {
  const claims = claimsFor(kept, field);
  const isContact = CONTACT_FIELDS.some((contact) => contact === field);
  const added = candidates
    .filter(({ ref }) => ref === recordSource(gone).ref || !claims.some((claim) => claim.ref === ref))
    .filter(({ by }) => isContact || !claims.some((claim) => claim.by === by))
    .filter(({ by }) => by !== 'agent' || kept.badge !== 'claimed' || claims.length === 0)
    .map((claim) => withRenamedMap(claim, gone));
  return added.length === 0 ? kept : withClaims(kept, field, [...claims, ...added]);
}

/** Renames the map of the other record, so that its claims are not taken for those of the kept record's map. */
function withRenamedMap<F extends ClaimField>(claim: FieldClaim<F>, gone: PlaceWithClaims): FieldClaim<F> {
  return claim.ref === recordSource(gone).ref && claim.by === 'map'
    ? { ...claim, ref: `${gone.source}:${gone.source_ref}` }
    : claim;
}
