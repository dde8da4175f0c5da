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

/**
 * Verified places first, then by rating with a Bayesian mean, in steps of a fiftieth of a star: whatever is nearer to each
 * other is as good, and lists of places that are as good as each other are short. The same arithmetic as SQL, for the
 * order of the build.
 */
export function scoreOf(verified: boolean, rating: number | null, reviews: number): number {
  const mean =
    rating === null
      ? PRIOR_RATING
      : (rating * reviews + PRIOR_RATING * PRIOR_REVIEWS) / (reviews + PRIOR_REVIEWS);
  const quantised = Math.max(0, Math.min(255, Math.floor((mean / 5) * 255 + 0.5)));
  return (verified ? 256 : 0) + quantised;
}

export const SCORE_SQL = `(case when verified_at > $1 then 256 else 0 end) + greatest(0, least(255, floor((
  case when rating is null then ${PRIOR_RATING}::float8
       else (rating::float8 * review_count + ${PRIOR_RATING * PRIOR_REVIEWS}::float8) / (review_count + ${PRIOR_REVIEWS}) end)
  / 5 * 255 + 0.5)))::int`;

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
