import { matchFeatures, prepareRecord, type PreparedRecord } from './match-features.ts';
import type { MatchRecord } from './match-record.ts';
import { bias, matchWeights, sameScoreMin, type FeatureName } from './match-weights.ts';
import { metresApart } from './metres-apart.ts';

export interface PlaceMatch {
  readonly same: boolean;
  /** Probability that both are the same place, 0 to 1. */
  readonly score: number;
}

/** Maximum distance in metres, large because a park or an airport has distant positions. Beyond it nothing matches. */
const farthest = 2000;

export function samePlace(a: MatchRecord, b: MatchRecord): PlaceMatch {
  return comparePrepared(prepareRecord(a), prepareRecord(b));
}

export function comparePrepared(a: PreparedRecord, b: PreparedRecord): PlaceMatch {
  const metres = metresApart(a.record, b.record);
  if (a.names.length === 0 || b.names.length === 0 || (metres ?? 0) > farthest)
    return { same: false, score: 0 };
  const features = matchFeatures(a, b);
  let sum = bias;
  for (const name in features) sum += matchWeights[name as FeatureName] * features[name as FeatureName];
  const score = 1 / (1 + Math.exp(-sum));
  return { same: score >= sameScoreMin, score };
}
