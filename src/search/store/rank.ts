/**
 * Maximum score. A document is a place within its destination. Its number is its rank: the first result has the
 * smallest number, so that a search reads no more than it returns and sorts nothing. The high bits are the inverted
 * score, the low bits the serial of the place in its destination, which is also its position in bitmaps.
 */
const SCORE_MAX = 511;
/** Score of a place with a generated name. No other place has it, so lists without a search end before these places. */
const UNNAMED_SCORE = 0;
/** Distance between the documents of two adjacent scores. */
export const LEVEL = 2 ** 28;

// Bayesian mean with a prior of ten reviews of 3.8: one perfect review must not outrank a hundred good ones.
const PRIOR_REVIEWS = 10;
const PRIOR_RATING = 3.8;

// Score, out of 511, of a place without reviews, prominence and verification. A star above the prior is worth 55 points
// of prominence: the best restaurants rank beside well-known sights, behind the few most famous ones.
const BASE = 134;
const PER_STAR_ABOVE = 120;
const PER_STAR_BELOW = BASE / PRIOR_RATING;
const PER_PROMINENCE = 2.2;
const VERIFIED = 13;

interface Ranked {
  verified: boolean;
  rating: number | null;
  review_count: number;
  prominence: number;
  name_generated: boolean;
}

/**
 * Combines the Bayesian mean rating, prominence and a small bonus for a recent check. Smaller differences than one step
 * are not meaningful. A check alone must not put a fuel station before a cathedral. SCORE_SQL is the same arithmetic,
 * for the order of the build.
 */
export function scoreOf({
  verified,
  rating,
  review_count: reviews,
  prominence,
  name_generated,
}: Ranked): number {
  if (name_generated) return UNNAMED_SCORE;
  const above = meanRating(rating, reviews) - PRIOR_RATING;
  const stars = above > 0 ? above * PER_STAR_ABOVE : above * PER_STAR_BELOW;
  const score = BASE + stars + prominence * PER_PROMINENCE + (verified ? VERIFIED : 0);
  return Math.max(UNNAMED_SCORE + 1, Math.min(SCORE_MAX, Math.floor(score + 0.5)));
}

export function meanRating(rating: number | null, reviews: number): number {
  if (rating === null) return PRIOR_RATING;
  return (rating * reviews + PRIOR_RATING * PRIOR_REVIEWS) / (reviews + PRIOR_REVIEWS);
}

const ABOVE_SQL = `((case when rating is null then ${PRIOR_RATING}::float8
  else (rating::float8 * review_count + ${PRIOR_RATING * PRIOR_REVIEWS}::float8) / (review_count + ${PRIOR_REVIEWS}) end)
  - ${PRIOR_RATING}::float8)`;

export const SCORE_SQL = `case when name_generated then ${UNNAMED_SCORE} else greatest(${UNNAMED_SCORE + 1}, least(${SCORE_MAX}, floor(
  ${BASE}::float8 + ${ABOVE_SQL} * (case when ${ABOVE_SQL} > 0 then ${PER_STAR_ABOVE}::float8 else ${PER_STAR_BELOW}::float8 end)
  + prominence * ${PER_PROMINENCE}::float8 + (case when verified_at > $1 then ${VERIFIED}::float8 else 0 end) + 0.5)))::int end`;

export function docOf(score: number, serial: number): number {
  if (serial >= LEVEL) throw new Error('A destination has more places than the index has numbers for.');
  return (SCORE_MAX - score) * LEVEL + serial;
}

/** The first document that a place with a generated name may have. */
export const FIRST_UNNAMED_DOC = docOf(UNNAMED_SCORE, 0);

export function serialOf(doc: number): number {
  // Faster than the % operator, which uses floating-point arithmetic for numbers of this size.
  return doc - Math.floor(doc / LEVEL) * LEVEL;
}

export function scoreIn(doc: number): number {
  return SCORE_MAX - Math.floor(doc / LEVEL);
}
