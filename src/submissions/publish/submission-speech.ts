import type { Speech } from '../../directory/word/speak.ts';
import type { StoredHours } from '../../directory/hours/stored-hours.ts';
import type { BusinessContent } from '../submission.ts';

/** An approved submission, and whom it speaks for. */
export interface Approved {
  submissionId: string;
  agentId: string;
  content: BusinessContent;
  /** Whether the venue lets its operator speak for it. */
  byOwner: boolean;
  /** Whether the business was asked about its operator, and said yes. */
  confirmed: boolean;
  /** Who let it pass. */
  reviewedBy: string;
}

/** What an approved submission says of a place. What it leaves out it says no longer. */
export function submissionSpeech(
  { submissionId, agentId, content, byOwner, confirmed, reviewedBy }: Approved,
  hours: StoredHours | null,
  now: Date,
): Speech {
  const { vertical } = content;
  return {
    by: byOwner ? 'owner' : 'agent',
    ref: submissionId,
    at: now.toISOString(),
    proof: byOwner ? `acts:${agentId}` : confirmed ? `confirmed:${agentId}` : `reviewed:${reviewedBy}`,
    says: {
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
