/**
 * A row's id in the index is its rank: what stands first in the answer has the smallest id, so that a search reads
 * as many rows as it returns and sorts nothing. The high bits are the inverted score, the low bits make it unique.
 */
const SCORE_MAX = 4095;
const SERIAL_BITS = 40;
const SERIALS = 2 ** SERIAL_BITS;
/** Rows that came after the index was built are numbered from here, so that they never meet an old one. */
export const FRESH_SERIAL = 2 ** (SERIAL_BITS - 1);

// A mean that starts from ten reviews of 3.8: one perfect review does not outrank a hundred good ones.
const PRIOR_REVIEWS = 10;
const PRIOR_RATING = 3.8;

/** Verified places first, then by rating with a Bayesian mean. The same arithmetic as SQL, for the order of the build. */
export function scoreOf(verified: boolean, rating: number | null, reviews: number): number {
  const mean =
    rating === null
      ? PRIOR_RATING
      : (rating * reviews + PRIOR_RATING * PRIOR_REVIEWS) / (reviews + PRIOR_REVIEWS);
  const quantised = Math.max(0, Math.min(2047, Math.round((mean / 5) * 2047)));
  return (verified ? 2048 : 0) + quantised;
}

export const SCORE_SQL = `(case when verified_at > $1 then 2048 else 0 end) + greatest(0, least(2047, floor((
  case when rating is null then ${PRIOR_RATING}::float8
       else (rating::float8 * review_count + ${PRIOR_RATING * PRIOR_REVIEWS}::float8) / (review_count + ${PRIOR_REVIEWS}) end)
  / 5 * 2047 + 0.5)))::int`;

export function rowidOf(score: number, serial: number): number {
  return (SCORE_MAX - score) * SERIALS + serial;
}
