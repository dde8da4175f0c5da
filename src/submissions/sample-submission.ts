import type { Ctx } from '../core/context.ts';
import { EMPTY_BUSINESS } from './merge-content.ts';
import { storeRevision } from './store-revision.ts';
import type { BusinessContent } from './submission.ts';

const SAMPLE: BusinessContent = {
  ...EMPTY_BUSINESS,
  relationship: 'third_party',
  name: 'Sample cafe (review account)',
  vertical: 'cafe',
  country: 'ID',
  city: 'Bali',
  description:
    'A sample for reviewers of a directory. It is not a real business: reject it when the review is over.',
  hours: 'Mo-Su 08:00-17:00',
};

/** Adds a sample submission to a review account, so that its list is not empty. It waits for a review. */
export async function addSampleSubmission(
  ctx: Pick<Ctx, 'db' | 'now' | 'newId' | 'audit'>,
  agentId: string,
): Promise<void> {
  await storeRevision(ctx, {
    dryRun: false,
    kind: 'business',
    agentId,
    before: undefined,
    ownRef: 'sample-cafe',
    businessId: null,
    content: SAMPLE,
    flags: ['position_unknown'],
    duplicates: [],
    matchedPlace: null,
  });
}
