import { prepareRecord } from './match-features.ts';
import type { MatchRecord } from './match-record.ts';
import { comparePrepared, type PlaceMatch } from './same-place.ts';

/** Maximum difference in log odds at which two matches count as equal. */
const nearlyEqual = 0.2;

/** `match` is null when there is none, or when a second one fits nearly as well: then it is `ambiguous`. */
export function findMatch<T extends MatchRecord>(
  candidate: MatchRecord,
  nearby: readonly T[],
): PlaceMatch & { match: T | null; ambiguous: boolean } {
  const prepared = prepareRecord(candidate);
  const fits = nearby
    .map((record) => ({ record, fit: comparePrepared(prepared, prepareRecord(record)) }))
    .sort((x, y) => y.fit.score - x.fit.score);
  const [best, second] = fits;
  if (best === undefined) return { match: null, same: false, ambiguous: false, score: 0 };
  if (!best.fit.same) return { ...best.fit, match: null, ambiguous: false };
  if (second?.fit.same === true && logOdds(best.fit.score) - logOdds(second.fit.score) < nearlyEqual) {
    return { ...best.fit, match: null, same: false, ambiguous: true };
  }
  return { ...best.fit, match: best.record, ambiguous: false };
}

function logOdds(score: number): number {
  return Math.log(score / (1 - score));
}
