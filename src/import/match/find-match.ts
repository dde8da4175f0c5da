import { prepareRecord } from './match-features.ts';
import type { MatchRecord } from './match-record.ts';
import { comparePrepared, type PlaceMatch } from './same-place.ts';

export interface FoundMatch<T extends MatchRecord> extends PlaceMatch {
  /** The record that is the same place, or `null` when there is none or two are possible. */
  readonly match: T | null;
  /** True when a second record fits nearly as well, so that picking one would be a guess. */
  readonly ambiguous: boolean;
}

/**
 * Maximum difference in log odds at which two matches count as equal; two branches of a chain differ more by distance
 * alone.
 */
const nearlyEqual = 0.2;

/** Returns the nearby record that is the same place as the candidate. */
export function findMatch<T extends MatchRecord>(
  candidate: MatchRecord,
  nearby: readonly T[],
): FoundMatch<T> {
  const prepared = prepareRecord(candidate);
  const fits = nearby
    .map((record) => ({ record, fit: comparePrepared(prepared, prepareRecord(record)) }))
    .sort((x, y) => y.fit.score - x.fit.score);
  const [best, second] = fits;
  if (best === undefined) {
    return { match: null, same: false, ambiguous: false, score: 0, reasons: ['nothing is nearby'] };
  }
  if (!best.fit.same) return { ...best.fit, match: null, ambiguous: false };
  if (second?.fit.same === true && logOdds(best.fit.score) - logOdds(second.fit.score) < nearlyEqual) {
    return { ...best.fit, match: null, same: false, ambiguous: true };
  }
  return { ...best.fit, match: best.record, ambiguous: false };
}

function logOdds(score: number): number {
  return Math.log(score / (1 - score));
}
