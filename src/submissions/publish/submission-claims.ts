import type { ClaimSet } from '../../directory/provenance/apply-field-claims.ts';
import type { StoredHours } from '../../directory/hours/stored-hours.ts';
import type { BusinessContent } from '../submission.ts';

export interface ApprovedSubmission {
  submissionId: string;
  agentId: string;
  content: BusinessContent;
  /** True when the venue confirmed that the operator acts for it. */
  byOwner: boolean;
  /** True when the business was asked about the operator and confirmed it. */
  confirmed: boolean;
  reviewedBy: string;
}

/** Builds the field claims of an approved submission. Omitted fields withdraw earlier claims. */
export function submissionClaims(
  { submissionId, agentId, content, byOwner, confirmed, reviewedBy }: ApprovedSubmission,
  hours: StoredHours | null,
  now: Date,
): ClaimSet {
  const { vertical } = content;
  return {
    by: byOwner ? 'owner' : 'agent',
    ref: submissionId,
    at: now.toISOString(),
    proof: byOwner ? `acts:${agentId}` : confirmed ? `confirmed:${agentId}` : `reviewed:${reviewedBy}`,
    values: {
      name: content.name,
      kind: vertical === null ? null : { vertical, category: vertical },
      city: content.city,
      address: content.address,
      phone: content.phone,
      email: content.email,
      website: content.website,
      about: content.description,
      languages: content.languages,
      price_range: content.price_range,
      hours,
    },
  };
}
