import { matchFeatures, prepareRecord, type PreparedRecord } from './match-features.ts';
import type { MatchRecord } from './match-record.ts';
import { bias, matchWeights, sameScoreMin, type FeatureName } from './match-weights.ts';
import { metresApart } from './metres-apart.ts';

export interface PlaceMatch {
  readonly same: boolean;
  /** Probability that both are the same place, 0 to 1. */
  readonly score: number;
  /** Evidence for and against, the strongest first. */
  readonly reasons: string[];
}

/**
 * Maximum distance in metres. Large places have positions some distance apart; beyond this, no evidence makes two
 * listings one place.
 */
const farthest = 2000;
const reportedShareMin = 0.25;

/** Decides whether two records of different sources describe the same place. */
export function samePlace(a: MatchRecord, b: MatchRecord): PlaceMatch {
  return comparePrepared(prepareRecord(a), prepareRecord(b));
}

export function comparePrepared(a: PreparedRecord, b: PreparedRecord): PlaceMatch {
  if (a.names.length === 0 || b.names.length === 0) {
    return { same: false, score: 0, reasons: ['one of the records has no name'] };
  }
  const metres = metresApart(a.record, b.record);
  if (metres !== null && metres > farthest) {
    return { same: false, score: 0, reasons: [distanceReason(metres)] };
  }
  const evidence = weighEvidence(a, b);
  const score = logistic(evidence.reduce((sum, { share }) => sum + share, bias));
  const reasons = evidence.filter(({ share }) => Math.abs(share) >= reportedShareMin);
  return {
    same: score >= sameScoreMin,
    score,
    reasons: reasons.map(({ name }) =>
      name === 'distance' && metres !== null ? distanceReason(metres) : matchWeights[name].says,
    ),
  };
}

function weighEvidence(a: PreparedRecord, b: PreparedRecord) {
  const features = matchFeatures(a, b);
  return (Object.keys(matchWeights) as FeatureName[])
    .map((name) => ({ name, share: matchWeights[name].weight * features[name] }))
    .sort((x, y) => Math.abs(y.share) - Math.abs(x.share));
}

function distanceReason(metres: number): string {
  return `the positions are ${Math.round(metres)} m apart`;
}

function logistic(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}
