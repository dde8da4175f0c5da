import { DAY_MS } from '../../core/time.ts';

/** What a venue's website said is believed for half a year. */
export const WEBSITE_MAX_AGE_DAYS = 180;
export const MAP_MAX_AGE_DAYS = 730;

/** Who says so. Hours that an agent submitted stay `agent` until a reviewer has checked them. */
export type HoursSource = 'owner' | 'reviewer' | 'venue_website' | 'map' | 'agent';

export interface HoursEvidence {
  readonly source: HoursSource;
  /** When the source said so; for a map, when its community last touched or checked the object. */
  readonly observed_at: Date | null;
  /** Whether the text could be read without a guess. */
  readonly parsed: boolean;
}

/** The last moment at which hours count as verified, in milliseconds. */
export function verifiedUntil(
  { source, observed_at, parsed }: HoursEvidence,
  mapMaxAgeDays = MAP_MAX_AGE_DAYS,
): number {
  const observed = observed_at?.getTime() ?? -Infinity;
  switch (source) {
    case 'owner':
    case 'reviewer':
      return Infinity;
    case 'venue_website':
      return observed + WEBSITE_MAX_AGE_DAYS * DAY_MS;
    case 'map':
      return parsed ? observed + mapMaxAgeDays * DAY_MS : -Infinity;
    case 'agent':
      return -Infinity;
  }
}

/** Only verified hours may make a place open or closed now. */
export function isVerifiedHours(evidence: HoursEvidence, now: Date, mapMaxAgeDays?: number): boolean {
  return now.getTime() <= verifiedUntil(evidence, mapMaxAgeDays);
}
