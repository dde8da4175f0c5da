import { ownValue } from '../../core/input/own-value.ts';
import type { PlaceCard } from '../../directory/place/place-fields.ts';
import { meanRating } from '../../search/store/rank.ts';
import type { AnswerCandidate } from './candidate.ts';
import type { AnswerFacts } from './place-facts.ts';
import similarKinds from './similar-kinds.json' with { type: 'json' };

const FAR_M = 3_000;

const WEIGHTS = { text: 2, verified: 0.5, rating: 2, distance: 1.5, promotion: 3 } as const;

interface Ranking {
  kinds: readonly string[];
  best: boolean;
  promotions: boolean;
  /** True when only the distance counts, because the answer promises the nearest places. */
  nearest: boolean;
}

/** Ranks candidates by match quality, verification, rating and distance. */
export function rankCandidates(
  candidates: readonly AnswerCandidate[],
  facts: ReadonlyMap<string, AnswerFacts>,
  ranking: Ranking,
): AnswerCandidate[] {
  const scored = candidates.flatMap((candidate) => {
    const placeFacts = facts.get(candidate.card.place_id);
    return placeFacts === undefined ? [] : [{ candidate, score: scoreOf(candidate, placeFacts, ranking) }];
  });
  const order = ranking.nearest ? byDistance : (a: Scored, b: Scored) => b.score - a.score;
  // Places that are known to be open come before those that only usually are.
  return scored
    .sort((a, b) => likelihood(a) - likelihood(b) || order(a, b))
    .map(({ candidate }) => candidate);
}

interface Scored {
  candidate: AnswerCandidate;
  score: number;
}

function likelihood({ candidate }: Scored): number {
  return candidate.byOldHours === true ? 1 : 0;
}

function byDistance(a: Scored, b: Scored): number {
  return (a.candidate.metres ?? 0) - (b.candidate.metres ?? 0) || b.score - a.score;
}

function scoreOf({ card, metres }: AnswerCandidate, facts: AnswerFacts, ranking: Ranking): number {
  const distance = metres === undefined ? 0 : Math.min(1, metres / FAR_M);
  const rating = (WEIGHTS.rating * (ranking.best ? 2 : 1) * meanRating(card.rating, card.review_count)) / 5;
  return (
    WEIGHTS.text * textMatch(card, ranking.kinds) +
    (facts.verified ? WEIGHTS.verified : 0) +
    rating -
    WEIGHTS.distance * distance +
    (ranking.promotions && facts.promotions.length > 0 ? WEIGHTS.promotion : 0)
  );
}

/** Typical categories for a general word: "café" does not suggest an ice cream parlour. */
const TYPICAL: Readonly<Record<string, readonly string[]>> = similarKinds.typical;

/** Scores an exact category higher than a cuisine or vertical. */
function textMatch({ category, cuisine, vertical }: PlaceCard, kinds: readonly string[]): number {
  if (kinds.length === 0) return 1;
  const matched = kinds.map((kind) => {
    if (category === kind || ownValue(TYPICAL, kind)?.includes(category) === true) return 1;
    if (cuisine.includes(kind)) return 0.9;
    return vertical === kind ? 0.6 : 0.4;
  });
  return Math.max(...matched);
}
