import { DAY_MS } from '../../core/time.ts';
import type { hoursSourceSet } from '../sets/source-sets.ts';

/** Hours from a venue's website count as verified for half a year. */
export const WEBSITE_MAX_AGE_DAYS = 180;
export const MAP_MAX_AGE_DAYS = 730;

/** Source of hours. Hours that an agent submitted stay `agent` until a reviewer has checked them. */
export type HoursSource = (typeof hoursSourceSet.values)[number];

export interface HoursEvidence {
  readonly source: HoursSource;
  /** Date of the source; for a map, when the object was last edited or checked. */
  readonly observed_at: Date | null;
  /** True when the text was understood: see `isUnderstood`. */
  readonly parsed: boolean;
}

/** Returns the last day (UTC, since the epoch) on which hours count as verified, which only understood ones do. */
export function lastVerifiedDay({ source, observed_at, parsed }: HoursEvidence): number {
  if (!parsed) return -Infinity;
  const observedDay = observed_at === null ? -Infinity : Math.floor(observed_at.getTime() / DAY_MS);
  switch (source) {
    case 'owner':
    case 'reviewer':
      return Infinity;
    case 'venue_website':
      return observedDay + WEBSITE_MAX_AGE_DAYS;
    case 'map':
      return observedDay + MAP_MAX_AGE_DAYS;
    case 'agent':
      return -Infinity;
  }
}

/**
 * Returns the date (YYYY-MM-DD) of hours that were understood and published, but are too old to be verified; null for
 * all others. By such hours a place is usually open or closed.
 */
export function oldHoursDate(evidence: HoursEvidence, now: Date): string | null {
  const { observed_at } = evidence;
  if (observed_at === null || lastVerifiedDay(evidence) === -Infinity || isVerifiedHours(evidence, now))
    return null;
  return observed_at.toISOString().slice(0, 10);
}

/** Returns the last time at which hours count as verified, in milliseconds: the end of the last day. */
export function verifiedUntil(evidence: HoursEvidence): number {
  return (lastVerifiedDay(evidence) + 1) * DAY_MS - 1;
}

/** True when the hours are verified. Only verified hours decide whether a place is open or closed now. */
export function isVerifiedHours(evidence: HoursEvidence, now: Date): boolean {
  return now.getTime() <= verifiedUntil(evidence);
}
