/**
 * A document of the index is a place inside its destination. Its number is its rank: what stands first in an answer has
 * the smallest one, so that a search reads as many as it returns and sorts nothing. The high bits are the inverted score,
 * the low ones the serial of the place in its destination, which is also its position in sets of bits.
 */
const SCORE_MAX = 511;
/** How far apart the documents of two scores are. */
export const LEVEL = 2 ** 28;

// A mean that starts from ten reviews of 3.8: one perfect review does not outrank a hundred good ones.
const PRIOR_REVIEWS = 10;
const PRIOR_RATING = 3.8;

// Of 511 points a place without reviews, fame and check has these. A star above the prior is worth as much as 55 points of
// prominence: the best tables stand beside well-known sights, and behind the few that everybody knows.
const BASE = 120;
const PER_STAR_ABOVE = 120;
const PER_STAR_BELOW = BASE / PRIOR_RATING;
const PER_PROMINENCE = 2.2;
const VERIFIED = 27;

/**
 * Ratings by a Bayesian mean, prominence, and a little for a recent check, in steps that are finer than anybody's judgement:
 * whatever is nearer to each other is as good. A check alone puts no fuel station before a cathedral. The same arithmetic
 * as SQL, for the order of the build.
 */
export function scoreOf(
  verified: boolean,
  rating: number | null,
  reviews: number,
  prominence: number,
): number {
  const mean =
    rating === null
      ? PRIOR_RATING
      : (rating * reviews + PRIOR_RATING * PRIOR_REVIEWS) / (reviews + PRIOR_REVIEWS);
  const above = mean - PRIOR_RATING;
  const stars = above > 0 ? above * PER_STAR_ABOVE : above * PER_STAR_BELOW;
  const score = BASE + stars + prominence * PER_PROMINENCE + (verified ? VERIFIED : 0);
  return Math.max(0, Math.min(SCORE_MAX, Math.floor(score + 0.5)));
}

const ABOVE_SQL = `((case when rating is null then ${PRIOR_RATING}::float8
  else (rating::float8 * review_count + ${PRIOR_RATING * PRIOR_REVIEWS}::float8) / (review_count + ${PRIOR_REVIEWS}) end)
  - ${PRIOR_RATING}::float8)`;

export const SCORE_SQL = `greatest(0, least(${SCORE_MAX}, floor(
  ${BASE}::float8 + ${ABOVE_SQL} * (case when ${ABOVE_SQL} > 0 then ${PER_STAR_ABOVE}::float8 else ${PER_STAR_BELOW}::float8 end)
  + prominence * ${PER_PROMINENCE}::float8 + (case when verified_at > $1 then ${VERIFIED}::float8 else 0 end) + 0.5)))::int`;

export function docOf(score: number, serial: number): number {
  if (serial >= LEVEL) throw new Error('A destination has more places than the index has numbers for.');
  return (SCORE_MAX - score) * LEVEL + serial;
}

export function serialOf(doc: number): number {
  // Quicker than the remainder of two fractions, which numbers of this size are to the machine.
  return doc - Math.floor(doc / LEVEL) * LEVEL;
}

export function scoreIn(doc: number): number {
  return SCORE_MAX - Math.floor(doc / LEVEL);
}
