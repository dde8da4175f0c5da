import { DAY_MS } from '../../core/time.ts';
import type { hoursSourceSet } from '../sets/source-sets.ts';

/** What a venue's website said is believed for half a year. */
export const WEBSITE_MAX_AGE_DAYS = 180;
export const MAP_MAX_AGE_DAYS = 730;

/** Who says so. Hours that an agent submitted stay `agent` until a reviewer has checked them. */
export type HoursSource = (typeof hoursSourceSet.values)[number];

export interface HoursEvidence {
  readonly source: HoursSource;
  /** When the source said so; for a map, when its community last touched or checked the object. */
  readonly observed_at: Date | null;
  /** Whether the text was understood: see `isUnderstood`. */
  readonly parsed: boolean;
}

/**
 * The last day (UTC, counted from the epoch) on which hours count as verified: the day on which they reach their maximum age
 * is the last. Hours that were not understood never count, whoever said them.
 */
export function lastVerifiedDay(
  { source, observed_at, parsed }: HoursEvidence,
  mapMaxAgeDays = MAP_MAX_AGE_DAYS,
): number {
  if (!parsed) return -Infinity;
  const observedDay = observed_at === null ? -Infinity : Math.floor(observed_at.getTime() / DAY_MS);
  switch (source) {
    case 'owner':
    case 'reviewer':
      return Infinity;
    case 'venue_website':
      return observedDay + WEBSITE_MAX_AGE_DAYS;
    case 'map':
      return observedDay + mapMaxAgeDays;
    case 'agent':
      return -Infinity;
  }
}

/** The last moment at which hours count as verified, in milliseconds: the end of the last day. */
export function verifiedUntil(evidence: HoursEvidence, mapMaxAgeDays?: number): number {
  return (lastVerifiedDay(evidence, mapMaxAgeDays) + 1) * DAY_MS - 1;
}

/** Only verified hours may make a place open or closed now. */
export function isVerifiedHours(evidence: HoursEvidence, now: Date, mapMaxAgeDays?: number): boolean {
  return now.getTime() <= verifiedUntil(evidence, mapMaxAgeDays);
}
