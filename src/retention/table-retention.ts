/** Rows of a table that are deleted once a time has passed. */
export interface Expiry {
  /** The rows, in words, if a table has several sorts. */
  rows?: string;
  /** Column or expression from which the days count, and the same in words. */
  from: string;
  after: string;
  days: number;
  where?: string;
  /** Function of the database that deletes them, where rows may not be deleted otherwise. */
  door?: 'delete_expired_audit_entries' | 'delete_expired_submissions';
}

export interface TableRetention {
  holds: string;
  why: string;
  /**
   * When rows go: after their time; with the row that they belong to; by a maintenance task of their own, which `kept`
   * describes; or not by time, for as long as `kept` says.
   */
  ends: Expiry[] | { with: string } | { task: string; kept: string } | { kept: string };
}

export const YEAR_DAYS = 365;
/** Claims end three years after the end of the year in which they arose, so at most four years later. */
export const CLAIMS_DAYS = 1_461;

/** Describes in words how long rows of a table are kept. */
export function keptWords({ ends }: TableRetention): string {
  if (Array.isArray(ends))
    return ends
      .map(({ rows, after, days }) => `${rows === undefined ? '' : `${rows}: `}${spanWords(days)} ${after}`)
      .join('; ');
  return 'with' in ends ? `as long as its ${ends.with}` : ends.kept;
}

function spanWords(days: number): string {
  if (days === 0) return 'until';
  if (days === CLAIMS_DAYS) return '4 years after';
  if (days > YEAR_DAYS && days % YEAR_DAYS === 0) return `${days / YEAR_DAYS} years after`;
  return days === 1 ? 'a day after' : `${days} days after`;
}
