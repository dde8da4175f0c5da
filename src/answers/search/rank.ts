import { ownValue } from '../../core/input/own-value.ts';
import type { Candidate, Card } from './candidate.ts';
import type { PlaceFacts } from './place-facts.ts';

// The same mean as in the index: one perfect review does not outrank a hundred good ones.
const PRIOR_REVIEWS = 10;
const PRIOR_RATING = 3.8;
const FAR_M = 3_000;

const WEIGHTS = { text: 2, verified: 0.5, rating: 2, distance: 1.5, promotion: 3 } as const;

export interface Ranking {
  /** Kinds and kitchens that were asked for. */
  kinds: readonly string[];
  best: boolean;
  promotions: boolean;
  /** Whether only the distance counts, because the nearest are promised. */
  nearest: boolean;
}

/** Orders candidates by how well they are what was asked, whether they are verified, rating and distance. */
export function rankCandidates(
  candidates: readonly Candidate[],
  facts: ReadonlyMap<string, PlaceFacts>,
  ranking: Ranking,
): Candidate[] {
  const scored = candidates.flatMap((candidate) => {
    const known = facts.get(candidate.card.place_id);
    return known === undefined ? [] : [{ candidate, score: scoreOf(candidate, known, ranking) }];
  });
  const order = ranking.nearest ? byDistance : (a: Scored, b: Scored) => b.score - a.score;
  return scored.sort(order).map(({ candidate }) => candidate);
}

interface Scored {
  candidate: Candidate;
  score: number;
}

function byDistance(a: Scored, b: Scored): number {
  return (a.candidate.metres ?? 0) - (b.candidate.metres ?? 0) || b.score - a.score;
}

function scoreOf({ card, metres }: Candidate, facts: PlaceFacts, ranking: Ranking): number {
  const distance = metres === undefined ? 0 : Math.min(1, metres / FAR_M);
  const rating = (WEIGHTS.rating * (ranking.best ? 2 : 1) * meanOf(card)) / 5;
  return (
    WEIGHTS.text * textMatch(card, ranking.kinds) +
    (facts.verified ? WEIGHTS.verified : 0) +
    rating -
    WEIGHTS.distance * distance +
    (ranking.promotions && facts.promotions.length > 0 ? WEIGHTS.promotion : 0)
  );
}

function meanOf({ rating, review_count }: Card): number {
  if (rating === null) return PRIOR_RATING;
  return (rating * review_count + PRIOR_RATING * PRIOR_REVIEWS) / (review_count + PRIOR_REVIEWS);
}

/** What people picture by a general word: who asks for a café does not mean an ice cream parlour. */
const PLAINEST: Readonly<Record<string, readonly string[]>> = {
  cafe: ['coffee_shop'],
  bar: ['pub', 'cocktail_bar', 'wine_bar'],
  hotel: ['boutique_hotel', 'resort'],
  clinic: ['doctor', 'hospital'],
  attraction: ['museum', 'monument', 'park', 'viewpoint', 'temple'],
};

/** Being it outright counts more than belonging to it. */
function textMatch({ category, cuisine, vertical }: Card, kinds: readonly string[]): number {
  if (kinds.length === 0) return 1;
  const matched = kinds.map((kind) => {
    if (category === kind || ownValue(PLAINEST, kind)?.includes(category) === true) return 1;
    if (cuisine.includes(kind)) return 0.9;
    return vertical === kind ? 0.6 : 0.4;
  });
  return Math.max(...matched);
}
