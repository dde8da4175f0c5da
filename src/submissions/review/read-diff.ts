import type { Db } from '../../core/postgres/db.ts';
import type { PromoContent, Submission } from '../submission.ts';
import { fieldDiff, promoDiff, type FieldDiff } from './field-diff.ts';
import { matchedPlace } from './matched-place.ts';
import { readLivePlace, readRevisions } from './review-reading.ts';

/** Compares a submission with what is live: the place that a reviewer chose or else the match, or the live revision. */
export async function readDiff(
  db: Db,
  submission: Submission,
  chosen: string | undefined,
): Promise<FieldDiff[]> {
  if (submission.kind === 'promo') {
    const revisions = await readRevisions(db, submission.id);
    const live = revisions.find(({ revision }) => revision === submission.live_revision);
    return promoDiff((live?.content ?? null) as PromoContent | null, submission.content);
  }
  const placeId = chosen === undefined || chosen === '' ? await matchedPlace(db, submission) : chosen;
  return fieldDiff(placeId === null ? null : await readLivePlace(db, placeId), submission.content);
}
